import { sql } from 'kysely';
import { read, write } from '../../db/operation.ts';
import { derivedStatement, type Statement } from '../../db/statement.ts';
import type { Storage } from '../../db/storage.ts';
import { makeDue } from '../../jobs/job.service.ts';
import type { Step } from '../../jobs/runner.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Principal } from '../workspaces/principal.ts';
import { sequenceEvents } from './event.sequence.ts';
import { feedState } from './feed.service.ts';

/* Jobs that follow the events of a workspace. One that has read all events sleeps until there are others. */

/** A job that waits for events is due in a year; one that runs or has failed, within minutes. */
export const SLEEP_MS = 365 * DAY_MS;
const ASLEEP_MS = 3_600_000;

/** The workspaces with jobs of a kind that wait for events, by an index for this kind. */
const findWorkspaces = (kind: string) =>
  derivedStatement(
    ({ after }: { after: string }) => sql<{ workspace_id: number }>`
      select distinct workspace_id from jobs
      where workspace_id is not null and kind = ${sql.lit(kind)} and due_at > ${after}`,
  );

export type FindAwaited = Statement<{ workspace: number; after: string }, { id: string }>;

/** A kind of job. `awaited` finds the subjects of those that wait for events which have happened. */
export const followerOf = (kind: string, awaited: FindAwaited) => {
  const following = findWorkspaces(kind);
  return {
    following,
    find: read(`findJobsToWake ${kind}`, async (db) => {
      const after = new Date(Date.now() + ASLEEP_MS).toISOString();
      const workspaces = await db.all(following, { after });
      const found = await Promise.all(
        workspaces.map(async ({ workspace_id: workspace }) =>
          (await db.all(awaited, { workspace, after })).map(({ id: subject }) => ({
            workspace,
            subject,
            kind,
          })),
        ),
      );
      return found.flat();
    }),
  };
};

/** Makes a job due that waits for events. It may have ended meanwhile. */
const wakeFollowing = write(
  'wakeFollowing',
  async (
    db,
    { workspace }: Pick<Principal, 'workspace'>,
    { kind, subject }: { kind: string; subject: string },
  ): Promise<void> => makeDue(db, { workspace, kind, subject }),
);

/** Wakes the jobs that wait for events, as soon as there are some. An idle service only reads. Returns whether there were any. */
export const wakeFollowers = async (
  storage: Storage,
  followers: readonly ReturnType<typeof followerOf>[],
): Promise<boolean> => {
  const found = await Promise.all(followers.map(({ find }) => storage.run(find, null, null)));
  const jobs = found.flat();
  for (const { workspace, ...job } of jobs) await storage.run(wakeFollowing, { workspace }, job);
  return jobs.length > 0;
};

/** A step that reads the next events, oldest first. Positions are assigned first. */
export const afterSequencing =
  (step: Step): Step =>
  async (storage, work) => {
    const { workspace_id: workspace } = work.job;
    const { isBehind } = await storage.run(feedState, { workspace }, null);
    if (isBehind) await storage.run(sequenceEvents, null, { workspace });
    return step(storage, work);
  };
