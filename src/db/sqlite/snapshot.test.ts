import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSnapshotThread } from './snapshot.ts';

test('A thread that has ended can be closed', { timeout: 10_000 }, async () => {
  const thread = openSnapshotThread(':memory:', 'begin');
  assert.deepEqual(
    (await thread.all<{ one: number }>('select 1 as one')).map(({ one }) => one),
    [1],
  );
  await assert.rejects(thread.all('select no_column'), /no such column/);
  await thread.close();
  await thread.close();
});
