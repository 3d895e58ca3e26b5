import type { Db } from '../../db/db.ts';
import { longRead, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { ApiError, notFound, TransactionConflict } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, withEtag } from '../../lib/etag.ts';
import { typeId } from '../../lib/ids.ts';
import { type Page, pageRequestOf } from '../../lib/page.ts';
import { lockExistingAgent, tryLockAgent } from '../agents/deploy.service.ts';
import { changedFields, recordChange } from '../audit/audit.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { CampaignCreate, CampaignQuery, CampaignStatus, CampaignUpdate } from './campaign.schema.ts';
import * as store from './campaign.store.ts';
import { countEnrolled, type Enrolled } from './enrollment.counts.ts';

export const campaignId = typeId('campaign');

export const parseCampaignId = (id: string): string => {
  const parsed = campaignId.parse(id);
  if (!parsed) throw notFound('campaign');
  return parsed;
};

const campaignOf = (row: store.ListedCampaign, enrolled: Enrolled) => ({
  id: row.id,
  name: row.name,
  agent: { id: row.agent_id, name: row.agent_name, deleted: row.agent_deleted_at !== null },
  status: row.status,
  enrolled,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const getCampaign = longRead(
  'getCampaign',
  async (db: Db, { workspace }: Principal, { id }: { id: string }) => {
    const found = await db.get(store.findListedCampaign, { workspace, id: parseCampaignId(id) });
    if (!found) throw notFound('campaign');
    const enrolled = await countEnrolled(db, workspace, [found.id]);
    return campaignOf(found, enrolled.get(found.id) ?? {});
  },
);

export const listCampaigns = longRead(
  'listCampaigns',
  async (db: Db, { workspace }: Principal, query: CampaignQuery): Promise<Page> => {
    const rows = await db.all(store.listCampaignRows, { workspace, ...pageRequestOf(query) });
    const ids = rows.map(({ id }) => id);
    const enrolled = await countEnrolled(db, workspace, ids);
    const campaigns = rows.map((row) => JSON.stringify(campaignOf(row, enrolled.get(row.id) ?? {})));
    return { json: campaigns.join(','), total: (await countCampaigns(db, { workspace })).campaigns };
  },
);

export const countCampaigns = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
): Promise<{ campaigns: number; active: number }> => {
  const found = await db.get(store.countCampaigns, { workspace });
  return { campaigns: Number(found?.campaigns), active: Number(found?.active) };
};

export const createCampaign = write(
  'createCampaign',
  async (db: Db, principal: Principal, { name, agent_id, status = 'draft' }: CampaignCreate) => {
    const now = timestamp();
    const agent = await lockExistingAgent(db, principal, { agent: agent_id });
    const id = campaignId.create();
    await db.run(store.insertCampaign, {
      workspace_id: principal.workspace,
      id,
      name,
      agent_id: agent,
      status,
      created_at: now,
      updated_at: now,
    });
    recordChange(db, principal, { action: 'campaign.created', subject: id });
    return getCampaign(db, principal, { id });
  },
);

/** The allowed changes of the status. */
const NEXT: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ['active', 'finished'],
  active: ['paused', 'finished'],
  paused: ['active', 'finished'],
  finished: [],
};

const agentOf = async (db: Db, key: { workspace: number; id: string }): Promise<string | undefined> =>
  (await db.get(store.findListedCampaign, key))?.agent_id;

export const updateCampaign = write(
  'updateCampaign',
  async (
    db: Db,
    principal: Principal,
    { id, fields, match }: { id: string; fields: CampaignUpdate; match?: IfMatch },
  ) => {
    const key = { workspace: principal.workspace, id: parseCampaignId(id) };
    // The agent is locked before the campaign: deleting an agent locks them in the same order.
    const wanted = fields.agent_id ?? (fields.status === 'active' ? await agentOf(db, key) : undefined);
    const agent = wanted === undefined ? undefined : await tryLockAgent(db, principal, { agent: wanted });
    const before = await db.get(store.selectCampaignForUpdate, key);
    if (!before) throw notFound('campaign');
    if (match) assertIfMatch('campaign', withEtag(await getCampaign(db, principal, { id })).etag, match);
    const { status = before.status } = fields;
    if (status !== before.status && !NEXT[before.status].includes(status)) {
      const options = NEXT[before.status].join(', ');
      throw new ApiError(
        'CONFLICT',
        `This campaign is ${before.status} and cannot become ${status}.${options && ` Allowed: ${options}.`}`,
      );
    }
    const isActivated = status === 'active' && before.status !== 'active';
    if (fields.agent_id === undefined && isActivated && wanted !== before.agent_id) {
      throw new TransactionConflict('Another request changed this campaign. Retry.');
    }
    // An active campaign needs an agent that is not deleted.
    if ((fields.agent_id !== undefined || isActivated) && agent === undefined) throw notFound('agent');
    const agent_id = fields.agent_id === undefined ? before.agent_id : (agent ?? before.agent_id);
    const row = { ...before, ...fields, status, agent_id, updated_at: timestampAfter(before.updated_at) };
    await db.run(store.updateCampaignRow, row);
    const changed = changedFields(before, row, ['name', 'agent_id', 'status']);
    recordChange(db, principal, { action: 'campaign.updated', subject: before.id, fields: changed });
    return getCampaign(db, principal, { id });
  },
);

/** Pauses the active campaigns of a deleted agent. */
export const pauseCampaigns = async (
  db: Db,
  { workspace }: Principal,
  { id }: { id: string },
): Promise<void> => {
  await db.run(store.pauseOfAgent, { workspace, agent: id, at: timestamp() });
};
