import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { receiveItems, sendItems } from '../../../files/port-stream.ts';
import { DEFAULT_RULES } from '../import.schema.ts';
import { openFile } from './client.ts';
import type { ReadRow } from './requests.ts';

const options = { ...DEFAULT_RULES, country: 'DE' };
const file = { maxBytes: 1e9, plan: { options, mapping: undefined } };

async function* chunksOf(text: string, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

const readAll = async (bytes: AsyncIterable<Uint8Array>): Promise<ReadRow[]> => {
  const all: ReadRow[] = [];
  for await (const rows of (await openFile(bytes, file)).rows) all.push(...rows);
  return all;
};

describe('File parsing on a worker thread', () => {
  it('Parsing a file takes little time on the calling thread', async () => {
    await readAll(chunksOf('Phone\n+4930231250\n'));
    const lines = Array.from(
      { length: 10_000 },
      (_, at) => `030 23125${String(at % 1_000).padStart(3, '0')}\n`,
    );
    const [process0, thread0] = [process.cpuUsage(), process.threadCpuUsage()];
    const rows = await readAll(chunksOf(`Phone\n${lines.join('')}`));
    const [all, here] = [process.cpuUsage(process0), process.threadCpuUsage(thread0)];
    assert.equal(rows.length, lines.length);
    assert.equal(rows[7]?.reading?.phone_identity, '+493023125007');
    assert.ok(here.user < all.user / 2, `${here.user} of ${all.user} µs`);
  });

  it('A parse error of the worker thread reaches the caller', async () => {
    await assert.rejects(readAll(chunksOf('Phone\n"never closed')), {
      code: 'VALIDATION_ERROR',
      message: 'Line 2: has a quote that is never closed.',
    });
  });

  it('An error of the source reaches the caller unchanged', async () => {
    const failure = new Error('the connection was lost');
    async function* broken() {
      yield Buffer.from('Phone\n+4930231250\n');
      throw failure;
    }
    await assert.rejects(readAll(broken()), (error) => error === failure);
  });

  it('Stopping before the end of a file closes its source', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    async function* endless() {
      try {
        yield Buffer.from('Phone\n');
        for (;;) yield Buffer.from('+4930231250\n'.repeat(5_000));
      } finally {
        resolve();
      }
    }
    const { rows, close } = await openFile(endless(), file);
    for await (const batch of rows) {
      assert.ok(batch.length > 0);
      break;
    }
    await close();
    await promise;
  });
});

describe('Streams between threads', () => {
  it('A stream between threads reads ahead only as far as the consumer pulls', async () => {
    let read = 0;
    async function* numbers() {
      for (;;) yield ++read;
    }
    const { port1, port2 } = new MessageChannel();
    const sending = sendItems(port1, numbers());
    const items = receiveItems<number>(port2, 3);
    for (let at = 1; at <= 10; at++) {
      assert.equal((await items.next()).value, at);
      await new Promise((resolve) => setTimeout(resolve, 2));
      assert.ok(read <= at + 4, `${read} read, ${at} used`);
    }
    await items.return(undefined);
    await sending;
  });

  it('A stream between threads fails when the other side exits', async () => {
    const { port1, port2 } = new MessageChannel();
    const items = receiveItems<number>(port2);
    const next = items.next();
    port1.close();
    await assert.rejects(next, { code: 'UNAVAILABLE' });
  });
});
