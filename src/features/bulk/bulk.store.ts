import { sql } from 'kysely';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { BulkAction, BulkStatus } from './bulk.schema.ts';

export type BulkJobRow = {
  workspace_id: number;
  id: string;
  action: BulkAction;
  status: BulkStatus;
  /** JSON of ContactFilter; null if the ids are the selection, and after the end if it had typed text. */
  filter: string | null;
  /** JSON: the selected contacts or, with a filter, those that it leaves out. */
  ids: string;
  /** How many contacts the selection leaves out. */
  excluded: number;
  /** JSON of BulkParameters. */
  parameters: string;
  /** The last contact of the list when the job was created. */
  until_seq: number;
  /** The `seq` of the last contact of a filter that was processed, or how many of the ids. */
  progress: number;
  total: number;
  processed: number;
  changed: number;
  unchanged: number;
  missing: number;
  blocked: number;
  /** JSON of the first blocked contacts. */
  reasons: string;
  error: string | null;
  /** The audit entry of the job; each step updates its counts. */
  entry: number | null;
  created_by: string;
  request_id: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
};

const VIEW_COLUMNS = [
  'workspace_id',
  'id',
  'action',
  'status',
  'filter',
  'excluded',
  'parameters',
  'until_seq',
  'progress',
  'total',
  'processed',
  'changed',
  'unchanged',
  'missing',
  'blocked',
  'reasons',
  'error',
  'entry',
  'created_by',
  'request_id',
  'created_at',
  'started_at',
  'finished_at',
] as const;
const COLUMNS = [...VIEW_COLUMNS, 'ids'] as const;

const statement = statementsOver<{ bulk_jobs: BulkJobRow & { seq: number } }>();

export type Key = { workspace: number; id: string };

export const insertBulkJob = statement((query, row: BulkJobRow, dialect) =>
  query
    .insertInto('bulk_jobs')
    .values({ ...pickColumns(row, COLUMNS), seq: dialect.nextSeq('bulk_jobs', row.workspace_id) }),
);

export const updateBulkJob = statement((query, row: BulkJobRow) =>
  query
    .updateTable('bulk_jobs')
    .set(
      pickColumns(row, [
        'status',
        'progress',
        'total',
        'processed',
        'changed',
        'unchanged',
        'missing',
        'blocked',
        'reasons',
        'error',
        'started_at',
        'finished_at',
      ]),
    )
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id),
);

/** Removes what a job has selected, once it does not need that any more. */
export const clearSelection = statement((query, { workspace, id }: Key) =>
  query
    .updateTable('bulk_jobs')
    .set({ filter: sql.lit(null), ids: sql.lit('[]') })
    .where('workspace_id', '=', workspace)
    .where('id', '=', id),
);

export const selectBulkJobForUpdate = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('bulk_jobs')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(dialect.lockRow()),
);

/** Without the ids, which can be long. With the email of the user who created it; null for an API key and for a removed user. */
export type BulkJobWithEmail = Omit<BulkJobRow, 'ids'> & { created_by_email: string | null };

const selectBulkJobs = sql`select ${sql.join(VIEW_COLUMNS.map((column) => sql.ref(`b.${column}`)))}, u.email as created_by_email
  from bulk_jobs as b left join users as u on u.id = b.created_by and u.workspace_id = b.workspace_id`;

/** Jobs that ended before these times have expired, although the job that deletes them may be late. */
export type Expired = { before: string; exportsBefore: string };
const unexpired = ({ before, exportsBefore }: Expired) =>
  sql`(b.finished_at is null or b.finished_at > case when b.action = 'export' then ${exportsBefore} else ${before} end)`;

export const findBulkJob = statement(
  (_, args: Key & Expired) =>
    sql<BulkJobWithEmail>`${selectBulkJobs}
      where b.workspace_id = ${args.workspace} and b.id = ${args.id} and ${unexpired(args)}`,
);

export const listBulkJobs = statement(
  (_, args: Expired & { workspace: number; limit: number; offset: number }) =>
    sql<BulkJobWithEmail>`${selectBulkJobs} where b.workspace_id = ${args.workspace} and ${unexpired(args)}
      order by b.seq desc limit ${args.limit} offset ${args.offset}`,
);

export const countBulkJobs = statement(
  (_, args: Expired & { workspace: number }) =>
    sql<{ count: number }>`select count(*) as count from bulk_jobs as b
      where b.workspace_id = ${args.workspace} and ${unexpired(args)}`,
);

export const deleteBulkJob = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('bulk_jobs').where('workspace_id', '=', workspace).where('id', '=', id),
);

export const findWholeBulkJob = statement((query, { workspace, id }: Key) =>
  query.selectFrom('bulk_jobs').select(COLUMNS).where('workspace_id', '=', workspace).where('id', '=', id),
);

/** The end of the list of contacts. */
export const lastContact = statement(
  (_, { workspace }: { workspace: number }) =>
    sql<{ seq: number | null }>`select max(seq) as seq from contacts where workspace_id = ${workspace}`,
);
