import { type RawBuilder, sql } from 'kysely';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { Names } from '../contacts/contact.schema.ts';
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
type PageArgs = { limit: number; offset: number };

const COLUMNS = ['workspace_id', 'id', 'name', 'agent_id', 'status', 'created_at', 'updated_at'] as const;

export const insertCampaign = statement((query, row: CampaignRow, dialect) =>
  query
    .insertInto('campaigns')
    .values({ ...pickColumns(row, COLUMNS), seq: dialect.nextSeq('campaigns', row.workspace_id) }),
);

export const selectCampaignForUpdate = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('campaigns')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(dialect.lockRow()),
);

export const updateCampaignRow = statement((query, row: CampaignRow) =>
  query
    .updateTable('campaigns')
    .set(pickColumns(row, ['name', 'agent_id', 'status', 'updated_at']))
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

export type ListedCampaign = CampaignRow & { agent_name: string; agent_deleted_at: string | null };

const listed = (where: ReturnType<typeof sql>) => sql<ListedCampaign>`
  select k.*, a.name as agent_name, a.deleted_at as agent_deleted_at from campaigns as k
  join agents as a on a.workspace_id = k.workspace_id and a.id = k.agent_id
  where ${where}`;

export const findListedCampaign = statement((_, { workspace, id }: Key) =>
  listed(sql`k.workspace_id = ${workspace} and k.id = ${id}`),
);

export const listCampaignRows = statement(
  (_, { workspace, limit, offset }: { workspace: number } & PageArgs) =>
    listed(sql`k.workspace_id = ${workspace} order by k.seq desc limit ${limit} offset ${offset}`),
);

export const countCampaigns = statement(
  (_, { workspace }: { workspace: number }) => sql<{ campaigns: number; active: number }>`
    select count(*) as campaigns, count(case when status = 'active' then 1 end) as active
    from campaigns where workspace_id = ${workspace}`,
);

export const listActiveOfAgent = statement((_, { workspace, agent }: { workspace: number; agent: string }) =>
  listed(
    sql`k.workspace_id = ${workspace} and k.agent_id = ${agent} and k.status = 'active' order by k.seq desc`,
  ),
);

type Enrolling = { workspace: number; campaign: string; ids: string; at: string };

/** Enrolls the contacts that exist and are not enrolled yet. Locks them in the order of their ids, so that none is deleted in
 *  the meantime. */
export const insertEnrollments = statement(
  (_, { workspace, campaign, ids, at }: Enrolling, dialect) => sql<never>`
    insert into enrollments (workspace_id, campaign_id, contact_id, status, enrolled_at, updated_at)
    select workspace_id, ${campaign}, id, 'pending', ${at}, ${at} from (
      select workspace_id, id from contacts
      where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})
      order by id ${dialect.lockRow()}
    ) as locked where true
    on conflict (workspace_id, campaign_id, contact_id) do nothing`,
);

export const findExisting = statement(
  (_, { workspace, ids }: { workspace: number; ids: string }, dialect) => sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})`,
);

type EnrollmentKey = { workspace: number; campaign: string; contact: string };

export const selectEnrollmentForUpdate = statement(
  (query, { workspace, campaign, contact }: EnrollmentKey, dialect) =>
    query
      .selectFrom('enrollments')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('campaign_id', '=', campaign)
      .where('contact_id', '=', contact)
      .modifyEnd(dialect.lockRow()),
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
    .where('contact_id', '=', contact)
    .returning(['campaign_id', 'status']),
);

export const deleteOfContact = statement(
  (query, { workspace, contact }: { workspace: number; contact: string }) =>
    query
      .deleteFrom('enrollments')
      .where('workspace_id', '=', workspace)
      .where('contact_id', '=', contact)
      .returning(['campaign_id', 'status']),
);

export type ListedEnrollment = EnrollmentRow &
  Names & { campaign_name: string; campaign_status: CampaignStatus; phone_number: string };

/** Adds the names to a page of enrollments. */
const named = (
  workspace: number,
  rows: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
) => sql<ListedEnrollment>`
  select e.*, k.name as campaign_name, k.status as campaign_status,
    p.phone_number, p.display_name, p.first_name, p.last_name
  from (${rows}) as e
  join campaigns as k on k.workspace_id = ${workspace} and k.id = e.campaign_id
  join contacts as p on p.workspace_id = ${workspace} and p.id = e.contact_id
  order by ${order}`;

type OfCampaign = Key & PageArgs & { status: string };

const ofCampaign = (withStatus: boolean) =>
  statement(
    (_, { workspace, id, status, limit, offset }: OfCampaign) =>
      named(
        workspace,
        sql`select * from enrollments where workspace_id = ${workspace} and campaign_id = ${id}
          ${withStatus ? sql`and status = ${status}` : sql``} order by contact_id desc limit ${limit} offset ${offset}`,
        sql`e.contact_id desc`,
      ),
    { planOnce: false },
  );

export const listsOfCampaign = { all: ofCampaign(false), status: ofCampaign(true) };

export const listOfContact = statement((_, { workspace, contact }: { workspace: number; contact: string }) =>
  named(
    workspace,
    sql`select * from enrollments where workspace_id = ${workspace} and contact_id = ${contact}`,
    sql`e.enrolled_at desc`,
  ),
);

export const findListedEnrollment = statement((_, { workspace, campaign, contact }: EnrollmentKey) =>
  named(
    workspace,
    sql`select * from enrollments
      where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id = ${contact}`,
    sql`e.contact_id`,
  ),
);
