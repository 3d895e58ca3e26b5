import type { MoveTarget } from './database.ts';
import { digestOf } from './digest.ts';
import type { MoveSource } from './open.ts';
import { selectCompared } from './tables.ts';

/** Compares the number of rows and the digest of each table. `same` says whether the target has the same rows. */
export const compareTables = async (
  source: MoveSource,
  target: MoveTarget,
  onProgress: (done: number, total: number) => void,
) => {
  const results = [];
  let done = 0;
  for (const table of source.all) {
    const sql = selectCompared(table);
    const expected = await digestOf(source.select(sql), (count) => {
      done += count;
      onProgress(done, source.total);
    });
    const stored = await digestOf(target.select(sql));
    const same = expected.rows === stored.rows && expected.digest === stored.digest;
    results.push({ table: table.name, ...expected, same });
  }
  // The counters of the search are copied, but not compared.
  if (done !== source.total) onProgress(source.total, source.total);
  return results;
};

export type TableComparison = Awaited<ReturnType<typeof compareTables>>[number];
