import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';
import type { Storage } from '../../db/storage.ts';
import { cancelJob, completeStep, type JobRow, makeDue, scheduleJob } from '../../jobs/job.service.ts';
import type { Step } from '../../jobs/runner.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AUDIENCE } from '../../records/change.ts';
import { findBounds, findUnsequenced, listEvents } from '../../records/event.store.ts';
import { walkContacts } from '../contacts/contact.export.ts';
import { type FilterTree, leavesOf } from '../contacts/filter.tree.ts';
import { sequenceEvents } from '../events/event.sequence.ts';
import type { Principal } from '../workspaces/principal.ts';
import { ENROLLING, enrollMatching, filterOf } from './audience.service.ts';
import { hasEnded } from './campaign.service.ts';
import * as store from './campaign.store.ts';
import { concernsAll, FOLLOWING, unblock, unblockNext } from './enrollment.blocked.ts';
import { countEnrolled } from './enrollment.counts.ts';

/** A job that waits for events is due in a year; one that runs or has failed, within minutes. */
const SLEEP_MS = 365 * DAY_MS;
const ASLEEP_MS = 3_600_000;

type Work = { job: JobRow; size: number };

const keyOf = ({ workspace_id: workspace, subject: id }: JobRow) => ({ workspace, id });
const jobOf = ({ workspace_id: workspace, kind, subject }: JobRow) => ({ workspace, kind, subject });

interface NextContacts {
  /** Of the audience that they were found for. */
  readonly segment: string | null;
  readonly filter: string;
  readonly after: number;
  readonly ids: string[];
  readonly until: number;
  readonly isLast: boolean;
}

/** Finds the next contacts of an audience. This may read many contacts that do not match, so it is not part of the write. */
export const findNextOfAudience = longRead(
  'findNextOfAudience',
  async (
    db: Db,
    { workspace }: Pick<Principal, 'workspace'>,
    { id, size }: { id: string; size: number },
  ): Promise<NextContacts | undefined> => {
    const campaign = await db.get(store.findListedCampaign, { workspace, id });
    const filter = campaign && (await filterOf(db, campaign));
    if (!filter || campaign.enrolled_until === null) return undefined;
    const after = Number(campaign.enrolled_until);
    const selection = { filter: { filter } };
    const rows = await walkContacts(db, { workspace }, { selection, after, limit: size });
    const until = Number(rows.at(-1)?.seq ?? after);
    const ids = rows.map(({ id }) => id);
    const isLast = rows.length < size;
    return { segment: campaign.segment_id, filter: JSON.stringify(filter), after, ids, until, isLast };
  },
);

/** How often all contacts are checked if a condition depends on the current time. */
const CHECK_EVERY_MS = 3_600_000;

/** Whether contacts can come to match without an event. */
const dependsOnTime = (filter: FilterTree): boolean =>
  leavesOf(filter).some(({ leaf: { op } }) => op.startsWith('within_'));

/** Enrolls the next contacts of an audience, and stores how far it is. */
export const enrollNextOfAudience = write(
  'enrollNextOfAudience',
  async (
    db: Db,
    _: null,
    { job, next }: { job: JobRow; next: NextContacts | undefined },
  ): Promise<boolean> => {
    const key = keyOf(job);
    const campaign = await db.get(store.selectCampaignForUpdate, key);
    const filter = campaign && (await filterOf(db, campaign));
    if (!filter || hasEnded(campaign) || campaign.enrolled_until === null) {
      await cancelJob(db, jobOf(job));
      return true;
    }
    // The audience or its filter was changed, or another instance has run this step.
    if (
      !next ||
      Number(campaign.enrolled_until) !== next.after ||
      campaign.segment_id !== next.segment ||
      JSON.stringify(filter) !== next.filter
    ) {
      await completeStep(db, job, false);
      return false;
    }
    await enrollMatching(db, { workspace: key.workspace, actor: AUDIENCE }, campaign, next.ids);
    const isRepeated = campaign.audience_mode === 'live' && dependsOnTime(filter);
    const enrolled_until = next.isLast ? (isRepeated ? 0 : null) : next.until;
    await db.run(store.setEnrolledUntil, { workspace_id: key.workspace, id: key.id, enrolled_until });
    if (next.isLast && isRepeated) await scheduleJob(db, { ...jobOf(job), inMs: CHECK_EVERY_MS });
    else await completeStep(db, job, next.isLast);
    return next.isLast;
  },
);

/** Enrolls some contacts of a campaign's audience. */
export const enrollingStep: Step = async (storage, { job, size }) => {
  const scope = { workspace: job.workspace_id };
  const next = await storage.run(findNextOfAudience, scope, { id: job.subject, size });
  return storage.run(enrollNextOfAudience, null, { job, next });
};

/** Ends the job of a campaign that has nothing to wait for. */
const endFollowing = async (db: Db, job: JobRow, campaign: store.Campaign | undefined): Promise<true> => {
  const none = { followed_until: null, unblocked_after: null };
  if (campaign) await db.run(store.setFollowedUntil, { ...campaign, ...none });
  await cancelJob(db, jobOf(job));
  return true;
};

/** Begins at the end of the feed, with a check of everyone: the job is new, or events have expired. */
const beginFollowing = async (db: Db, campaign: store.Campaign, followed_until: number): Promise<void> => {
  await db.run(store.setFollowedUntil, { ...campaign, followed_until, unblocked_after: '' });
  if (campaign.audience_mode !== 'live') return;
  await db.run(store.setEnrolledUntil, { ...campaign, enrolled_until: 0 });
  await scheduleJob(db, { workspace: campaign.workspace_id, kind: ENROLLING, subject: campaign.id });
};

/** Checks the contacts of the next events, and stores the position of the last one in the same transaction. The lock of the campaign
 *  excludes claims: what they have blocked or skipped before is seen here, and what they decide later is decided with these changes. */
export const followEvents = write(
  'followEvents',
  async (db: Db, _: null, { job, size }: Work): Promise<boolean> => {
    const { workspace, id } = keyOf(job);
    const campaign = await db.get(store.selectCampaignForUpdate, { workspace, id });
    const isLive = campaign?.audience_mode === 'live';
    const blocked = campaign ? (await countEnrolled(db, workspace, [id]))(id).blocked : 0;
    if (!campaign || hasEnded(campaign) || !(isLive || blocked > 0)) return endFollowing(db, job, campaign);
    const principal = { workspace, actor: AUDIENCE };
    const after = campaign.followed_until === null ? undefined : Number(campaign.followed_until);
    const bounds = await db.get(findBounds, { workspace });
    const [oldest, newest] = [bounds?.oldest ?? 0, bounds?.newest ?? 0];
    let isDone = false;
    if (after === undefined || after > newest || oldest > after + 1)
      await beginFollowing(db, campaign, newest);
    else if (campaign.unblocked_after !== null)
      await unblockNext(db, principal, campaign, { after: campaign.unblocked_after, size });
    else {
      const range = { workspace, after, until: newest, limit: size };
      const events = after < newest ? await db.all(listEvents.thin.all, range) : [];
      const contacts = [...new Set(events.flatMap(({ contact_id }) => contact_id ?? []))].sort();
      if (isLive) await enrollMatching(db, principal, campaign, contacts);
      if (blocked > 0 && contacts.length > 0) await unblock(db, principal, campaign, contacts);
      const followed_until = events.at(-1)?.seq ?? newest;
      const isForAll = blocked > 0 && events.some((event) => concernsAll(event, campaign));
      const unblocked_after = isForAll ? '' : null;
      await db.run(store.setFollowedUntil, { ...campaign, followed_until, unblocked_after });
      isDone = followed_until >= newest && !isForAll;
    }
    if (isDone) await scheduleJob(db, { ...jobOf(job), inMs: SLEEP_MS });
    else await completeStep(db, job, false);
    return isDone;
  },
);

/** Follows the events of a campaign's contacts, oldest first. Positions are assigned first. */
export const followingStep: Step = async (storage, work) => {
  const { workspace_id: workspace } = work.job;
  if (await storage.run(isBehind, { workspace }, null))
    await storage.run(sequenceEvents, null, { workspace });
  return storage.run(followEvents, null, work);
};

const isBehind = read(
  'hasUnsequencedEvents',
  async (db: Db, { workspace }: Pick<Principal, 'workspace'>): Promise<boolean> =>
    (await db.get(findUnsequenced, { workspace })) !== undefined,
);

const statement = statementsOver<object>({ readsDerived: true });

/** The workspaces with campaigns that wait for events, by the index `jobs_following`. */
const findFollowing = statement(
  (_, { after }: { after: string }) => sql<{ workspace_id: number }>`
    select distinct workspace_id from jobs
    where workspace_id is not null and kind = 'campaign.following' and due_at > ${after}`,
);

/** The campaigns that wait for events and have some. Each subquery reads one entry of an index. */
export const findAwaited = statement(
  (_, { workspace, after }: { workspace: number; after: string }) => sql<{ id: string }>`
    select subject as id from jobs join campaigns on campaigns.workspace_id = ${workspace} and campaigns.id = jobs.subject
    where jobs.workspace_id = ${workspace} and jobs.kind = 'campaign.following' and jobs.due_at > ${after}
    and ((select max(seq) from events where workspace_id = ${workspace}) > campaigns.followed_until
      or (select min(seq) from events where workspace_id = ${workspace}) < 0)`,
);

/** The jobs that wait for events which have happened. */
export const findJobsToWake = read(
  'findJobsToWake',
  async (db: Db): Promise<{ workspace: number; subject: string }[]> => {
    const after = new Date(Date.now() + ASLEEP_MS).toISOString();
    const workspaces = await db.all(findFollowing, { after });
    const found = await Promise.all(
      workspaces.map(async ({ workspace_id: workspace }) =>
        (await db.all(findAwaited, { workspace, after })).map(({ id: subject }) => ({ workspace, subject })),
      ),
    );
    return found.flat();
  },
);

/** Makes a job due that waits for events. It may have ended meanwhile. */
export const wakeFollowing = write(
  'wakeFollowing',
  async (
    db: Db,
    { workspace }: Pick<Principal, 'workspace'>,
    { subject }: { subject: string },
  ): Promise<void> => makeDue(db, { workspace, kind: FOLLOWING, subject }),
);

/** Wakes the jobs that wait for events, as soon as there are some. An idle service only reads. Returns whether there were any. */
export const wakeFollowers = async (storage: Storage): Promise<boolean> => {
  const jobs = await storage.run(findJobsToWake, null, null);
  for (const { workspace, subject } of jobs) await storage.run(wakeFollowing, { workspace }, { subject });
  return jobs.length > 0;
};
