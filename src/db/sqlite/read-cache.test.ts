import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openFile } from './connection.ts';
import { ReadCache } from './read-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'roster-memory-'));
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

/** A look that says how often it was made. */
const counted = (meanwhile = () => {}) => {
  let looks = 0;
  return async () => {
    meanwhile();
    return { json: `look ${++looks}`, total: 1 };
  };
};

test('a page is found once while nothing is written', async () => {
  const memory = new ReadCache(reader);
  const find = counted();
  assert.deepEqual(await memory.getOrFind('all', find), { json: 'look 1', total: 1 });
  assert.deepEqual(await memory.getOrFind('all', find), { json: 'look 1', total: 1 });
  assert.deepEqual(await memory.getOrFind('others', find), { json: 'look 2', total: 1 });
});

/** What must happen after a write for a page to be found anew. */
const foundAnewAfter = async (event: (memory: ReadCache, ask: () => Promise<unknown>) => unknown) => {
  const memory = new ReadCache(reader);
  const find = counted();
  const ask = async () => memory.getOrFind('all', find);
  await ask();
  write();
  assert.deepEqual(await ask(), { json: 'look 1', total: 1 });
  await event(memory, ask);
  assert.deepEqual(await ask(), { json: 'look 2', total: 1 });
};

test('and again once a write was answered', () => foundAnewAfter((memory) => memory.invalidate()));

test('and again in the next turn of the event loop, whoever has written', () => foundAnewAfter(() => turn()));

test('and again after some have asked, however long the turn is', () =>
  foundAnewAfter(async (_, ask) => {
    for (let times = 0; times < 100; times++) await ask();
  }));

test('a page that was found while somebody wrote is not kept', async () => {
  const memory = new ReadCache(reader);
  let looks = 0;
  const find = async () => {
    const json = `look ${++looks}`;
    write();
    await turn();
    // Whoever asks meanwhile sees that something was written.
    await memory.getOrFind('others', counted());
    return { json, total: 1 };
  };
  await memory.getOrFind('all', find);
  assert.deepEqual(await memory.getOrFind('all', find), { json: 'look 2', total: 1 });
});

test('a look at the file that fails is made again by whoever asks next', async () => {
  let fails = false;
  const look = reader.prepare('pragma data_version');
  const get = () => {
    if (fails) throw new Error('the disk fails');
    return look.get();
  };
  const memory = new ReadCache({ prepare: () => ({ get }) } as never);
  const find = counted();
  await memory.getOrFind('all', find);
  write();
  memory.invalidate();
  fails = true;
  assert.throws(() => memory.getOrFind('all', find), /the disk fails/);
  fails = false;
  assert.deepEqual(await memory.getOrFind('all', find), { json: 'look 2', total: 1 });
});

test('a failed look is not kept', async () => {
  const memory = new ReadCache(reader);
  await assert.rejects(async () => memory.getOrFind('fails', async () => Promise.reject(new Error('no'))));
  assert.deepEqual(await memory.getOrFind('fails', counted()), { json: 'look 1', total: 1 });
});

test('what is found at once is answered at once', () => {
  const memory = new ReadCache(reader);
  const page = { json: '', total: 0 };
  assert.equal(
    memory.getOrFind('empty', () => page),
    page,
  );
});
