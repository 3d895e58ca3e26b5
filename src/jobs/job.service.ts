import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { SqlDialect } from '../db/dialect.ts';
import { read, write } from '../db/operation.ts';
import { rowsOf } from '../db/rows.ts';
import { statement } from '../db/statement.ts';
import { timestamp } from '../lib/clock.ts';
import { backoff } from '../lib/concurrency.ts';
import { conflict } from '../lib/errors.ts';

/** A background job, which runs in steps. Each step and its progress are one transaction, so a killed service resumes after
 *  the last step, and no step runs twice. Two instances that work on one job take turns; a step of a job that was completed
 *  meanwhile is rolled back. */
export type JobRow = JobKey & {
  /** When it was created or last postponed. */
  created_at: string;
  /** No runner claims it before: another runs it, it failed recently, or it is scheduled for later. */
  due_at: string;
  failures: number;
};

type JobKey = {
  workspace_id: number;
  kind: string;
  /** The id of the record, for example of an import. */
  subject: string;
};

const rows = rowsOf<JobRow>({ table: 'jobs' });
const KEY = { kind: 'kind', subject: 'subject' } as const;

const COLUMNS = sql`workspace_id, kind, subject, created_at, due_at, failures`;
const upsertJob = statement(
  (row: JobRow) => sql<never>`insert into jobs (${COLUMNS})
    values (${row.workspace_id}, ${row.kind}, ${row.subject}, ${row.created_at}, ${row.due_at}, ${row.failures})
    on conflict (workspace_id, kind, subject)
    do update set created_at = excluded.created_at, due_at = excluded.due_at, failures = excluded.failures`,
);
type DueQuery = {
  now: string;
  /** A JSON array. */
  kinds: string;
};
/** Only the given kinds: a newer version that serves next to this one may have others. */
const due = ({ now, kinds }: DueQuery, dialect: SqlDialect) =>
  sql`from jobs where workspace_id is not null and due_at <= ${now}
    and kind in (select value from ${dialect.eachText(kinds)})`;
const findDue = statement(
  (query: DueQuery, dialect) => sql<{ kind: string }>`select kind ${due(query, dialect)} limit 1`,
);
/** The workspaces with due jobs: the next one after the given one, and the first. Reads the due jobs by the index `jobs_by_due`. Without
 *  the plus, the engines may look for the lowest id in another index and read the jobs of all workspaces. */
export const findWorkspaces = statement(
  (query: DueQuery & { after: number }, dialect) =>
    sql<{ next: number | null; first: number | null }>`
      select min(case when workspace_id > ${query.after} then workspace_id end) as next, min(+workspace_id) as first
      ${due(query, dialect)}`,
);
/** More than one, because other instances may have claimed the first ones. */
const MAX_CANDIDATES = 8;
/** The jobs of a workspace that have waited longest. */
export const listDue = statement(
  (query: DueQuery & { workspace: number }, dialect) =>
    sql<JobKey>`select workspace_id, kind, subject ${due(query, dialect)} and workspace_id = ${query.workspace}
      order by due_at limit ${sql.lit(MAX_CANDIDATES)}`,
);
/** Locks one row by its key: a distributed PostgreSQL locks rows of one workspace only. */
const lockDue = statement(
  (job: JobKey & { now: string }, dialect) => sql<JobRow>`
    select ${COLUMNS} from jobs where workspace_id = ${job.workspace_id} and kind = ${job.kind}
    and subject = ${job.subject} and due_at <= ${job.now} ${dialect.lockUnlockedRows()}`,
);
const updateJob = rows.set(['created_at', 'due_at', 'failures'], { by: KEY });
const deleteJob = rows.removeBy({ by: KEY });
const findFuture = statement(
  ({ after }: { after: string }) => sql<JobRow>`select ${COLUMNS} from jobs
    where workspace_id is not null and created_at > ${after} order by workspace_id, kind, subject`,
);
const listOfKind = statement(
  ({ workspace, kind, limit }: { workspace: number; kind: string; limit: number }) => sql<unknown>`
    select 1 from jobs where workspace_id = ${workspace} and kind = ${kind} limit ${limit}`,
);
const lockName = statement(
  ({ name }: { name: string }, dialect) =>
    sql<{ locked: unknown }>`select ${dialect.advisoryLock(name)} as locked`,
);

/** Longer than a step takes, and short enough that a job resumes soon after a service was killed. */
const LEASE_MS = 2_000;
const BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 300_000;
/** Tolerated clock skew between instances. */
const MAX_CLOCK_SKEW_MS = 60_000;

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

const dueIn = (ms: number) => ({ created_at: timestamp(), due_at: inMs(ms) });

interface NewJob {
  readonly workspace: number;
  readonly kind: string;
  readonly subject: string;
  readonly inMs?: number;
}

/** Enqueues a job. A job that already exists is rescheduled. */
export const scheduleJob = async (
  db: Db,
  { workspace, kind, subject, inMs: ms = 0 }: NewJob,
): Promise<void> => {
  await db.run(upsertJob, { workspace_id: workspace, kind, subject, ...dueIn(ms), failures: 0 });
};

/** Runs a job now that is scheduled for later, unless it has ended. */
export const makeDue = async (db: Db, { workspace, kind, subject }: Omit<NewJob, 'inMs'>): Promise<void> => {
  await db.run(updateJob, { workspace_id: workspace, kind, subject, ...dueIn(0), failures: 0 });
};

export const cancelJob = async (db: Db, job: Omit<NewJob, 'inMs'>): Promise<void> => {
  await db.run(deleteJob, { ...job });
};

/** Keeps the claim of a step that takes longer than others. */
export const extendClaim = write('extendClaim', (db, _: null, job: JobRow) =>
  db.run(updateJob, { ...job, ...dueIn(LEASE_MS) }),
);

/** Whether the workspace has unfinished jobs of a kind. */
export const isScheduled = async (db: Db, which: { workspace: number; kind: string }): Promise<boolean> =>
  (await db.all(listOfKind, { ...which, limit: 1 })).length > 0;

/** Whether the workspace has at least `limit` unfinished jobs of a kind. Other transactions that ask wait until this one ends, so together
 *  they do not exceed the limit. */
export const hasJobs = async (
  db: Db,
  { workspace, kind, limit }: { workspace: number; kind: string; limit: number },
): Promise<boolean> => {
  await db.get(lockName, { name: `${kind} of ${workspace}` });
  const found = await db.all(listOfKind, { workspace, kind, limit });
  return found.length >= limit;
};

/** The kinds of jobs that a runner can run. */
interface KnownKinds {
  readonly kinds: readonly string[];
}
const dueNow = ({ kinds }: KnownKinds): DueQuery => ({ now: timestamp(), kinds: JSON.stringify(kinds) });

export const isJobDue = read(
  'isJobDue',
  async (db, _: null, known: KnownKinds): Promise<boolean> =>
    (await db.get(findDue, dueNow(known))) !== undefined,
);

/** How many workspaces a claim tries, if other instances have claimed the jobs of the first ones. */
const MAX_WORKSPACES = 3;

/** Claims a due job of the next workspace in turn, which is the one with the lowest id above `after`. Of its jobs, this claims the one
 *  that has waited longest. */
export const claimJob = write(
  'claimJob',
  async (db, _: null, { after: last, ...known }: KnownKinds & { after: number }) => {
    const query = dueNow(known);
    let after = last;
    for (let tries = 0; tries < MAX_WORKSPACES; tries++) {
      const found = await db.get(findWorkspaces, { ...query, after });
      const workspace = found?.next ?? found?.first;
      if (workspace == null) return undefined;
      for (const key of await db.all(listDue, { ...query, workspace })) {
        const job = await db.get(lockDue, { ...key, now: query.now });
        if (!job) continue; // another instance has claimed it
        await db.run(updateJob, { ...job, ...dueIn(LEASE_MS) });
        return job;
      }
      after = workspace;
    }
    return undefined;
  },
);

/** Processes up to `size` items of a job. */
export type Work = { job: JobRow; size: number };

/** A step of a job. `run` returns whether it was the last, or in how many milliseconds the next one is due. The claim is extended for the next
 *  step. */
export const jobStep = <W extends { job: JobRow } = Work>(
  name: string,
  run: (db: Db, work: W) => Promise<boolean | number>,
) =>
  write(name, async (db, _: null, work: W): Promise<boolean> => {
    const { job } = work;
    const { workspace_id: workspace } = job;
    const result = await run(db, work);
    if (typeof result === 'number') {
      await scheduleJob(db, { ...job, workspace, inMs: result });
      return true;
    }
    const changed = result
      ? await db.run(deleteJob, { ...job, workspace })
      : await db.run(updateJob, { ...job, ...dueIn(LEASE_MS), failures: 0 });
    if (changed === 0) throw conflict('This job was already completed.');
    return result;
  });

/** Releases a job: it is due immediately, or after failures with backoff. Returns whether it still exists. */
export const postponeJob = write('postponeJob', async (db, _: null, job: JobRow): Promise<boolean> => {
  const ms = job.failures === 0 ? 0 : backoff(BACKOFF_MS, job.failures, MAX_BACKOFF_MS);
  return (await db.run(updateJob, { ...job, ...dueIn(ms) })) > 0;
});

/** Restarts the waiting time of jobs that were scheduled before the clock was set back. */
export const rescheduleAfterClockChange = write('rescheduleAfterClockChange', async (db): Promise<void> => {
  const jobs = await db.all(findFuture, { after: inMs(MAX_CLOCK_SKEW_MS) });
  const moved = jobs.map((job) => ({
    ...job,
    ...dueIn(Date.parse(job.due_at) - Date.parse(job.created_at)),
  }));
  await db.each(updateJob, moved);
});
