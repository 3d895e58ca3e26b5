import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import type { SqlDialect } from '../../db/dialect.ts';
import type { Key } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { searchable } from '../contacts/contact.store.ts';

/* What lists find calls by and that follows from them: the normalized texts that a search reads, and an entry for each goal and tag. */

/** A part of a call: `goals` is a JSON object of booleans, and `tags` an array. */
type Source = {
  workspace_id: number;
  id: string;
  summary: string | null;
  note: string | null;
  goals: string | null;
  tags: string | null;
};

/** `ids` is a JSON array of the ids of calls. */
type Calls = { workspace: number; ids: string };

const setText = statement(
  ({ workspace, id, text }: Key & { text: string }) => sql<never>`
    insert into call_texts (workspace_id, started_at, seq, size, text, transcript)
    select workspace_id, started_at, seq, 0, cast(${text} as text), '' from calls
    where workspace_id = ${workspace} and id = ${id}
    on conflict (workspace_id, started_at, seq) do update set text = excluded.text`,
);

const setTranscript = statement(
  ({ workspace, id, text }: Key & { text: string }) => sql<never>`
    insert into call_texts (workspace_id, started_at, seq, size, text, transcript)
    select workspace_id, started_at, seq, length(cast(${text} as text)), '', cast(${text} as text) from calls
    where workspace_id = ${workspace} and id = ${id}
    on conflict (workspace_id, started_at, seq) do update set size = excluded.size, transcript = excluded.transcript`,
);

/** A search finds the call by what was said. */
export const indexTranscript = (db: Db, { turns, ...call }: Key & { turns: readonly { text: string }[] }) =>
  db.run(setTranscript, { ...call, text: searchable(turns.map(({ text }) => text).join('\n')) });

const ofCalls = (change: RawBuilder<unknown>, { workspace, ids }: Calls, dialect: SqlDialect) => sql<never>`
  with chosen as materialized (select value from ${dialect.eachText(ids)})
  ${change} where workspace_id = ${workspace} and (started_at, seq) in (
    select started_at, seq from calls where workspace_id = ${workspace} and id in (select value from chosen))`;

export const clearTranscripts = statement((calls: Calls, dialect) =>
  ofCalls(sql`update call_texts set size = 0, transcript = ''`, calls, dialect),
);
export const deleteTexts = statement((calls: Calls, dialect) =>
  ofCalls(sql`delete from call_texts`, calls, dialect),
);

/** The statements of a table with entries of calls, and the column that names an entry. */
const entriesIn = (table: string, name: string) => {
  const [entries, column] = [sql.table(table), sql.ref(name)];
  return {
    add: statement(
      ({ workspace, id, keys }: Key & { keys: string }, dialect) => sql<never>`
        insert into ${entries} (workspace_id, ${column}, started_at, seq)
        select ${workspace}, value, c.started_at, c.seq from calls as c cross join ${dialect.eachText(keys)}
        where c.workspace_id = ${workspace} and c.id = ${id} on conflict do nothing`,
    ),
    remove: statement(
      ({ workspace, id, keys }: Key & { keys: string }, dialect) => sql<never>`
        with removed as materialized (select value from ${dialect.eachText(keys)})
        delete from ${entries} where workspace_id = ${workspace} and ${column} in (select value from removed)
        and (started_at, seq) = (select started_at, seq from calls where workspace_id = ${workspace} and id = ${id})`,
    ),
  };
};

const goalEntries = entriesIn('call_goals', 'goal');
const tagEntries = entriesIn('call_tags', 'tag');

export const deleteTags = (
  db: Db,
  workspace: number,
  calls: readonly Pick<Source, 'id' | 'tags'>[],
): MaybePromise<unknown> =>
  db.each(
    tagEntries.remove,
    calls.flatMap(({ id, tags: keys }) => (keys === null ? [] : [{ workspace, id, keys }])),
  );

/** The entries of goals: the key of one that was reached, and `-` with the key of one that was missed. */
const goalsOf = ({ goals }: Partial<Source> = {}): Set<string> =>
  new Set(Object.entries(JSON.parse(goals ?? '{}')).map(([key, reached]) => (reached ? key : `-${key}`)));
const tagsOf = ({ tags }: Partial<Source> = {}): Set<string> => new Set(JSON.parse(tags ?? '[]'));

const textOf = ({ summary = null, note = null }: Partial<Source> = {}): string =>
  searchable([summary, note].filter((text) => text !== null).join('\n'));

/** Updates the derived data of a call that was inserted, or changed from `before`. */
export const updateDerivedOfCall = async (
  db: Db,
  after: Partial<Source> & Pick<Source, 'workspace_id' | 'id'>,
  before?: Partial<Source>,
): Promise<void> => {
  const key = { workspace: after.workspace_id, id: after.id };
  const text = textOf(after);
  if (text !== textOf(before)) await db.run(setText, { ...key, text });
  for (const [entries, was, is] of [
    [goalEntries, goalsOf(before), goalsOf(after)],
    [tagEntries, tagsOf(before), tagsOf(after)],
  ] as const) {
    const [removed, added] = [was.difference(is), is.difference(was)];
    if (removed.size > 0) await db.run(entries.remove, { ...key, keys: JSON.stringify([...removed]) });
    if (added.size > 0) await db.run(entries.add, { ...key, keys: JSON.stringify([...added]) });
  }
};
