import { type RawBuilder, sql } from 'kysely';
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

const addTo = statement(
  (_, { workspace, lists, by }: Lists & { by: number }, can) =>
    sql<never>`insert into tallies (workspace_id, list, part, count)
      select ${workspace}, value, ${can.tallyPart()}, ${by} from ${can.eachText(lists)} where true
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

/** Adds to the counts of some lists of a workspace. */
export const tally = async (
  db: Db,
  workspace: number,
  lists: readonly string[],
  by: 1 | -1,
): Promise<void> => {
  if (lists.length === 0) return;
  const change = { workspace, lists: JSON.stringify(lists), by };
  await db.run(addTo, change);
  if (by < 0) await db.run(dropEmpty, change);
};

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
