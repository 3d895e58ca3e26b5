import { type Kysely, sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { read, write } from '../db/operation.ts';
import { statementsOver } from '../db/statement.ts';
import { timestamp } from '../lib/clock.ts';
import { ApiError } from '../lib/errors.ts';

/** Work that goes on by itself, step by step. Each step and the record of how far it got are one transaction, so a
 *  service that is killed goes on where the last step ended, and no step is done twice. That holds also where two
 *  instances work on one job: they take turns, and a step of a job that has ended meanwhile is rolled back. */
export type JobRow = JobKey & {
  /** When it was created or last postponed. */
  created_at: string;
  /** It is not claimed before: a runner works on it, it failed recently, or it is scheduled for later. */
  due_at: string;
  failures: number;
};

type JobKey = {
  workspace_id: number;
  kind: string;
  /** What the work is about, for example the id of an import. */
  subject: string;
};

const statement = statementsOver<{ jobs: JobRow }>();

const insert = (query: Kysely<{ jobs: JobRow }>, row: JobRow) =>
  query.insertInto('jobs').values({
    workspace_id: row.workspace_id,
    kind: row.kind,
    subject: row.subject,
    created_at: row.created_at,
    due_at: row.due_at,
    failures: row.failures,
  });
const upsertJob = statement((query, row: JobRow) =>
  insert(query, row).onConflict((conflict) =>
    conflict.columns(['workspace_id', 'kind', 'subject']).doUpdateSet((set) => ({
      created_at: set.ref('excluded.created_at'),
      due_at: set.ref('excluded.due_at'),
      failures: set.ref('excluded.failures'),
    })),
  ),
);
const insertJob = statement((query, row: JobRow) =>
  insert(query, row).onConflict((conflict) => conflict.doNothing()),
);
const due = sql`from jobs where workspace_id is not null and due_at <=`;
const findDue = statement(
  (_, { now }: { now: string }) => sql<{ kind: string }>`select kind ${due} ${now} limit 1`,
);
const takeDue = statement(
  (_, { now }: { now: string }, can) =>
    sql<JobRow>`select workspace_id, kind, subject, created_at, due_at, failures
      ${due} ${now} order by due_at limit 1 ${can.lockUnlockedRows()}`,
);
const updateJob = statement((query, row: JobRow) =>
  query
    .updateTable('jobs')
    .set({ created_at: row.created_at, due_at: row.due_at, failures: row.failures })
    .where('workspace_id', '=', row.workspace_id)
    .where('kind', '=', row.kind)
    .where('subject', '=', row.subject),
);
const findAhead = statement(
  (_, { later }: { later: string }) =>
    sql<JobRow>`select workspace_id, kind, subject, created_at, due_at, failures
      from jobs where workspace_id is not null and created_at > ${later} order by workspace_id, kind, subject`,
);
const deleteJob = statement((query, { workspace_id, kind, subject }: JobKey) =>
  query
    .deleteFrom('jobs')
    .where('workspace_id', '=', workspace_id)
    .where('kind', '=', kind)
    .where('subject', '=', subject),
);

/** Longer than a step takes, and short enough that work resumes soon after a service was killed. */
const LEASE_MS = 2_000;
const BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 300_000;
/** So far the clocks of several instances may be apart. */
const APART_MS = 60_000;

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** To wait so long from now on. */
const waiting = (ms: number) => ({ created_at: timestamp(), due_at: inMs(ms) });

interface NewJob {
  readonly workspace: number;
  readonly kind: string;
  readonly subject: string;
  readonly inMs?: number;
}

const rowOf = ({ workspace, kind, subject, inMs: ms = 0 }: NewJob): JobRow => ({
  workspace_id: workspace,
  kind,
  subject,
  ...waiting(ms),
  failures: 0,
});

/** Puts work into the queue, in the transaction that asks for it: for now, or for later. Work that is there already is
 *  put off or brought forward. */
export const scheduleJob = async (db: Db, job: NewJob): Promise<void> => {
  await db.run(upsertJob, rowOf(job));
};

/** Puts work into the queue unless it is there: then it stays as it is. */
export const ensureJob = async (db: Db, job: NewJob): Promise<void> => {
  await db.run(insertJob, rowOf(job));
};

/** Takes work from the queue that has become needless. */
export const cancelJob = async (
  db: Db,
  { workspace, kind, subject }: { workspace: number; kind: string; subject: string },
): Promise<void> => {
  await db.run(deleteJob, { workspace_id: workspace, kind, subject });
};

/** Whether a job is due. */
export const isJobDue = read(
  'isJobDue',
  async (db: Db): Promise<boolean> => (await db.get(findDue, { now: timestamp() })) !== undefined,
);

/** Claims the due job that has waited longest. */
export const claimJob = write('claimJob', async (db: Db): Promise<JobRow | undefined> => {
  const job = await db.get(takeDue, { now: timestamp() });
  if (job) await db.run(updateJob, { ...job, ...waiting(LEASE_MS) });
  return job;
});

/** Keeps the claim for the next step, or ends the work. Part of a step's own transaction. */
export const completeStep = async (db: Db, job: JobRow, isDone: boolean): Promise<void> => {
  const kept = isDone
    ? await db.run(deleteJob, job)
    : await db.run(updateJob, { ...job, ...waiting(LEASE_MS), failures: 0 });
  if (kept === 0) throw new ApiError('CONFLICT', 'This job was already completed.');
};

/** Releases a job: it is due immediately, or after failures with a growing backoff. Returns whether it still exists. */
export const postponeJob = write('postponeJob', async (db: Db, _: null, job: JobRow): Promise<boolean> => {
  const ms = Math.min(BACKOFF_MS * job.failures ** 2, MAX_BACKOFF_MS);
  return (await db.run(updateJob, { ...job, ...waiting(ms) })) > 0;
});

const aheadOf = (db: Db) => db.all(findAhead, { later: inMs(APART_MS) });

/** Whether the clock was set back since some work began to wait. */
export const isClockSetBack = read(
  'isClockSetBack',
  async (db: Db): Promise<boolean> => (await aheadOf(db)).length > 0,
);

/** Work that waits since later than now: it waits from now on for as long as it was to wait then, rather than until the
 *  clock is there again. */
export const rescheduleAfterClockChange = write(
  'rescheduleAfterClockChange',
  async (db: Db): Promise<void> => {
    const ahead = await aheadOf(db);
    const moved = ahead.map((job) => ({
      ...job,
      ...waiting(Date.parse(job.due_at) - Date.parse(job.created_at)),
    }));
    await db.each(updateJob, moved);
  },
);
