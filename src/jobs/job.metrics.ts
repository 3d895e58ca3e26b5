import { sql } from 'kysely';
import { read } from '../db/operation.ts';
import { statement } from '../db/statement.ts';
import { timestamp } from '../lib/clock.ts';
import { gauge, type Metric } from '../lib/metric.ts';

interface DueJobs {
  readonly kind: string;
  readonly count: number;
  readonly oldest: string;
}

/** Bounds the work: the query reads at most this many entries of the index by due time, oldest first. */
const MAX_COUNTED = 1_000;

const countDue = statement(
  ({ now }: { now: string }) =>
    sql<DueJobs>`with due as (
      select kind, due_at from jobs where workspace_id is not null and due_at <= ${now}
      order by due_at limit ${sql.lit(MAX_COUNTED)}
    )
    select kind, count(*) as count, min(due_at) as oldest from due group by kind`,
);

/** The jobs of all workspaces that wait for a runner. */
export const findDueJobs = read('findDueJobs', async (db) => db.all(countDue, { now: timestamp() }));

/** The length and age of the queue for each of the kinds. */
export const dueJobMetrics = (due: readonly DueJobs[], kinds: readonly string[]): Metric[] => {
  const each = (select: (jobs: DueJobs | undefined) => number) =>
    kinds.map((kind) => [`kind="${kind}"`, select(due.find((jobs) => jobs.kind === kind))] as const);
  return [
    gauge(
      'roster_jobs_due',
      `Due jobs that wait for a runner, by kind; at most ${MAX_COUNTED} are counted.`,
      each((jobs) => jobs?.count ?? 0),
    ),
    gauge(
      'roster_jobs_oldest_due_age_seconds',
      'How long the oldest due job has waited, by kind; 0 if none is due.',
      each((jobs) => (jobs ? Math.max(0, (Date.now() - Date.parse(jobs.oldest)) / 1000) : 0)),
    ),
  ];
};
