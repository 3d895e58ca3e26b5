import { sql } from 'kysely';
import {
  columnsOf,
  type Key,
  type Keys,
  namesOf,
  number,
  rowsOf,
  text,
  textOrNull,
  typed,
} from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import type { Filter } from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';
import type { MergeStatus } from './merge.schema.ts';

const columns = {
  workspace_id: number,
  id: text,
  survivor_id: text,
  /** A JSON array. */
  other_ids: text,
  status: typed<MergeStatus>(),
  /** JSON of Counts. */
  counts: text,
  created_by: text,
  request_id: textOrNull,
  created_at: text,
  undone_by: textOrNull,
  undone_at: textOrNull,
  /** JSON of UndoResult; null before. */
  undo: textOrNull,
};
export type MergeRow = typeof columns;
const COLUMNS = namesOf(columns);

/** The counter of all merges. */
export const MERGE_COUNTER = 'merges';

const merges = rowsOf<MergeRow & { seq: number }>({ table: 'merges' });
export const insertMerge = merges.insert(COLUMNS, { seq: true });
export const findMerge = merges.find([...COLUMNS, 'seq']);
export const updateMerge = merges.set(['status', 'undone_by', 'undone_at', 'undo']);

const includes: Filter = (
  contact,
  { table, workspace },
) => sql`(${sql.ref(`${table}.survivor_id`)} = ${contact}
  or ${sql.ref(`${table}.id`)} in (select merge_id from merged_contacts where workspace_id = ${workspace} and contact_id = ${contact}))`;

export const mergeList = new List({
  table: 'merges',
  filters: { contact: includes },
  orders: { newest: { ranges: [{}], cap: 10_000 } },
  counter: (conditions) => (conditions.length === 0 ? MERGE_COUNTER : undefined),
});
export const mergeRows = mergeList.view<MergeRow>({ columns: COLUMNS });

/** A merge of some contacts whose calls still move. `keys` is a JSON array of ids. */
export const findInProgress = statement(
  ({ workspace, keys }: Keys, dialect) => sql<MergeRow>`
    select ${columnsOf(COLUMNS)} from merges
    where workspace_id = ${workspace} and status in ('moving', 'undoing')
    and (survivor_id in (select value from ${dialect.eachText(keys)}) or id in (select merge_id from merged_contacts
      where workspace_id = ${workspace} and contact_id in (select value from ${dialect.eachText(keys)})))`,
);

/** The last merge into a contact that was not undone. */
export const findNewest = statement(
  ({ workspace, survivor }: { workspace: number; survivor: string }) => sql<{ id: string }>`
    select id from merges where workspace_id = ${workspace} and survivor_id = ${survivor} and status <> 'undone'
    order by seq desc limit 1`,
);

/** The merges into contacts. */
export const mergesInto = statement(
  ({ workspace, keys }: Keys, dialect) => sql<{ id: string }>`
    select id from merges where workspace_id = ${workspace} and survivor_id in (select value from ${dialect.eachText(keys)})`,
);

const deleteOf = (table: string, column: string) =>
  statement(
    ({ workspace, keys }: Keys, dialect) => sql<never>`
      with gone as materialized (select value from ${dialect.eachText(keys)})
      delete from ${sql.table(table)} where workspace_id = ${workspace} and ${sql.ref(column)} in (select value from gone)`,
  );
export const deleteMerges = deleteOf('merges', 'id');
/** `keys` are the ids of merges. */
export const deleteRecords = deleteOf('merge_records', 'merge_id');

export const recordKinds = [
  'survivor',
  'contact',
  'identities',
  'original',
  'links',
  'enrollments',
  'import_rows',
  'bulk_changes',
  'calls',
] as const;

const recordColumns = {
  workspace_id: number,
  merge_id: text,
  position: number,
  kind: typed<(typeof recordKinds)[number]>(),
  /** Whose it was. */
  contact_id: text,
  /** JSON: a row as it was, or the keys of rows that were moved. */
  former: text,
};
export type RecordRow = typeof recordColumns;

const records = rowsOf<RecordRow>({ table: 'merge_records' });
const RECORD_COLUMNS = namesOf(recordColumns);
const BY_MERGE = { by: { merge: 'merge_id' } } as const;

export const insertRecord = statement(
  (row: Omit<RecordRow, 'position'>) => sql<never>`
    insert into merge_records (workspace_id, merge_id, position, kind, contact_id, former)
    select ${row.workspace_id}, ${row.merge_id}, coalesce(max(position), 0) + 1, ${row.kind}, ${row.contact_id}, ${row.former}
    from merge_records where workspace_id = ${row.workspace_id} and merge_id = ${row.merge_id}`,
);
/** All but those of calls, of which a merge can have many. */
export const listRecords = records.find(RECORD_COLUMNS, {
  ...BY_MERGE,
  where: sql`kind <> 'calls'`,
  order: sql`position`,
});
export const findCallRecord = statement(
  ({ workspace, id }: Key) => sql<RecordRow>`
    select ${columnsOf(RECORD_COLUMNS)} from merge_records
    where workspace_id = ${workspace} and merge_id = ${id} and kind = 'calls' order by position limit 1`,
);
/** Those with a row of a contact. */
export const contactRecords = statement(
  ({ workspace }: { workspace: number }) => sql<RecordRow>`
    select ${columnsOf(RECORD_COLUMNS)} from merge_records where workspace_id = ${workspace} and kind in ('survivor', 'contact')`,
);
export const setFormer = records.set(['former'], { by: { merge: 'merge_id', position: 'position' } });
export const deleteRecord = records.removeBy({ by: { merge: 'merge_id', position: 'position' } });
