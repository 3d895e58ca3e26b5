import { type Batches, type MoveTarget, readRecord, recording } from './database.ts';
import type { MoveSource } from './open.ts';
import { keyOf, type MovedTable, type Row, selectInOrder } from './tables.ts';

/** The record of a table. */
interface TableProgress {
  readonly rows: number;
  /** The key of the last row; undefined if the table is complete. */
  readonly after?: Row;
}

/** Copies the rows of a table that are not recorded yet. While the target writes a batch, the next one is read. A table
 *  without a key is copied in one transaction. */
const copyTable = async (
  source: MoveSource,
  target: MoveTarget,
  table: MovedTable,
  { recorded, onRows }: { recorded: string | undefined; onRows: (count: number) => void },
): Promise<void> => {
  const progress = recorded === undefined ? undefined : (JSON.parse(recorded) as TableProgress);
  onRows(progress?.rows ?? 0);
  if (progress && !progress.after) return;
  let pending = Promise.resolve();
  const write = async (batches: Batches, written: TableProgress): Promise<void> => {
    await pending;
    pending = target.write(table, batches, recording(target, table.name, JSON.stringify(written)));
    // Who waits for it next gets its error.
    pending.catch(() => {});
  };
  const batches = source.select(selectInOrder(table, progress?.after, source.quote));
  const count = source.counts.get(table.name) ?? 0;
  if (table.key.length === 0) {
    await write(batches, { rows: count });
    onRows(count);
  } else {
    let rows = progress?.rows ?? 0;
    for await (const batch of batches) {
      rows += batch.length;
      await write([batch], { rows, after: keyOf(table, batch.at(-1) as Row) });
      onRows(batch.length);
    }
    await write([], { rows });
  }
  await pending;
};

/** The rows that earlier processes of this move have copied. */
export const countCopied = async (target: MoveTarget): Promise<number> =>
  [...((await readRecord(target)) ?? [])].reduce((sum, [, value]) => sum + (JSON.parse(value).rows ?? 0), 0);

/** Copies all tables, except what is already in the target. */
export const copyTables = async (
  source: MoveSource,
  target: MoveTarget,
  onProgress: (done: number, total: number) => void,
): Promise<void> => {
  const recorded = (await readRecord(target)) ?? new Map<string, string>();
  let done = 0;
  for (const table of source.all)
    await copyTable(source, target, table, {
      recorded: recorded.get(table.name),
      onRows: (count) => {
        done += count;
        onProgress(done, source.total);
      },
    });
};
