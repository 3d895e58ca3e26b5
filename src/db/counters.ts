import { type RawBuilder, sql } from 'kysely';
import { chain, type MaybePromise } from '../lib/maybe-promise.ts';
import type { Db, DerivedTable } from './db.ts';
import { type NamedChange, sumByName } from './deferred-writes.ts';
import { derivedStatement } from './statement.ts';

/* The number of records in a list, updated in the transactions that change the records. A counter is the sum of its parts.
 * SQLite has one part. On PostgreSQL each connection adds to its own part, so that concurrent creates do not wait for one
 * row. */

/** `lists` is a JSON array of names. */
type Lists = { workspace: number; lists: string };
type ListCount = { list: string; count: number };

/** `changes` is a JSON object that maps the name of a list to the number to add. */
const addTo = derivedStatement(
  ({ workspace, changes }: { workspace: number; changes: string }, dialect) =>
    sql<never>`insert into tallies (workspace_id, list, part, count)
      select ${workspace}, key, ${dialect.counterPart()}, cast(value as bigint) from ${dialect.eachEntry(changes)} where true
      on conflict (workspace_id, list, part) do update set count = tallies.count + excluded.count`,
);

/** Deletes counters of empty lists, because a name can contain the tag of a deleted contact. Skips locked rows: the
 *  transaction that holds the lock deletes them. */
const dropEmpty = derivedStatement(
  ({ workspace, lists }: Lists, dialect) =>
    sql<never>`with empty as (
        select list from tallies where workspace_id = ${workspace} and list in (select value from ${dialect.eachText(lists)})
        group by list having sum(count) = 0
      ), free as (
        select list, part, count from tallies where workspace_id = ${workspace} and list in (select list from empty)
        ${dialect.lockUnlockedRows()}
      )
      delete from tallies where workspace_id = ${workspace} and (list, part) in (
        select list, part from free where list in (select list from free group by list having sum(count) = 0)
      )`,
);

/** Writes the JSON of an entry as text: building an object of a thousand names takes ten times as long. */
const entryOf = ([list, by]: readonly [string, number]) => `${JSON.stringify(list)}:${by}`;

/** Dropping locks parts of other connections. If a transaction waited for a lock after that, it could be part of a deadlock. */
const decreased: DerivedTable<Omit<NamedChange, 'by'>> = {
  isLast: true,
  write: (db, changes) =>
    [...Map.groupBy(changes, ({ workspace }) => workspace)].map(([workspace, some]) => {
      const lists = [...new Set(some.map(({ name }) => name))];
      return db.run(dropEmpty, { workspace, lists: JSON.stringify(lists) });
    }),
};

export const addToCounters = (
  db: Db,
  workspace: number,
  sums: readonly (readonly [list: string, by: number])[],
): MaybePromise<unknown>[] => {
  const changed = sums.filter(([, by]) => by !== 0);
  for (const [name, by] of changed) if (by < 0) db.defer(decreased, { workspace, name });
  return changed.length > 0 ? [db.run(addTo, { workspace, changes: `{${changed.map(entryOf)}}` })] : [];
};

const counters: DerivedTable<NamedChange> = {
  write: (db, changes) =>
    sumByName(changes).flatMap(([workspace, sums]) => addToCounters(db, workspace, sums)),
};

/** Adds to counters when the transaction ends. */
export const count = (db: Db, workspace: number, lists: Iterable<string>, by: number): void => {
  for (const name of lists) db.defer(counters, { workspace, name, by });
};

/** The value of a counter, as an SQL expression. */
export const counterSum = (workspace: number, list: string | RawBuilder<string>): RawBuilder<number> =>
  sql`(select cast(coalesce(sum(count), 0) as bigint) from tallies where workspace_id = ${workspace} and list = ${list})`;

const single = derivedStatement(
  ({ workspace, list }: { workspace: number; list: string }) =>
    sql<{ count: number }>`select ${counterSum(workspace, list)} as count`,
);

export const readCounter = (db: Db, workspace: number, list: string): MaybePromise<number> =>
  chain(db.get(single, { workspace, list }), (row) => row?.count ?? 0);

const sums = derivedStatement(
  ({ workspace, lists }: Lists, dialect) => sql<ListCount>`
    select list, cast(sum(count) as bigint) as count from tallies
    where workspace_id = ${workspace} and list in (select value from ${dialect.eachText(lists)}) group by list`,
);

/** Empty lists are missing from the result. */
export const readCounters = (
  db: Db,
  workspace: number,
  lists: readonly string[],
): MaybePromise<Map<string, number>> =>
  chain(
    db.all(sums, { workspace, lists: JSON.stringify(lists) }),
    (rows) => new Map(rows.map(({ list, count }) => [list, count])),
  );

/** The exclusive upper bound of all names with a prefix. Both engines order names by code point. */
export const prefixEnd = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

type Range = { workspace: number; from: string; end: string };

const largest = derivedStatement(
  ({ workspace, from, end, limit }: Range & { limit: number }) => sql<ListCount>`
    select list, cast(sum(count) as bigint) as count from tallies
    where workspace_id = ${workspace} and list >= ${from} and list < ${end}
    group by list having sum(count) > 0 order by sum(count) desc limit ${limit}`,
);

/** The largest lists of a workspace whose names begin with a prefix. */
export const largestCounters = (
  db: Db,
  workspace: number,
  { prefix, limit }: { prefix: string; limit: number },
): MaybePromise<ListCount[]> => db.all(largest, { workspace, from: prefix, end: prefixEnd(prefix), limit });

const inRange = derivedStatement(
  ({ workspace, from, end }: Range) => sql<ListCount>`
    select list, cast(sum(count) as bigint) as count from tallies
    where workspace_id = ${workspace} and list >= ${from} and list < ${end} group by list`,
);

/** The lists of a workspace whose names are from `from` to before `end`. */
export const countersInRange = (db: Db, range: Range): MaybePromise<ListCount[]> => db.all(inRange, range);

const deleteSome = derivedStatement(
  ({ workspace, from, end }: Range) => sql<never>`
    delete from tallies where workspace_id = ${workspace} and list >= ${from} and list < ${end}`,
);

/** Deletes the counters of a deleted record. No transaction changes them after the deletion. */
export const deleteCounters = (db: Db, workspace: number, prefix: string): MaybePromise<number> =>
  db.run(deleteSome, { workspace, from: prefix, end: prefixEnd(prefix) });
