import { sql } from 'kysely';
import { columnsOf, namesOf, number, rowsOf, text, textOrNull } from '../db/rows.ts';
import { derivedStatement } from '../db/statement.ts';

/** One change: who did what to which record. It has ids, fields and counts, and nothing about contacts but their ids. */
const columns = {
  workspace_id: number,
  at: text,
  actor: text,
  action: text,
  /** The changed record; null for several records or the workspace itself. */
  subject: textOrNull,
  /** The record that the subject is a part of: the agent of a version, the campaign of an enrollment. */
  parent: textOrNull,
  /** JSON: a list of names, or an object with `names` and some of their values, `before` and `after`. */
  fields: textOrNull,
  /** A JSON object. */
  counts: textOrNull,
  request_id: textOrNull,
  /** The interface of the change, if it is not the usual one of the actor. */
  via: textOrNull,
};
export type EntryRow = typeof columns;

type StoredEntry = EntryRow & { seq: number };

const entries = rowsOf<StoredEntry>({ table: 'audit_entries', readsDerived: true });

export const ENTRY_COLUMNS = namesOf(columns);

export const insertEntry = derivedStatement(
  (row: EntryRow, dialect) => sql<{ seq: number }>`
    insert into audit_entries (${columnsOf([...ENTRY_COLUMNS, 'seq'])})
    values (${sql.join(ENTRY_COLUMNS.map((column) => row[column]))}, ${dialect.nextSeq('audit_entries', row.workspace_id)})
    returning seq`,
);

export const insertEntries = rowsOf<EntryRow>({ table: 'audit_entries', readsDerived: true }).insertAll(
  ENTRY_COLUMNS,
  (dialect, workspace) => dialect.nextSeqOfEach('audit_entries', workspace),
);

export const setCounts = entries.set(['counts'], { by: { seq: 'seq' } });
export const findActor = entries.find(['actor'], { by: { entry: 'seq' } });

/** The newest claim of a campaign, from the index `audit_entries_of_claims`. */
export const findLastClaim = derivedStatement(
  ({ workspace, campaign }: { workspace: number; campaign: string }) => sql<Pick<EntryRow, 'at' | 'actor'>>`
    select at, actor from audit_entries where workspace_id = ${workspace} and seq = (
      select max(seq) from audit_entries
      where workspace_id = ${workspace} and parent = ${campaign} and action = 'enrollment.claimed')`,
);

export const deleteBefore = entries.removeExpired('seq');
