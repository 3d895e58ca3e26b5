import { sql } from 'kysely';
import { columnsOf, type Key, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import type { BulkStatus, JobAction } from './bulk.schema.ts';

const progress = {
  status: typed<BulkStatus>(),
  /** The `seq` of the last contact of a filter that was processed, or how many of the ids. */
  progress: number,
  total: number,
  processed: number,
  changed: number,
  unchanged: number,
  missing: number,
  blocked: number,
  /** JSON of the first blocked contacts. */
  reasons: text,
  error: textOrNull,
  started_at: textOrNull,
  finished_at: textOrNull,
  /** The id of the job that undoes this one. */
  undone_by: textOrNull,
};
const viewed = {
  workspace_id: number,
  id: text,
  action: typed<JobAction>(),
  /** JSON of ContactFilter; null if the ids are the selection, and after the end if it had typed text. */
  filter: textOrNull,
  /** How many contacts the selection leaves out. */
  excluded: number,
  /** JSON of BulkParameters. */
  parameters: text,
  /** The last contact of the list when the job was created. */
  until_seq: number,
  /** The audit entry of the job; each step updates its counts. */
  entry: typed<number | null>(),
  created_by: text,
  request_id: textOrNull,
  created_at: text,
  ...progress,
};
/** `ids` is JSON: the selected contacts or, with a filter, those that it leaves out. */
export type BulkJobRow = typeof viewed & { ids: string };

const PROGRESS_COLUMNS = namesOf(progress);
const VIEW_COLUMNS = namesOf(viewed);
const COLUMNS = [...VIEW_COLUMNS, 'ids'] as const;

const rows = rowsOf<BulkJobRow>({ table: 'bulk_jobs' });

export const insertBulkJob = rows.insert(COLUMNS, { seq: true });
export const updateBulkJob = rows.set(PROGRESS_COLUMNS);
export const updateEndedJob = rows.set([...PROGRESS_COLUMNS, 'filter', 'ids', 'parameters']);
export const selectBulkJobForUpdate = rows.lock(COLUMNS);
export const deleteBulkJob = rows.remove;
export const findWholeBulkJob = rows.find(COLUMNS);

/** Without the ids, which can be long. With the email of the user who created it; null for an API key and for a removed user. */
export type BulkJobWithEmail = Omit<BulkJobRow, 'ids'> & {
  created_by_email: string | null;
  /** Of the job that undoes this one. */
  undo_status: BulkStatus | null;
};

const selectBulkJobs = sql`select ${columnsOf(VIEW_COLUMNS, 'b')}, u.email as created_by_email, n.status as undo_status
  from bulk_jobs as b left join users as u on u.id = b.created_by and u.workspace_id = b.workspace_id
  left join bulk_jobs as n on n.id = b.undone_by and n.workspace_id = b.workspace_id`;

/** Jobs that ended before these times have expired, although the job that deletes them may be late. */
export type Expired = { before: string; exportsBefore: string };
const unexpired = ({ before, exportsBefore }: Expired) =>
  sql`(b.finished_at is null or b.finished_at > case when b.action = 'export' then ${exportsBefore} else ${before} end)`;

export const findBulkJob = statement(
  (args: Key & Expired) =>
    sql<BulkJobWithEmail>`${selectBulkJobs}
      where b.workspace_id = ${args.workspace} and b.id = ${args.id} and ${unexpired(args)}`,
);

export const listBulkJobs = statement(
  (args: Expired & { workspace: number; limit: number; offset: number }) =>
    sql<BulkJobWithEmail>`${selectBulkJobs} where b.workspace_id = ${args.workspace} and ${unexpired(args)}
      order by b.seq desc limit ${args.limit} offset ${args.offset}`,
);

export const countBulkJobs = statement(
  (args: Expired & { workspace: number }) =>
    sql<{ count: number }>`select count(*) as count from bulk_jobs as b
      where b.workspace_id = ${args.workspace} and ${unexpired(args)}`,
);

/** The end of the list of contacts. */
export const lastContact = statement(
  ({ workspace }: { workspace: number }) =>
    sql<{ seq: number | null }>`select max(seq) as seq from contacts where workspace_id = ${workspace}`,
);

/** What the progress of the newest jobs is. */
export const findProgress = statement(
  ({ workspace, limit }: { workspace: number; limit: number }) => sql<object>`
    select id, status, processed, changed, undone_by from bulk_jobs where workspace_id = ${workspace}
    order by seq desc limit ${limit}`,
);
