import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Alarm, backoff, Semaphore, withTimeout } from './concurrency.ts';

test('A semaphore runs work up to its limit, then urgent work first and the rest in order', async () => {
  const semaphore = new Semaphore(1);
  const ran: string[] = [];
  const run = (name: string, isUrgent = false) =>
    semaphore.run(async () => {
      ran.push(name);
    }, isUrgent);
  const gate = Promise.withResolvers<void>();
  const all = [semaphore.run(() => gate.promise), run('a'), run('b'), run('urgent', true)];
  assert.equal(semaphore.waiting, 3);
  gate.resolve();
  await Promise.all(all);
  assert.deepEqual(ran, ['urgent', 'a', 'b']);
  assert.equal(semaphore.acquire(), undefined, 'the place is free again');
});

test('Work that fails frees its place, and callers that wait can be rejected', async () => {
  const semaphore = new Semaphore(1, 60_000);
  await assert.rejects(
    semaphore.run(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(semaphore.acquire(), undefined);
  const waiting = semaphore.acquire();
  semaphore.rejectWaiting(new Error('down'));
  await assert.rejects(async () => waiting, /down/);
  assert.equal(semaphore.waiting, 0);
});

test('A caller that waits too long is rejected and takes no place', async () => {
  const semaphore = new Semaphore(1, 1);
  assert.equal(semaphore.acquire(), undefined);
  await assert.rejects(async () => semaphore.acquire(), /timeout/);
  semaphore.release();
  assert.equal(semaphore.acquire(), undefined);
});

test('A backoff doubles up to its maximum, and at most half of it is random', () => {
  for (const [failures, longest] of [
    [0, 10],
    [3, 80],
    [9, 100],
  ] as const) {
    const ms = backoff(10, failures, 100);
    assert.ok(ms >= longest / 2 && ms <= longest, `${ms}`);
  }
});

test('Work that takes too long is replaced, and an error of it is passed on', async () => {
  const never = new Promise<string>(() => {});
  assert.equal(await withTimeout(never, 1, () => 'late'), 'late');
  assert.equal(await withTimeout(Promise.resolve('done'), 60_000, () => 'late'), 'done');
  await assert.rejects(
    withTimeout(Promise.reject(new Error('no')), 60_000, () => 'late'),
    /no/,
  );
  await assert.rejects(
    withTimeout(never, 1, () => {
      throw new Error('too late');
    }),
    /too late/,
  );
});

test('An alarm ends a wait early, and a wake before the wait is not lost', async () => {
  const alarm = new Alarm();
  alarm.wake();
  await alarm.wait(Number.POSITIVE_INFINITY);
  const waiting = alarm.wait(Number.POSITIVE_INFINITY);
  alarm.wake();
  await waiting;
  const ended = await Promise.race([alarm.wait(Number.POSITIVE_INFINITY), Promise.resolve('waits')]);
  assert.equal(ended, 'waits');
});
