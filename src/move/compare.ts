import type { MoveTarget } from './database.ts';
import type { MoveSource } from './open.ts';
import { digestOf, selectMoved } from './tables.ts';

/** Compares the number of rows and the digest of each table. `same` says whether the target has the same rows. */
export const compareTables = async (
  source: MoveSource,
  target: MoveTarget,
  onProgress: (done: number, total: number) => void,
) => {
  const results = [];
  let done = 0;
  for (const table of source.all) {
    const sql = selectMoved(table);
    const expected = await digestOf(source.select(sql), (count) => {
      done += count;
      onProgress(done, source.total);
    });
    const stored = await digestOf(target.select(sql));
    const same = expected.rows === stored.rows && expected.digest === stored.digest;
    results.push({ table: table.name, ...expected, same });
  }
  return results;
};

export type TableComparison = Awaited<ReturnType<typeof compareTables>>[number];
