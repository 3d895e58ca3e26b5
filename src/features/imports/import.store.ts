import { sql } from 'kysely';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { ImportState } from './import.schema.ts';

export type ImportRecord = {
  workspace_id: number;
  id: string;
  name: string;
  state: ImportState;
  /** JSON of ImportOptions. */
  options: string;
  /** JSON of the columns with their fields, without samples: these are read from the rows. */
  columns: string;
  /** JSON of FileFormat; null for imports that are older than this column. */
  file: string | null;
  /** JSON: row counts by verdict and effect. */
  totals: string;
  /** JSON: row counts by reason. */
  reasons: string;
  progress: number;
  created_by: string;
  created_at: string;
  updated_at: string;
  applied_at: string | null;
  /** The audit entry of the last started job; each step updates its counts. */
  entry: number | null;
  /** What the stored rows take; 0 after they were deleted. */
  stored_bytes: number;
};

type Tables = { imports: ImportRecord & { seq: number } };

const statement = statementsOver<Tables>();

export type Key = { workspace: number; id: string };

const COLUMNS = [
  'workspace_id',
  'id',
  'name',
  'state',
  'options',
  'columns',
  'file',
  'totals',
  'reasons',
  'progress',
  'created_by',
  'created_at',
  'updated_at',
  'applied_at',
  'entry',
  'stored_bytes',
] as const;

export const insertImport = statement((query, row: ImportRecord, dialect) =>
  query
    .insertInto('imports')
    .values({ ...pickColumns(row, COLUMNS), seq: dialect.nextSeq('imports', row.workspace_id) }),
);

export const updateImport = statement((query, row: ImportRecord) =>
  query
    .updateTable('imports')
    .set(
      pickColumns(row, [
        'state',
        'totals',
        'reasons',
        'progress',
        'updated_at',
        'applied_at',
        'entry',
        'stored_bytes',
      ]),
    )
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id),
);

export const setOptionsAndColumns = statement((query, row: Key & Pick<ImportRecord, 'options' | 'columns'>) =>
  query
    .updateTable('imports')
    .set({ options: row.options, columns: row.columns })
    .where('workspace_id', '=', row.workspace)
    .where('id', '=', row.id),
);

/** The sum over all imports whose rows are stored. */
export const storedBytes = statement(
  (_, { workspace }: { workspace: number }) => sql<{ bytes: number }>`
    select cast(coalesce(sum(stored_bytes), 0) as bigint) as bytes from imports
    where workspace_id = ${workspace} and stored_bytes > 0`,
);

export const setFile = statement((query, row: Key & { file: string }) =>
  query
    .updateTable('imports')
    .set({ file: row.file })
    .where('workspace_id', '=', row.workspace)
    .where('id', '=', row.id),
);

/** Also finds an import that is being deleted. */
export const selectImportForUpdate = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('imports')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(dialect.lockRow()),
);

/** With the email of the user who uploaded it; null for the command line and for a removed user. */
export type ImportWithEmail = ImportRecord & { created_by_email: string | null };

const selectImports = sql`select ${sql.join(COLUMNS.map((column) => sql.ref(`i.${column}`)))}, u.email as created_by_email
  from imports as i left join users as u on u.id = i.created_by and u.workspace_id = i.workspace_id`;

export const findImport = statement(
  (_, { workspace, id }: Key) =>
    sql<ImportWithEmail>`${selectImports} where i.workspace_id = ${workspace} and i.id = ${id} and i.state <> 'deleting'`,
);

export const findProgress = statement((query, { workspace, id }: Key) =>
  query
    .selectFrom('imports')
    .select(['state', 'progress', 'totals'])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('state', '<>', sql.lit('deleting')),
);

export const listImports = statement(
  (
    _,
    { workspace, limit, offset }: { workspace: number; limit: number; offset: number },
  ) => sql<ImportWithEmail>`
    ${selectImports} where i.workspace_id = ${workspace} and i.state <> 'deleting'
    order by i.seq desc limit ${limit} offset ${offset}`,
);

export const countImports = statement(
  (_, { workspace }: { workspace: number }) =>
    sql<{
      count: number;
    }>`select count(*) as count from imports where workspace_id = ${workspace} and state <> 'deleting'`,
);

export const deleteImport = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('imports').where('workspace_id', '=', workspace).where('id', '=', id),
);
