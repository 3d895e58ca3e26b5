import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { openStorage } from '../../src/db/open/open.ts';
import { createWorkspace } from '../../src/features/workspaces/workspace.service.ts';
import { databaseFor } from '../kit/service/scoped-resources.ts';

const THREAD = new URL('../../src/wiring/sqlite-thread.ts', import.meta.url);

/** The number of frames in the write-ahead log, and the positions that readers have noted, from SQLite's shared memory
 *  (https://www.sqlite.org/walformat.html#the_wal_index_file_format). */
const readSharedMemory = (path: string) => {
  const numbers = new Uint32Array(new Uint8Array(readFileSync(`${path}-shm`).subarray(0, 120)).buffer);
  return { frames: numbers[4] as number, marks: [...numbers.subarray(26, 30)] };
};

describe('SQLite read marks', () => {
  it('After a commit, a read of another thread has nothing to write, which would block it on a stalled disk', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const path = database.database.engine === 'sqlite' ? database.database.path : '';
    const storage = await openStorage(database.database, { thread: THREAD, onFault: assert.ifError });
    test.after(() => storage.close());
    for (const name of ['one', 'two', 'three']) {
      await storage.run(createWorkspace, null, { name });
      const { frames, marks } = readSharedMemory(path);
      assert.ok(frames > 0);
      assert.ok(marks.includes(frames), `${marks} has ${frames}`);
    }
  });
});
