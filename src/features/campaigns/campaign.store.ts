import { type RawBuilder, sql } from 'kysely';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { Names } from '../contacts/contact.schema.ts';
import type { CampaignStatus, EnrollmentStatus, StartState } from './campaign.schema.ts';

export type CampaignRow = {
  workspace_id: number;
  id: string;
  name: string;
  agent_id: string;
  status: CampaignStatus;
  created_at: string;
  updated_at: string;
};

export type ScheduleColumns = {
  starts_at: string | null;
  ends_at: string | null;
  /** Null until the start is over. */
  start_state: StartState | null;
  /** A `CallWindow` as JSON. */
  call_window: string | null;
  max_attempts: number | null;
  min_retry_minutes: number | null;
  /** The last contact whose zone is stored, while a job stores the zones of all; otherwise null. */
  zones_after: string | null;
};

export type EnrollmentRow = {
  workspace_id: number;
  campaign_id: string;
  contact_id: string;
  status: EnrollmentStatus;
  enrolled_at: string;
  updated_at: string;
  /** How many times the contact was claimed. */
  attempts: number;
  outcome: string | null;
  /** The last claim, also after it has ended, so that its caller can repeat a report. A change without a claim clears it. */
  claim_id: string | null;
  /** 1 while a claim has a lease, even an expired one. */
  leased: number;
  /** Pending: the retry time, or '' for now. Leased: the end of the lease. Otherwise ''. */
  available_at: string;
  /** The time zones of the contact (see call-window.ts); '' if they were not needed yet. */
  zone_group: string;
  last_attempt_at: string | null;
};

const statement = statementsOver<{
  campaigns: CampaignRow & ScheduleColumns & { seq: number; deleted_at: string | null };
  enrollments: EnrollmentRow;
}>();

type Key = { workspace: number; id: string };

const COLUMNS = ['workspace_id', 'id', 'name', 'agent_id', 'status', 'created_at', 'updated_at'] as const;

export const SCHEDULE_COLUMNS = [
  'starts_at',
  'ends_at',
  'start_state',
  'call_window',
  'max_attempts',
  'min_retry_minutes',
  'zones_after',
] as const;

export const insertCampaign = statement((query, row: CampaignRow, dialect) =>
  query
    .insertInto('campaigns')
    .values({ ...pickColumns(row, COLUMNS), seq: dialect.nextSeq('campaigns', row.workspace_id) }),
);

export const selectCampaignForUpdate = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('campaigns')
    .select([...COLUMNS, ...SCHEDULE_COLUMNS])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .modifyEnd(dialect.lockRow()),
);

export const updateCampaignRow = statement((query, row: CampaignRow & Pick<ScheduleColumns, 'start_state'>) =>
  query
    .updateTable('campaigns')
    .set(pickColumns(row, ['name', 'agent_id', 'status', 'start_state', 'updated_at']))
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
      .where('status', '=', sql.lit('active' as const))
      .where('deleted_at', 'is', null)
      .returning('id'),
);

export type ListedCampaign = CampaignRow &
  ScheduleColumns & { agent_name: string; agent_deleted_at: string | null };

export const listed = (where: ReturnType<typeof sql>) => sql<ListedCampaign>`
  select k.*, a.name as agent_name, a.deleted_at as agent_deleted_at from campaigns as k
  join agents as a on a.workspace_id = k.workspace_id and a.id = k.agent_id
  where k.deleted_at is null and ${where}`;

export const findListedCampaign = statement((_, { workspace, id }: Key) =>
  listed(sql`k.workspace_id = ${workspace} and k.id = ${id}`),
);

/** `ids` is a JSON array. */
export const findListedCampaigns = statement(
  (_, { workspace, ids }: { workspace: number; ids: string }, dialect) =>
    listed(sql`k.workspace_id = ${workspace} and k.id in (select value from ${dialect.eachText(ids)})`),
);

export const countCampaigns = statement(
  (_, { workspace }: { workspace: number }) => sql<{ campaigns: number; active: number }>`
    select count(*) as campaigns, count(case when status = 'active' then 1 end) as active
    from campaigns where workspace_id = ${workspace} and deleted_at is null`,
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
  (_, { workspace, campaign, ids, at }: Enrolling, dialect) => sql<{ contact_id: string }>`
    insert into enrollments (workspace_id, campaign_id, contact_id, status, enrolled_at, updated_at)
    select workspace_id, ${campaign}, id, 'pending', ${at}, ${at} from (
      select workspace_id, id from contacts
      where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})
      order by id ${dialect.lockRow()}
    ) as locked where true
    on conflict (workspace_id, campaign_id, contact_id) do nothing returning contact_id`,
);

export const findExisting = statement(
  (_, { workspace, ids }: { workspace: number; ids: string }, dialect) => sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})`,
);

type EnrollmentKey = { workspace: number; campaign: string; contact: string };

/** The limits of the campaign on attempts. */
export type AttemptLimits = Pick<ScheduleColumns, 'max_attempts' | 'min_retry_minutes'>;

export const selectEnrollmentForUpdate = statement(
  (_, { workspace, campaign, contact }: EnrollmentKey, dialect) => {
    const limit = (column: string) => sql`(select ${sql.ref(column)} from campaigns
      where workspace_id = ${workspace} and id = ${campaign}) as ${sql.ref(column)}`;
    return sql<EnrollmentRow & AttemptLimits>`
      select *, ${limit('max_attempts')}, ${limit('min_retry_minutes')} from enrollments
      where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id = ${contact}
        and exists (select 1 from campaigns
          where workspace_id = ${workspace} and id = ${campaign} and deleted_at is null)
      ${dialect.lockRow()}`;
  },
);

/** For enrollments without a claim. */
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

export const deleteEnrollmentRow = statement(
  (_, { workspace, campaign, contact }: EnrollmentKey) => sql<
    Pick<EnrollmentRow, 'campaign_id' | 'contact_id' | 'status'>
  >`
    delete from enrollments where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id = ${contact}
      and exists (select 1 from campaigns where workspace_id = ${workspace} and id = ${campaign} and deleted_at is null)
    returning campaign_id, contact_id, status`,
);

/** `contacts` is a JSON array of ids. */
export const deleteOfContacts = statement(
  (_, { workspace, contacts }: { workspace: number; contacts: string }, dialect) => sql<
    Pick<EnrollmentRow, 'campaign_id' | 'contact_id' | 'status'>
  >`
    with deleted as materialized (select value from ${dialect.eachText(contacts)})
    delete from enrollments where workspace_id = ${workspace} and contact_id in (select value from deleted)
    returning campaign_id, contact_id, status`,
);

export type ListedEnrollment = EnrollmentRow &
  Names & { campaign_name: string; campaign_status: CampaignStatus; agent_id: string; phone_number: string };

/** Adds the names to a page of enrollments. */
export const named = (
  workspace: number,
  rows: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
) => sql<ListedEnrollment>`
  select e.*, k.name as campaign_name, k.status as campaign_status, k.agent_id,
    p.phone_number, p.display_name, p.first_name, p.last_name
  from (${rows}) as e
  join campaigns as k on k.workspace_id = ${workspace} and k.id = e.campaign_id and k.deleted_at is null
  join contacts as p on p.workspace_id = ${workspace} and p.id = e.contact_id
  order by ${order}`;

export const listOfContact = statement((_, { workspace, contact }: { workspace: number; contact: string }) =>
  named(
    workspace,
    sql`select * from enrollments where workspace_id = ${workspace} and contact_id = ${contact}`,
    sql`e.enrolled_at desc`,
  ),
);

/** `contacts` is a JSON array of ids. */
export const findListedEnrollments = statement(
  (
    _,
    { workspace, campaign, contacts }: { workspace: number; campaign: string; contacts: string },
    dialect,
  ) =>
    named(
      workspace,
      sql`select * from enrollments where workspace_id = ${workspace} and campaign_id = ${campaign}
        and contact_id in (select value from ${dialect.eachText(contacts)})`,
      sql`e.contact_id`,
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

type DuplicateArgs = Key & { source: string };

/** Copies the call window and the limits on attempts. A copy does not start or end automatically. */
export const copySettings = statement(
  (_, { workspace, id, source }: DuplicateArgs) => sql<never>`
    update campaigns set call_window = original.call_window, max_attempts = original.max_attempts,
      min_retry_minutes = original.min_retry_minutes
    from (select call_window, max_attempts, min_retry_minutes from campaigns
      where workspace_id = ${workspace} and id = ${source}) as original
    where campaigns.workspace_id = ${workspace} and campaigns.id = ${id}`,
);

export const markDeleted = statement((query, { workspace, id, at }: Key & { at: string }) =>
  query
    .updateTable('campaigns')
    .set({ deleted_at: at, status: sql.lit('finished' as const), updated_at: at })
    .where('workspace_id', '=', workspace)
    .where('id', '=', id),
);

export const deleteCampaignRow = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('campaigns').where('workspace_id', '=', workspace).where('id', '=', id),
);

/** The next enrollments of a deleted campaign. Rows that another transaction has locked come later. */
export const selectSomeEnrollments = statement(
  (_, { workspace, id, limit }: Key & { limit: number }, dialect) => sql<
    Pick<EnrollmentRow, 'contact_id' | 'status'>
  >`select contact_id, status from enrollments where workspace_id = ${workspace} and campaign_id = ${id}
    order by contact_id limit ${limit} ${dialect.lockRow()}`,
);

/** `until` is the last contact of a step. */
export const deleteEnrollmentsUntil = statement((query, { workspace, id, until }: Key & { until: string }) =>
  query
    .deleteFrom('enrollments')
    .where('workspace_id', '=', workspace)
    .where('campaign_id', '=', id)
    .where('contact_id', '<=', until),
);
