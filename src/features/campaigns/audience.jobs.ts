import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { derivedStatement } from '../../db/statement.ts';
import type { JobRow, Work } from '../../jobs/job.service.ts';
import { type Step, transactionStep } from '../../jobs/runner.ts';
import { AUDIENCE } from '../../records/change.ts';
import { findBounds, listEvents } from '../../records/event.store.ts';
import { walkContacts } from '../contacts/contact.export.ts';
import { dependsOnTime, type FilterTree } from '../contacts/filter.tree.ts';
import { afterSequencing, followerOf, SLEEP_MS } from '../events/event.followers.ts';
import type { Principal } from '../workspaces/principal.ts';
import { enrollMatching, filterOf } from './audience.service.ts';
import { campaignStep, ENROLLING, FOLLOWING, startJob } from './campaign.jobs.ts';
import { hasEnded } from './campaign.service.ts';
import * as store from './campaign.store.ts';
import { concernsAll, unblock, unblockNext } from './enrollment.blocked.ts';
import { countEnrolled } from './enrollment.counts.ts';

const principalOf = ({ workspace_id: workspace }: store.Campaign) => ({ workspace, actor: AUDIENCE });

/** How far an audience is enrolled. It differs after the audience or its filter was changed, or another instance has run a step. */
const positionOf = ({ segment_id, enrolled_until }: store.Campaign, filter: FilterTree): string =>
  JSON.stringify([segment_id, filter, Number(enrolled_until)]);

/** Finds the next contacts of an audience. This may read many contacts that do not match, so it is not part of the write. */
export const findNextOfAudience = longRead(
  'findNextOfAudience',
  async (db, { workspace }: Pick<Principal, 'workspace'>, { id, size }: { id: string; size: number }) => {
    const campaign = await db.get(store.findListedCampaign, { workspace, id });
    const filter = campaign && (await filterOf(db, campaign));
    if (!filter || campaign.enrolled_until === null) return undefined;
    const after = Number(campaign.enrolled_until);
    const selection = { filter: { filter } };
    const rows = await walkContacts(db, { workspace }, { selection, after, limit: size });
    const until = Number(rows.at(-1)?.seq ?? after);
    const ids = rows.map(({ id }) => id);
    return { position: positionOf(campaign, filter), ids, until, isLast: rows.length < size };
  },
);

type NextContacts = Awaited<ReturnType<typeof findNextOfAudience>>;

/** How often all contacts are checked if a condition depends on the current time. */
const CHECK_EVERY_MS = 3_600_000;

/** Enrolls the next contacts of an audience, and stores how far it is. */
export const enrollNextOfAudience = campaignStep(
  'enrollNextOfAudience',
  async (db, campaign, { next }: { job: JobRow; next: NextContacts }) => {
    const filter = await filterOf(db, campaign);
    if (!filter || hasEnded(campaign) || campaign.enrolled_until === null) return true;
    if (next?.position !== positionOf(campaign, filter)) return false;
    await enrollMatching(db, principalOf(campaign), campaign, next.ids);
    const isRepeated = next.isLast && campaign.audience_mode === 'live' && dependsOnTime(filter);
    const enrolled_until = isRepeated ? 0 : next.isLast ? null : next.until;
    await db.run(store.updateAudience, { ...campaign, enrolled_until });
    return isRepeated ? CHECK_EVERY_MS : next.isLast;
  },
);

/** Enrolls some contacts of a campaign's audience. */
export const enrollingStep: Step = async (storage, { job, size }) => {
  const scope = { workspace: job.workspace_id };
  const next = await storage.run(findNextOfAudience, scope, { id: job.subject, size });
  return storage.run(enrollNextOfAudience, null, { job, next });
};

/** Begins at the end of the feed, with a check of everyone: the job is new, or events have expired. */
const beginFollowing = async (db: Db, campaign: store.Campaign, followed_until: number): Promise<void> => {
  const isLive = campaign.audience_mode === 'live';
  const enrolled_until = isLive ? 0 : campaign.enrolled_until;
  await db.run(store.updateAudience, { ...campaign, followed_until, unblocked_after: '', enrolled_until });
  if (isLive) await startJob(db, campaign, ENROLLING);
};

/** Checks the contacts of the next events, and stores the position of the last one in the same transaction. The lock of the campaign
 *  excludes claims: what they have blocked or skipped before is seen here, and what they decide later is decided with these changes. */
export const followEvents = campaignStep('followEvents', async (db, campaign, { size }: Work) => {
  const { workspace_id: workspace, id, unblocked_after: last } = campaign;
  const principal = principalOf(campaign);
  const isLive = campaign.audience_mode === 'live';
  const { blocked } = (await countEnrolled(db, workspace, [id]))(id);
  if (hasEnded(campaign) || !(isLive || blocked > 0)) {
    await db.run(store.updateAudience, { ...campaign, followed_until: null, unblocked_after: null });
    return true;
  }
  const after = campaign.followed_until === null ? undefined : Number(campaign.followed_until);
  const bounds = await db.get(findBounds, { workspace });
  const [oldest, newest] = [bounds?.oldest ?? 0, bounds?.newest ?? 0];
  if (after === undefined || after > newest || oldest > after + 1) {
    await beginFollowing(db, campaign, newest);
    return false;
  }
  if (last !== null) {
    await unblockNext(db, principal, campaign, { after: last, size });
    return false;
  }
  const range = { workspace, after, until: newest, limit: size };
  const events = after < newest ? await db.all(listEvents.thin.all, range) : [];
  const contacts = [...new Set(events.flatMap(({ contact_id }) => contact_id ?? []))].sort();
  if (isLive) await enrollMatching(db, principal, campaign, contacts);
  if (blocked > 0 && contacts.length > 0) await unblock(db, principal, campaign, contacts);
  const followed_until = events.at(-1)?.seq ?? newest;
  const isForAll = blocked > 0 && events.some((event) => concernsAll(event, campaign));
  await db.run(store.updateAudience, { ...campaign, followed_until, unblocked_after: isForAll ? '' : null });
  const isDone = followed_until >= newest && !isForAll;
  return isDone ? SLEEP_MS : false;
});

/** Follows the events of a campaign's contacts. */
export const followingStep = afterSequencing(transactionStep(followEvents));

/** The campaigns that wait for events and have some. Each subquery reads one entry of an index. */
export const findAwaited = derivedStatement(
  ({ workspace, after }: { workspace: number; after: string }) => sql<{ id: string }>`
    select subject as id from jobs join campaigns on campaigns.workspace_id = ${workspace} and campaigns.id = jobs.subject
    where jobs.workspace_id = ${workspace} and jobs.kind = 'campaign.following' and jobs.due_at > ${after}
    and ((select max(seq) from events where workspace_id = ${workspace}) > campaigns.followed_until
      or (select min(seq) from events where workspace_id = ${workspace}) < 0)`,
);

export const audienceFollower = followerOf(FOLLOWING, findAwaited);
