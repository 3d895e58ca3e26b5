import { sql } from 'kysely';
import { statementsOver } from '../storage/statement.ts';
import type { CampaignStatus, EnrollmentStatus } from './campaign.schema.ts';

export type CampaignRow = {
  workspace_id: number;
  id: string;
  name: string;
  agent_id: string;
  status: CampaignStatus;
  created_at: string;
  updated_at: string;
};

export type EnrollmentRow = {
  workspace_id: number;
  campaign_id: string;
  contact_id: string;
  status: EnrollmentStatus;
  enrolled_at: string;
  updated_at: string;
};

const statement = statementsOver<{ campaigns: CampaignRow & { seq: number }; enrollments: EnrollmentRow }>();

type Key = { workspace: number; id: string };
type Window = { limit: number; offset: number };

export const insertCampaign = statement((query, row: CampaignRow, can) =>
  query.insertInto('campaigns').values({
    workspace_id: row.workspace_id,
    id: row.id,
    seq: can.nextSeq('campaigns', row.workspace_id),
    name: row.name,
    agent_id: row.agent_id,
    status: row.status,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
);

export const takeCampaign = statement((query, { workspace, id }: Key, can) =>
  query
    .selectFrom('campaigns')
    .select(['workspace_id', 'id', 'name', 'agent_id', 'status', 'created_at', 'updated_at'])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(can.lockRow()),
);

export const updateCampaignRow = statement((query, row: CampaignRow) =>
  query
    .updateTable('campaigns')
    .set({ name: row.name, agent_id: row.agent_id, status: row.status, updated_at: row.updated_at })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id),
);

export const pauseOfAgent = statement(
  (query, { workspace, agent, at }: { workspace: number; agent: string; at: string }) =>
    query
      .updateTable('campaigns')
      .set({ status: sql.lit('paused' as const), updated_at: at })
      .where('workspace_id', '=', workspace)
      .where('agent_id', '=', agent)
      .where('status', '=', sql.lit('active' as const)),
);

export type ListedCampaign = CampaignRow & { agent_name: string };

const listed = (where: ReturnType<typeof sql>) => sql<ListedCampaign>`
  select k.*, a.name as agent_name from campaigns as k
  join agents as a on a.workspace_id = k.workspace_id and a.id = k.agent_id
  where ${where}`;

export const showCampaign = statement((_, { workspace, id }: Key) =>
  listed(sql`k.workspace_id = ${workspace} and k.id = ${id}`),
);

export const listCampaignRows = statement((_, { workspace, limit, offset }: { workspace: number } & Window) =>
  listed(sql`k.workspace_id = ${workspace} order by k.seq desc limit ${limit} offset ${offset}`),
);

export const countCampaigns = statement(
  (_, { workspace }: { workspace: number }) =>
    sql<{ count: number }>`select count(*) as count from campaigns where workspace_id = ${workspace}`,
);

export const listActiveOfAgent = statement((_, { workspace, agent }: { workspace: number; agent: string }) =>
  listed(
    sql`k.workspace_id = ${workspace} and k.agent_id = ${agent} and k.status = 'active' order by k.seq desc`,
  ),
);

export const countByStatus = statement(
  (_, { workspace, id }: Key) => sql<{ status: EnrollmentStatus; count: number }>`
    select status, count(*) as count from enrollments
    where workspace_id = ${workspace} and campaign_id = ${id} group by status`,
);

type Enrolling = { workspace: number; campaign: string; ids: string; at: string };

/** Enrolls those of the contacts that exist and are not enrolled yet. They are held, in one order, so that none of them is
 *  deleted in between. */
export const insertEnrollments = statement(
  (_, { workspace, campaign, ids, at }: Enrolling, can) => sql<never>`
    insert into enrollments (workspace_id, campaign_id, contact_id, status, enrolled_at, updated_at)
    select workspace_id, ${campaign}, id, 'pending', ${at}, ${at} from (
      select workspace_id, id from contacts
      where workspace_id = ${workspace} and id in (select value from ${can.eachText(ids)})
      order by id ${can.lockRow()}
    ) as held where true
    on conflict (workspace_id, campaign_id, contact_id) do nothing`,
);

/** Which of some ids are contacts of the workspace. */
export const findExisting = statement(
  (_, { workspace, ids }: { workspace: number; ids: string }, can) => sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspace} and id in (select value from ${can.eachText(ids)})`,
);

type EnrollmentKey = { workspace: number; campaign: string; contact: string };

export const takeEnrollment = statement((query, { workspace, campaign, contact }: EnrollmentKey, can) =>
  query
    .selectFrom('enrollments')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('campaign_id', '=', campaign)
    .where('contact_id', '=', contact)
    .modifyEnd(can.lockRow()),
);

export const setEnrollment = statement(
  (
    query,
    { workspace, campaign, contact, status, at }: EnrollmentKey & { status: EnrollmentStatus; at: string },
  ) =>
    query
      .updateTable('enrollments')
      .set({ status, updated_at: at })
      .where('workspace_id', '=', workspace)
      .where('campaign_id', '=', campaign)
      .where('contact_id', '=', contact),
);

export const deleteEnrollmentRow = statement((query, { workspace, campaign, contact }: EnrollmentKey) =>
  query
    .deleteFrom('enrollments')
    .where('workspace_id', '=', workspace)
    .where('campaign_id', '=', campaign)
    .where('contact_id', '=', contact),
);

export const deleteOfContact = statement(
  (query, { workspace, contact }: { workspace: number; contact: string }) =>
    query.deleteFrom('enrollments').where('workspace_id', '=', workspace).where('contact_id', '=', contact),
);

export type ListedEnrollment = EnrollmentRow & { campaign_name: string };

const enrollments = (where: ReturnType<typeof sql>) => sql<ListedEnrollment>`
  select e.*, k.name as campaign_name from enrollments as e
  join campaigns as k on k.workspace_id = e.workspace_id and k.id = e.campaign_id
  where ${where}`;

export const listOfCampaign = statement((_, { workspace, id, limit, offset }: Key & Window) =>
  enrollments(sql`e.workspace_id = ${workspace} and e.campaign_id = ${id}
    order by e.contact_id desc limit ${limit} offset ${offset}`),
);

export const listOfContact = statement((_, { workspace, contact }: { workspace: number; contact: string }) =>
  enrollments(sql`e.workspace_id = ${workspace} and e.contact_id = ${contact} order by e.enrolled_at desc`),
);
