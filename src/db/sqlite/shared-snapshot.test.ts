import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openFile } from './connection.ts';
import { SharedSnapshot } from './shared-snapshot.ts';

const folder = mkdtempSync(join(tmpdir(), 'roster-shared-snapshot-'));
const path = join(folder, 'roster.db');
const writer = openFile(path);
writer.exec('create table people (name text)');
const reader = openFile(path, { readOnly: true });
const count = reader.prepare('select count(*) as count from people');
const write = () => writer.exec(`insert into people values ('Ada')`);

after(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

test('Reads of one turn see one snapshot, and those of the next turn see later writes', async () => {
  const snapshot = new SharedSnapshot(reader);
  const read = () => {
    const version = snapshot.enter();
    return { version, count: Number(count.get()?.count) };
  };
  const before = read();
  write();
  assert.deepEqual(read(), before);
  await turn();
  const afterTurn = read();
  assert.equal(afterTurn.count, before.count + 1);
  assert.notEqual(afterTurn.version, before.version);
  write();
  snapshot.leave();
  assert.equal(read().count, before.count + 2);
});

test('A snapshot ends with its turn, so it does not delay a checkpoint', async () => {
  const snapshot = new SharedSnapshot(reader);
  snapshot.enter();
  assert.equal(reader.isTransaction, true);
  await turn();
  assert.equal(reader.isTransaction, false);
  write();
  const [busy] = Object.values(writer.prepare('pragma wal_checkpoint(truncate)').get() ?? {});
  assert.equal(busy, 0);
});

test('A snapshot can be left after its file was closed', () => {
  const file = openFile(path, { readOnly: true });
  const snapshot = new SharedSnapshot(file);
  snapshot.enter();
  file.close();
  snapshot.leave();
});
