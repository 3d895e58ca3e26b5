import { type RawBuilder, sql } from 'kysely';
import type { Pending } from '../kernel/pending.ts';
import { statementsOver } from './statement.ts';
import type { Db } from './storage.ts';

/** How many records a list has, kept beside the records in the same transaction. A count is the sum of its parts: the
 *  embedded engine has one writer and one part; on PostgreSQL each connection adds to a part of its own, so that
 *  creates at the same moment do not queue for one row. */
interface TallyRow {
  workspace_id: number;
  list: string;
  part: number;
  count: number;
}

const statement = statementsOver<{ tallies: TallyRow }>();

/** Some lists of a workspace; their names are a JSON array. */
type Lists = { workspace: number; lists: string };

/** Changes are a JSON object from the name of a list to what is added to it. */
const addTo = statement(
  (_, { workspace, changes }: { workspace: number; changes: string }, can) =>
    sql<never>`insert into tallies (workspace_id, list, part, count)
      select ${workspace}, key, ${can.tallyPart()}, cast(value as bigint) from ${can.eachEntry(changes)} where true
      on conflict (workspace_id, list, part) do update set count = tallies.count + excluded.count`,
);

/** A list that nobody is on leaves no row: its name may be the last trace of a deleted contact's tag. Rows whose sum is
 *  zero can go without changing any count; those that another transaction is changing are left to it. */
const dropEmpty = statement(
  (_, { workspace, lists }: Lists, can) =>
    sql<never>`with empty as (
        select list from tallies where workspace_id = ${workspace} and list in (select value from ${can.eachText(lists)})
        group by list having sum(count) = 0
      ), free as (
        select list, part, count from tallies where workspace_id = ${workspace} and list in (select list from empty)
        ${can.lockFreeRows()}
      )
      delete from tallies where workspace_id = ${workspace} and (list, part) in (
        select list, part from free where list in (select list from free group by list having sum(count) = 0)
      )`,
);

/** What is added to which lists. */
export class TallyChanges {
  readonly #changes = new Map<string, number>();

  add(lists: Iterable<string>, by: number): this {
    for (const list of lists) this.#changes.set(list, (this.#changes.get(list) ?? 0) + by);
    return this;
  }

  /** Writes the changes down, each list once. */
  async apply(db: Db, workspace: number): Promise<void> {
    const changed = [...this.#changes].filter(([, by]) => by !== 0);
    if (changed.length === 0) return;
    await db.run(addTo, { workspace, changes: JSON.stringify(Object.fromEntries(changed)) });
    const fallen = changed.filter(([, by]) => by < 0).map(([list]) => list);
    if (fallen.length > 0) await db.run(dropEmpty, { workspace, lists: JSON.stringify(fallen) });
  }
}

/** Adds to the counts of some lists of a workspace. */
export const tally = (db: Db, workspace: number, lists: readonly string[], by: number): Promise<void> =>
  new TallyChanges().add(lists, by).apply(db, workspace);

/** The count of a list, inside a statement. */
export const totalOf = (workspace: number, list: string): RawBuilder<number> =>
  sql`(select cast(coalesce(sum(count), 0) as bigint) from tallies where workspace_id = ${workspace} and list = ${list})`;

const sums = statement(
  (_, { workspace, lists }: Lists, can) => sql<{ list: string; count: number }>`
    select list, cast(sum(count) as bigint) as count from tallies
    where workspace_id = ${workspace} and list in (select value from ${can.eachText(lists)}) group by list`,
);

/** The counts of several lists at once; a list that nobody is on is not among them. */
export const totalsOf = async (
  db: Db,
  workspace: number,
  lists: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await db.all(sums, { workspace, lists: JSON.stringify(lists) });
  return new Map(rows.map(({ list, count }) => [list, count]));
};

const fullest = statement(
  (
    _,
    {
      workspace,
      prefix,
      length,
      limit,
    }: { workspace: number; prefix: string; length: number; limit: number },
  ) => sql<{
    list: string;
    count: number;
  }>`
    select list, cast(sum(count) as bigint) as count from tallies
    where workspace_id = ${workspace} and substr(list, 1, ${length}) = ${prefix}
    group by list having sum(count) > 0 order by sum(count) desc limit ${limit}`,
);

/** The fullest lists of a workspace whose names begin with a prefix. Looks at the kept counts of the workspace, all of
 *  them, and at none of its records. */
export const fullestOf = (
  db: Db,
  workspace: number,
  { prefix, limit }: { prefix: string; limit: number },
): Pending<{ list: string; count: number }[]> =>
  db.all(fullest, { workspace, prefix, length: prefix.length, limit });
