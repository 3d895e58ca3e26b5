import type { Db } from '../../db/db.ts';
import { longRead, write } from '../../db/operation.ts';
import type { Key } from '../../db/rows.ts';
import { pickColumns, type Statement } from '../../db/statement.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { ApiError, conflict, existing, notFound, TransactionConflict } from '../../lib/errors.ts';
import { assertUpdatableMatches, type IfMatch, type JsonWithEtag, tagInParts } from '../../lib/etag.ts';
import { parseUuid, typeId } from '../../lib/ids.ts';
import { type Page, pageOf, pageRequestOf } from '../../lib/page.ts';
import { lowerAscii } from '../../lib/text.ts';
import { change, changedFields, type Entry, SCHEDULE, type Snapshot } from '../../records/change.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { lockAgent } from '../agents/agent.service.ts';
import { tryLockAgent } from '../agents/deploy.service.ts';
import { recordNotice } from '../notices/notice.service.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { audienceOf, lockAudience, lockUsable, startAudience } from './audience.service.ts';
import type { CallWindow } from './call-window.ts';
import { cancelJobs, ENDING, ENROLLING, FOLLOWING, STARTING } from './campaign.jobs.ts';
import { campaignList, listedCampaigns } from './campaign.lists.ts';
import type {
  CampaignCreate,
  CampaignDuplicate,
  CampaignQuery,
  CampaignStatus,
  CampaignUpdate,
  StartState,
} from './campaign.schema.ts';
import * as store from './campaign.store.ts';
import { countEnrolled, type Enrolled } from './enrollment.counts.ts';
import { parseRules } from './retry.service.ts';

export const campaignId = typeId('campaign');

const findWith =
  <R>(statement: Statement<Key, R>) =>
  async (db: Db, { workspace }: Pick<Principal, 'workspace'>, id: string): Promise<R> =>
    existing('campaign', await db.get(statement, { workspace, id: campaignId.require(id) }));

export const findCampaign = findWith(store.findListedCampaign);
export const lockCampaign = findWith(store.selectCampaignForUpdate);
/** Other claims do not wait. */
export const lockCampaignForClaim = findWith(store.selectCampaignForClaim);

const campaignOf = (row: store.ListedCampaign, enrolled: Enrolled) => ({
  id: row.id,
  name: row.name,
  agent: { id: row.agent_id, name: row.agent_name, deleted: row.agent_deleted_at !== null },
  status: row.status,
  audience: audienceOf(row),
  enrolled,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export type Campaign = ReturnType<typeof campaignOf>;

/** A schedule as the API shows it. */
export const scheduleOf = (row: store.ScheduleColumns & { id: string }, time_zone: string) => ({
  campaign_id: row.id,
  starts_at: row.starts_at,
  start_status: row.starts_at === null ? null : (row.start_state ?? ('scheduled' as const)),
  ends_at: row.ends_at,
  call_window: row.call_window === null ? null : (JSON.parse(row.call_window) as CallWindow),
  max_attempts: row.max_attempts,
  min_retry_minutes: row.min_retry_minutes,
  retry_rules: parseRules(row.retry_rules),
  time_zone,
});

const withoutZeros = (counts: Enrolled) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** The tag of what an update can change, and one of the counts. */
const tagOf = ({ enrolled, ...rest }: Campaign): string => tagInParts(rest, enrolled);

export const campaignWithEtag = (campaign: Campaign): JsonWithEtag => ({
  json: JSON.stringify(campaign),
  etag: tagOf(campaign),
});

export const getCampaign = longRead(
  'getCampaign',
  async (db, principal: Principal, { id }: { id: string }) => {
    const found = await findCampaign(db, principal, id);
    const enrolled = await countEnrolled(db, principal.workspace, [found.id]);
    return campaignOf(found, enrolled(found.id));
  },
);

/** `%` and `_` are plain characters. */
const patternOf = (text: string): string => `%${lowerAscii(text).replace(/[\\%_]/g, '\\$&')}%`;

export const listCampaigns = longRead(
  'listCampaigns',
  async (db, principal: Principal, query: CampaignQuery): Promise<Page> => {
    const { workspace } = principal;
    const { search, status, agent_id, sort } = query;
    const conditions = equalTo({
      status,
      agent: agent_id && (parseUuid(agent_id) ?? agent_id),
      text: search && patternOf(search),
    });
    const plan = campaignList.plan(conditions, sort ?? '-created_at');
    const rows = await campaignList.page(db, plan, listedCampaigns, { workspace, ...pageRequestOf(query) });
    const ids = rows.map(({ id }) => id);
    const enrolled = await countEnrolled(db, workspace, ids);
    const zone = query.include === 'schedule' ? await timeZoneOf(db, principal) : undefined;
    const campaigns = rows.map((row) => ({
      ...campaignOf(row, enrolled(row.id)),
      ...(zone !== undefined && { schedule: scheduleOf(row, zone) }),
    }));
    return pageOf(campaigns, await campaignList.total(db, plan, workspace));
  },
);

const campaignSnapshot = (campaign: Campaign): Snapshot => ({
  campaign: campaign.id,
  agent: campaign.agent.id,
  data: JSON.stringify(campaign),
});

export const recordScheduleChange = async (
  db: Db,
  principal: Principal,
  id: string,
  { fields, values }: Pick<Entry, 'fields' | 'values'>,
): Promise<void> => {
  const event = { ...campaignSnapshot(await getCampaign(db, principal, { id })), changed: ['schedule'] };
  change(db, principal, { action: 'campaign.updated', subject: id, fields, values, event });
};

export const createCampaign = write(
  'createCampaign',
  async (
    db,
    principal: Principal,
    { name, agent_id, status = 'draft', audience: wanted = null }: CampaignCreate,
  ) => {
    const now = timestamp();
    const audience = await lockAudience(db, principal, wanted);
    if (audience && status === 'finished') throw finished();
    const agent = await lockAgent(db, principal, agent_id);
    const id = campaignId.create();
    await db.run(store.insertCampaign, {
      workspace_id: principal.workspace,
      id,
      name,
      agent_id: agent.id,
      status,
      created_at: now,
      updated_at: now,
    });
    const key = { workspace_id: principal.workspace, id, followed_until: null, unblocked_after: null };
    if (audience) await startAudience(db, key, audience);
    const campaign = await getCampaign(db, principal, { id });
    change(db, principal, { action: 'campaign.created', subject: id, event: campaignSnapshot(campaign) });
    return campaign;
  },
);

const REFUSALS: readonly string[] = ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'];
const noneIfRefused = (error: unknown): null => {
  if (error instanceof ApiError && REFUSALS.includes(error.code)) return null;
  throw error;
};

/** Copies a campaign as a draft, without its enrollments, and without an audience that the caller may not use. The copy does not start or end automatically. */
export const duplicateCampaign = write(
  'duplicateCampaign',
  async (db, principal: Principal, { id, name }: CampaignDuplicate & { id: string }) => {
    const found = await findCampaign(db, principal, id);
    const { agent_id, name: former } = found;
    // A finished campaign does not keep its segment from being deleted or made private, nor the fields of its filter.
    const audience = await lockUsable(db, principal, audienceOf(found)).catch(noneIfRefused);
    const copy = await createCampaign(db, principal, { name: name ?? former, agent_id, audience });
    const manual = { starts_at: null, ends_at: null, start_state: null, zones_after: null };
    await db.run(store.updateSchedule, { ...found, ...manual, id: copy.id, updated_at: copy.updated_at });
    return copy;
  },
);

const finished = () => conflict('This campaign has finished, so it cannot have another audience.');

/** The allowed changes of the status. */
const NEXT: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ['active', 'finished'],
  active: ['paused', 'finished'],
  paused: ['active', 'finished'],
  finished: [],
};

/** Whether the scheduled end has passed. */
export const isOver = ({ ends_at }: Pick<store.ScheduleColumns, 'ends_at'>): boolean =>
  ends_at !== null && ends_at <= timestamp();

/** Whether a campaign that has started is finished, or will be as soon as the job of its end runs. */
export const hasEnded = (campaign: Pick<store.Campaign, 'status' | 'ends_at'>): boolean =>
  campaign.status === 'finished' || (campaign.status !== 'draft' && isOver(campaign));

/** The id of a campaign's agent. */
export const agentOf = async (db: Db, key: Key): Promise<string | undefined> =>
  (await db.get(store.findListedCampaign, key))?.agent_id;

interface CampaignChange extends CampaignUpdate {
  id: string;
  match?: IfMatch;
  /** The result of the scheduled start that makes the change. A change of the status by anyone else ends a start that is still to
   *  come. */
  start_state?: StartState;
}

/** What the audit log shows of a campaign. */
const settingsOf = (row: store.Campaign) => ({
  ...pickColumns(row, ['name', 'agent_id', 'status']),
  audience: audienceOf(row),
});

export const changeCampaign = async (
  db: Db,
  principal: Principal,
  { id, match, start_state, audience: wantedAudience, ...fields }: CampaignChange,
): Promise<Campaign> => {
  if (fields.agent_id !== undefined) assertAlso(principal, 'agents:read');
  const audience = await lockAudience(db, principal, wantedAudience);
  const key = { workspace: principal.workspace, id: campaignId.require(id) };
  // The agent is locked before the campaign: deleting an agent locks them in the same order.
  const wanted = fields.agent_id ?? (fields.status === 'active' ? await agentOf(db, key) : undefined);
  const agent = wanted === undefined ? undefined : await tryLockAgent(db, principal, { agent: wanted });
  const before = await lockCampaign(db, principal, id);
  // Dialers change the counts all the time, which must not prevent anyone from pausing the campaign.
  if (match) assertUpdatableMatches('campaign', tagOf(await getCampaign(db, principal, { id })), match);
  const { status = before.status } = fields;
  if (status !== before.status && !NEXT[before.status].includes(status)) {
    const options = NEXT[before.status].join(', ');
    throw conflict(
      `This campaign is ${before.status} and cannot become ${status}.${options && ` Allowed: ${options}.`}`,
    );
  }
  const isActivated = status === 'active' && before.status !== 'active';
  if (fields.agent_id === undefined && isActivated && wanted !== before.agent_id) {
    throw new TransactionConflict('Another request changed this campaign. Retry.');
  }
  if (isActivated && isOver(before)) {
    throw conflict(
      'The end of this campaign has passed, so it cannot start. Change or remove ends_at in its schedule first.',
    );
  }
  // An active campaign needs an agent that is not deleted.
  if ((fields.agent_id !== undefined || isActivated) && agent === undefined) throw notFound('agent');
  const agent_id = fields.agent_id === undefined ? before.agent_id : (agent ?? before.agent_id);
  const isManual = principal.actor !== SCHEDULE;
  const isStartOver =
    isManual && status !== before.status && before.starts_at !== null && before.start_state === null;
  const row = {
    ...before,
    ...fields,
    status,
    agent_id,
    start_state: start_state ?? (isStartOver ? 'changed_manually' : before.start_state),
    updated_at: timestampAfter(before.updated_at),
  };
  await db.run(store.updateCampaignRow, row);
  const isReaimed = audience !== undefined && JSON.stringify(audience) !== JSON.stringify(audienceOf(before));
  if (isReaimed && status === 'finished') throw finished();
  if (isReaimed) await startAudience(db, row, audience);
  if (status === 'finished') await cancelJobs(db, row, ENROLLING, FOLLOWING);
  if (isStartOver) await cancelJobs(db, row, STARTING);
  if (isManual && status === 'finished' && before.ends_at !== null) await cancelJobs(db, row, ENDING);
  const changed = [
    ...changedFields(before, row, ['name', 'agent_id', 'status']),
    ...(isReaimed ? ['audience'] : []),
  ];
  const campaign = await getCampaign(db, principal, { id });
  const shown = changed.map((name) => (name === 'agent_id' ? 'agent' : name));
  const event = { ...campaignSnapshot(campaign), changed: shown };
  const values = { before: settingsOf(before), after: { ...settingsOf(row), audience: campaign.audience } };
  change(db, principal, { action: 'campaign.updated', subject: before.id, fields: changed, values, event });
  if (status === 'finished' && before.status !== 'finished') {
    const entry = { subject: before.id, name: campaign.name, counts: withoutZeros(campaign.enrolled) };
    recordNotice(db, principal, { kind: 'campaign.finished', actor: principal.actor, ...entry });
  }
  return campaign;
};

export const updateCampaign = write('updateCampaign', changeCampaign);

/** Pauses the active campaigns of a deleted agent. */
export const pauseCampaigns = async (db: Db, principal: Principal, { id }: { id: string }): Promise<void> => {
  const { workspace } = principal;
  const paused = await db.all(store.pauseOfAgent, { workspace, agent: id, at: timestamp() });
  if (paused.length === 0) return;
  const ids = paused.map((campaign) => campaign.id);
  const rows = await db.all(store.findListedCampaigns, { workspace, ids: JSON.stringify(ids) });
  const enrolled = await countEnrolled(db, workspace, ids);
  for (const row of rows) {
    const event = campaignSnapshot(campaignOf(row, enrolled(row.id)));
    const entry = { subject: row.id, fields: ['status'], event };
    change(db, principal, { action: 'campaign.updated', isAudited: false, ...entry });
  }
};
