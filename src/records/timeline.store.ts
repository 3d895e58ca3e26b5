import { sql } from 'kysely';
import { columnsOf, namesOf, number, rowsOf, text, textOrNull, typed } from '../db/rows.ts';
import { derivedStatement } from '../db/statement.ts';
import type { Action } from './actions.ts';

/** Calls are in their own table. */
export const changeKinds = ['edit', 'tag', 'import', 'enrollment'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const changeActions = [
  'contact.updated',
  'enrollment.created',
  'enrollment.claimed',
  'enrollment.updated',
  'enrollment.deleted',
] as const satisfies readonly Action[];
export type ChangeAction = (typeof changeActions)[number];

/** One change of a contact or of its enrollments. It is deleted with the contact, whose values it has. */
const columns = {
  workspace_id: number,
  contact_id: text,
  kind: typed<ChangeKind>(),
  at: text,
  id: text,
  action: typed<ChangeAction>(),
  /** Null for enrollments that an earlier version recorded. */
  actor: textOrNull,
  request_id: textOrNull,
  campaign_id: textOrNull,
  /** JSON of TimelineDetails. */
  details: textOrNull,
};
export type ChangeRow = typeof columns;

const changes = rowsOf<ChangeRow>({ table: 'contact_changes', readsDerived: true });

const COLUMNS = namesOf(columns);

export const insertChanges = changes.insertAll(COLUMNS);
export const deleteChanges = changes.removeBy({ by: { contact: 'contact_id' } });
export const changesWithValues = changes.findMany(
  ['workspace_id', 'contact_id', 'kind', 'at', 'id', 'details'],
  'contact_id',
  sql`and details like '%"before":{%'`,
);
export const setDetails = changes.set(['details'], {
  by: { contact: 'contact_id', kind: 'kind', at: 'at', id: 'id' },
});
export const deleteChangesBefore = changes.removeOldest('contact_id', 'kind', 'at', 'id');

/** Which contacts not only `actor` has edited after a time. A change whose record has expired may be by anyone. `contacts` is a JSON
 *  array of objects with `id` and `since`. */
export const changedByOthers = derivedStatement(
  (args: { workspace: number; contacts: string; actor: string }, dialect) => {
    const later = sql`contact_changes where workspace_id = ${args.workspace} and contact_id = value ->> 'id'
      and ${dialect.withinRange(sql`at > value ->> 'since'`)} and action = 'contact.updated'`;
    return sql<{ id: string }>`select value ->> 'id' as id from ${dialect.eachObject(args.contacts)}
      where not exists (select 1 from ${later})
      or exists (select 1 from ${later} and coalesce(actor, '') <> ${args.actor})`;
  },
);

export type ChangeRange = {
  workspace: number;
  contact: string;
  kind: string;
  /** The position after which the page begins. */
  at: string;
  id: string;
  limit: number;
};

/** Newest first. */
export const listChanges = derivedStatement(
  ({ workspace, contact, kind, at, id, limit }: ChangeRange) => sql<ChangeRow>`
    select ${columnsOf(COLUMNS)} from contact_changes
    where workspace_id = ${workspace} and contact_id = ${contact} and kind = ${kind} and (at, id) < (${at}, ${id})
    order by at desc, id desc limit ${limit}`,
);
