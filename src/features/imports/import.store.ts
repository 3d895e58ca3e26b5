import { sql } from 'kysely';
import { columnsOf, type Key, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import type { ImportState } from './import.schema.ts';

/** What steps change. */
const progress = {
  state: typed<ImportState>(),
  /** JSON: row counts by verdict and effect. */
  totals: text,
  /** JSON: row counts by reason. */
  reasons: text,
  progress: number,
  updated_at: text,
  applied_at: textOrNull,
  /** The audit entry of the last started job; each step updates its counts. */
  entry: typed<number | null>(),
  /** What the stored rows take; 0 after they were deleted. */
  stored_bytes: number,
};
const columns = {
  workspace_id: number,
  id: text,
  name: text,
  /** JSON of ImportOptions. */
  options: text,
  /** JSON of the columns with their fields, without samples: these are read from the rows. */
  columns: text,
  /** JSON of FileFormat; null for imports that are older than this column. */
  file: textOrNull,
  created_by: text,
  created_at: text,
  ...progress,
};
export type ImportRecord = typeof columns;

const PROGRESS_COLUMNS = namesOf(progress);
const COLUMNS = namesOf(columns);

const rows = rowsOf<ImportRecord>({ table: 'imports' });

export const insertImport = rows.insert(COLUMNS, { seq: true });
export const updateImport = rows.set(PROGRESS_COLUMNS);
export const setPlan = rows.set(['options', 'columns', 'file']);
/** Also finds an import that is being deleted. */
export const selectImportForUpdate = rows.lock(COLUMNS);
export const deleteImport = rows.remove;

/** The sum over all imports whose rows are stored. */
export const storedBytes = statement(
  ({ workspace }: { workspace: number }) => sql<{ bytes: number }>`
    select cast(coalesce(sum(stored_bytes), 0) as bigint) as bytes from imports
    where workspace_id = ${workspace} and stored_bytes > 0`,
);

/** With the email of the user who uploaded it; null for the command line and for a removed user. */
export type ImportWithEmail = ImportRecord & { created_by_email: string | null };

const selectImports = sql`select ${columnsOf(COLUMNS, 'i')}, u.email as created_by_email
  from imports as i left join users as u on u.id = i.created_by and u.workspace_id = i.workspace_id`;

export const findImport = statement(
  ({ workspace, id }: Key) =>
    sql<ImportWithEmail>`${selectImports} where i.workspace_id = ${workspace} and i.id = ${id} and i.state <> 'deleting'`,
);

export const listImports = statement(
  (page: { workspace: number; limit: number; offset: number }) => sql<ImportWithEmail>`
    ${selectImports} where i.workspace_id = ${page.workspace} and i.state <> 'deleting'
    order by i.seq desc limit ${page.limit} offset ${page.offset}`,
);

export const countImports = rows.count({ by: {}, where: sql`state <> 'deleting'` });

/** What the progress of the newest imports is. */
export const findProgress = statement(
  ({ workspace, limit }: { workspace: number; limit: number }) => sql<object>`
    select id, state, progress, updated_at from imports where workspace_id = ${workspace}
    order by seq desc limit ${limit}`,
);
