import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { longRead } from '../../operation.ts';
import type { ThreadClient } from './client.ts';
import { Readers } from './readers.ts';

/** Fake threads that answer when the test calls `answer`. */
const fakeThreads = () => {
  const threads: { load: number; closed: boolean; answer: () => void }[] = [];
  const start = () => {
    const thread = {
      load: 0,
      closed: false,
      answer: () => {},
      ask: () => {
        thread.load++;
        return new Promise<void>((resolve) => {
          thread.answer = () => {
            thread.load--;
            resolve();
          };
        });
      },
      close: async () => {
        thread.closed = true;
      },
    };
    threads.push(thread);
    return thread as unknown as ThreadClient;
  };
  return { threads, start };
};

const search = longRead('search', () => undefined);

test('Reader threads are started when all others are busy, two at most', () => {
  const { threads, start } = fakeThreads();
  const readers = new Readers(start);
  assert.equal(readers.count, 0);
  for (const expected of [1, 2, 2]) {
    readers.ask(search, null, null);
    assert.equal(readers.count, expected);
  }
  assert.deepEqual(
    threads.map(({ load }) => load),
    [2, 1],
  );
  readers.close();
});

test('Idle reader threads are stopped and restarted on demand, and busy ones continue', async () => {
  const { threads, start } = fakeThreads();
  const readers = new Readers(start, 20);
  readers.ask(search, null, null);
  await pause(70);
  assert.equal(threads[0]?.closed, false);
  threads[0]?.answer();
  while (readers.count > 0) await pause(10);
  assert.equal(threads[0]?.closed, true);
  readers.ask(search, null, null);
  assert.equal(threads.length, 2);
  threads[1]?.answer();
  while (readers.count > 0) await pause(10);
  assert.equal(threads[1]?.closed, true, 'and so again');
  await readers.close();
});

test('After close, a read is rejected and starts no thread, which would keep the process alive', async () => {
  const { threads, start } = fakeThreads();
  const readers = new Readers(start);
  await readers.close();
  await assert.rejects(readers.ask(search, null, null), { code: 'UNAVAILABLE' });
  assert.deepEqual(threads, []);
});
