import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openFile } from './connection.ts';
import { ReadCache } from './read-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'roster-read-cache-'));
const path = join(folder, 'roster.db');
const writer = openFile(path);
writer.exec('create table people (name text)');
const reader = openFile(path, { readOnly: true });
const write = () => writer.exec(`insert into people values ('Ada')`);

after(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

/** A read that counts how often it ran. */
const counted = (meanwhile = () => {}) => {
  let reads = 0;
  return async () => {
    meanwhile();
    return { json: `read ${++reads}`, total: 1 };
  };
};

test('The read cache computes a page once while nothing is written', async () => {
  const cache = new ReadCache(reader);
  const find = counted();
  assert.deepEqual(await cache.getOrFind('all', find), { json: 'read 1', total: 1 });
  assert.deepEqual(await cache.getOrFind('all', find), { json: 'read 1', total: 1 });
  assert.deepEqual(await cache.getOrFind('others', find), { json: 'read 2', total: 1 });
});

/** Asserts that a cached page is computed again after a write and an event. */
const assertComputedAgainAfter = async (
  event: (cache: ReadCache, ask: () => Promise<unknown>) => unknown,
) => {
  const cache = new ReadCache(reader);
  const find = counted();
  const ask = async () => cache.getOrFind('all', find);
  await ask();
  write();
  assert.deepEqual(await ask(), { json: 'read 1', total: 1 });
  await event(cache, ask);
  assert.deepEqual(await ask(), { json: 'read 2', total: 1 });
};

test('The read cache computes a page again after an invalidation', () =>
  assertComputedAgainAfter((cache) => cache.invalidate()));

test('The read cache computes a page again in the next event loop turn after any write', () =>
  assertComputedAgainAfter(() => turn()));

test('The read cache computes a page again after 64 reads, however long the turn is', () =>
  assertComputedAgainAfter(async (_, ask) => {
    for (let times = 0; times < 100; times++) await ask();
  }));

test('The read cache does not store a page that was read during a write', async () => {
  const cache = new ReadCache(reader);
  let reads = 0;
  const find = async () => {
    const json = `read ${++reads}`;
    write();
    await turn();
    // A read in the meantime notices the write.
    await cache.getOrFind('others', counted());
    return { json, total: 1 };
  };
  await cache.getOrFind('all', find);
  assert.deepEqual(await cache.getOrFind('all', find), { json: 'read 2', total: 1 });
});

test('The read cache retries a failed read of the file version', async () => {
  let fails = false;
  const read = reader.prepare('pragma data_version');
  const get = () => {
    if (fails) throw new Error('the disk fails');
    return read.get();
  };
  const cache = new ReadCache({ prepare: () => ({ get }) } as never);
  const find = counted();
  await cache.getOrFind('all', find);
  write();
  cache.invalidate();
  fails = true;
  assert.throws(() => cache.getOrFind('all', find), /the disk fails/);
  fails = false;
  assert.deepEqual(await cache.getOrFind('all', find), { json: 'read 2', total: 1 });
});

test('The read cache does not store a failure', async () => {
  const cache = new ReadCache(reader);
  await assert.rejects(async () => cache.getOrFind('fails', async () => Promise.reject(new Error('no'))));
  assert.deepEqual(await cache.getOrFind('fails', counted()), { json: 'read 1', total: 1 });
});

test('The read cache returns a synchronous result synchronously', () => {
  const cache = new ReadCache(reader);
  const page = { json: '', total: 0 };
  assert.equal(
    cache.getOrFind('empty', () => page),
    page,
  );
});
