import type { Db } from '../../db/db.ts';
import { change } from '../../records/change.ts';
import { findBounds } from '../../records/event.store.ts';
import { walkContacts } from '../contacts/contact.export.ts';
import { resolved } from '../contacts/contact.filters.ts';
import type { FilterTree } from '../contacts/filter.tree.ts';
import { lockFilter, lockSharedSegment, segmentsByField } from '../contacts/segment.service.ts';
import { findSegment, type SegmentRow, treeOf } from '../contacts/segment.store.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import { assertUnused, type Principal } from '../workspaces/principal.ts';
import { cancelJobs, ENROLLING, FOLLOWING, startJob } from './campaign.jobs.ts';
import type { Audience, EnrollmentReason } from './campaign.schema.ts';
import * as campaigns from './campaign.store.ts';
import { insertAll, moveAll } from './enrollment.changes.ts';
import { type EnrollmentState, selectWithStatus } from './enrollment.store.ts';

/* The audience of a campaign: a segment whose contacts are enrolled automatically. A first pass enrolls all contacts that match; the
 * job that follows the events enrolls those that match later (see audience.jobs.ts). */

export const audienceOf = ({
  segment_id,
  audience_mode: mode,
}: campaigns.AudienceColumns): Audience | null =>
  segment_id === null || mode === null ? null : { segment_id, mode };

/** Checks that the caller may use a segment, and keeps it from being deleted. Segments are locked before agents and campaigns (see the
 *  lock order). */
export const lockAudience = async <A extends Audience | null | undefined>(
  db: Db,
  principal: Principal,
  audience: A,
): Promise<A> => {
  if (!audience) return audience;
  assertAlso(principal, 'contacts:read');
  const { id } = await lockSharedSegment(db, principal, audience.segment_id, 'audience.segment_id');
  return { ...audience, segment_id: id };
};

/** Like `lockAudience`, and checks that contacts can be filtered by the segment. */
export const lockUsable = async (db: Db, principal: Principal, audience: Audience | null) => {
  const locked = await lockAudience(db, principal, audience);
  if (locked) await resolved(db, principal, { segment: locked.segment_id });
  return locked;
};

type Followed = Pick<campaigns.Campaign, 'workspace_id' | 'id' | 'followed_until' | 'unblocked_after'>;

/** Sets, changes or removes the audience of a campaign. What was enrolled remains. The position in the feed is read before any contact:
 *  an event that has none yet gets a later one. */
export const startAudience = async (db: Db, campaign: Followed, audience: Audience | null): Promise<void> => {
  const { workspace_id: workspace, followed_until } = campaign;
  const filter = audience && (await filterOf(db, { ...campaign, segment_id: audience.segment_id }));
  if (filter) await lockFilter(db, { workspace }, filter, 'audience.segment_id');
  const isLive = audience?.mode === 'live';
  const begin = isLive ? ((await db.get(findBounds, { workspace }))?.newest ?? 0) : null;
  await db.run(campaigns.updateAudience, {
    ...campaign,
    segment_id: audience?.segment_id ?? null,
    audience_mode: audience?.mode ?? null,
    enrolled_until: audience ? 0 : null,
    followed_until: followed_until ?? begin,
  });
  if (audience) await startJob(db, campaign, ENROLLING);
  else await cancelJobs(db, campaign, ENROLLING);
  if (isLive) await startJob(db, campaign, FOLLOWING);
};

/** The filter of a campaign's audience; undefined if it has none. */
export const filterOf = async (
  db: Db,
  { workspace_id: workspace, segment_id: id }: Pick<campaigns.Campaign, 'workspace_id' | 'segment_id'>,
): Promise<FilterTree | undefined> => {
  const segment = id === null ? undefined : await db.get(findSegment, { workspace, id });
  return segment && treeOf(segment);
};

/** Which of some contacts match a filter now. */
const matchingOf = async (
  db: Db,
  workspace: number,
  filter: FilterTree,
  ids: readonly string[],
): Promise<string[]> => {
  if (ids.length === 0) return [];
  const step = { selection: { filter: { filter }, ids }, after: 0, limit: ids.length };
  return (await walkContacts(db, { workspace }, step)).map(({ id }) => id);
};

/** Enrolls those of some contacts that match the audience, each once. Someone who was skipped and matches again returns to the queue. The
 *  campaign is locked. */
export const enrollMatching = async (
  db: Db,
  principal: Principal,
  campaign: campaigns.Campaign,
  contacts: readonly string[],
): Promise<void> => {
  const { workspace } = principal;
  const filter = await filterOf(db, campaign);
  const ids = filter ? await matchingOf(db, workspace, filter, contacts) : [];
  if (ids.length === 0) return;
  const enrolled = (await insertAll(db, principal, campaign, { ids, by_audience: 1 })).length;
  const entry = { parent: campaign.id, counts: { enrolled } };
  if (enrolled > 0) change(db, principal, { action: 'enrollment.created', ...entry });
  const which = {
    workspace,
    campaign: campaign.id,
    contacts: JSON.stringify(ids),
    status: 'skipped' as const,
  };
  const rows = await db.all(selectWithStatus, which);
  await moveAll(db, principal, campaign.id, { status: 'pending', rows });
};

const NOT_IN_AUDIENCE: EnrollmentReason = { code: 'not_in_audience', holes: [] };

/** Skips those of some due enrollments that a live audience has enrolled and that no longer match it, and returns the others. */
export const withoutSkipped = async (
  db: Db,
  principal: Principal,
  campaign: Pick<campaigns.Campaign, 'workspace_id' | 'id' | 'segment_id' | 'audience_mode'>,
  rows: readonly EnrollmentState[],
): Promise<readonly EnrollmentState[]> => {
  const checked = rows.filter(({ by_audience }) => by_audience === 1);
  const filter =
    campaign.audience_mode === 'live' && checked.length > 0 ? await filterOf(db, campaign) : undefined;
  if (!filter) return rows;
  const ids = checked.map(({ contact_id }) => contact_id);
  const matching = new Set(await matchingOf(db, principal.workspace, filter, ids));
  const skipped = checked.filter(({ contact_id }) => !matching.has(contact_id));
  const reasonOf = () => NOT_IN_AUDIENCE;
  await moveAll(db, principal, campaign.id, { status: 'skipped', rows: skipped, reasonOf });
  return rows.filter((row) => !skipped.includes(row));
};

/** Refuses what would break the audience of a campaign that is not finished. */
const assertNoAudience = async (
  db: Db,
  principal: Principal,
  what: 'segment' | 'field',
  segments: readonly string[],
): Promise<void> => {
  const key = { workspace: principal.workspace, keys: JSON.stringify(segments) };
  const found = await db.all(campaigns.findOfSegments, key);
  const message = (names: string) =>
    `The audience of ${names} uses this ${what}. Finish or delete these campaigns, or change their audience first.`;
  assertUnused(principal, 'campaigns', found, message);
};

/** A segment that is the audience of a campaign cannot be deleted or made private. */
export const assertNotAudience = (db: Db, principal: Principal, { id }: SegmentRow): Promise<void> =>
  assertNoAudience(db, principal, 'segment', [id]);

/** A field by which an audience is filtered must stay filterable. */
export const assertNotFiltered = async (db: Db, principal: Principal, key: string): Promise<void> =>
  assertNoAudience(db, principal, 'field', await segmentsByField(db, principal, key));

/** Checks all contacts for the live audiences of a segment whose filter has changed. */
export const restartAudiences = async (
  db: Db,
  { workspace }: Principal,
  { id }: SegmentRow,
): Promise<void> => {
  for (const each of await db.all(campaigns.restartOfSegment, { workspace, segment: id }))
    await startJob(db, { ...each, workspace_id: workspace }, ENROLLING);
};
