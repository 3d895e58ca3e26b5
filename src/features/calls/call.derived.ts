import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import type { Key } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { searchable } from '../contacts/contact.store.ts';

/* What lists find calls by and that follows from their results: the normalized text of their summary, and an entry for
 * each goal. */

/** A part of a call: `goals` is a JSON object of booleans. */
type Result = { workspace_id: number; id: string; summary: string | null; goals: string | null };

const setSummary = statement(
  ({ workspace, id, text }: Key & { text: string }) => sql<never>`
    insert into call_summaries (workspace_id, started_at, seq, text)
    select workspace_id, started_at, seq, cast(${text} as text) from calls
    where workspace_id = ${workspace} and id = ${id}
    on conflict (workspace_id, started_at, seq) do update set text = excluded.text`,
);

/** Of calls with the ids of a JSON array. */
export const deleteSummaries = statement(
  ({ workspace, ids }: { workspace: number; ids: string }, dialect) => sql<never>`
    with chosen as materialized (select value from ${dialect.eachText(ids)})
    delete from call_summaries where workspace_id = ${workspace} and (started_at, seq) in (
      select started_at, seq from calls where workspace_id = ${workspace} and id in (select value from chosen))`,
);

type Goals = Key & { goals: string };

const addGoals = statement(
  ({ workspace, id, goals }: Goals, dialect) => sql<never>`
    insert into call_goals (workspace_id, goal, started_at, seq)
    select ${workspace}, value, c.started_at, c.seq from calls as c cross join ${dialect.eachText(goals)}
    where c.workspace_id = ${workspace} and c.id = ${id} on conflict do nothing`,
);

const removeGoals = statement(
  ({ workspace, id, goals }: Goals, dialect) => sql<never>`
    with removed as materialized (select value from ${dialect.eachText(goals)})
    delete from call_goals where workspace_id = ${workspace} and goal in (select value from removed)
    and (started_at, seq) = (select started_at, seq from calls where workspace_id = ${workspace} and id = ${id})`,
);

/** The entries of goals: the key of one that was reached, and `-` with the key of one that was missed. */
const entriesOf = (goals: string | null | undefined): Set<string> =>
  new Set(Object.entries(JSON.parse(goals ?? '{}')).map(([key, reached]) => (reached ? key : `-${key}`)));

/** Updates the derived data of a call that was inserted, or changed from `before`. */
export const updateDerivedOfCall = async (db: Db, after: Result, before?: Result): Promise<void> => {
  const { id, summary } = after;
  const key = { workspace: after.workspace_id, id };
  if (summary !== null && summary !== before?.summary)
    await db.run(setSummary, { ...key, text: searchable(summary) });
  const [was, is] = [entriesOf(before?.goals), entriesOf(after.goals)];
  const [removed, added] = [was.difference(is), is.difference(was)];
  if (removed.size > 0) await db.run(removeGoals, { ...key, goals: JSON.stringify([...removed]) });
  if (added.size > 0) await db.run(addGoals, { ...key, goals: JSON.stringify([...added]) });
};
