import { type RawBuilder, sql } from 'kysely';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { CampaignRow, EnrollmentRow, ScheduleColumns } from './campaign.store.ts';

const statement = statementsOver<{
  campaigns: CampaignRow & ScheduleColumns & { deleted_at: string | null };
  enrollments: EnrollmentRow;
}>();

type Key = { workspace: number; id: string };

/** Prevents changes of the campaign until the transaction ends. Other claims do not wait. */
export const selectCampaignForClaim = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('campaigns')
    .select([
      'id',
      'status',
      'agent_id',
      'ends_at',
      'call_window',
      'max_attempts',
      'min_retry_minutes',
      'zones_after',
    ])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .modifyEnd(dialect.lockRowShared()),
);

export type DueEnrollment = Pick<
  EnrollmentRow,
  | 'contact_id'
  | 'status'
  | 'attempts'
  | 'outcome'
  | 'leased'
  | 'available_at'
  | 'updated_at'
  | 'last_attempt_at'
>;

type DueArgs = { workspace: number; campaign: string; now: string; limit: number; zone: string };

const inQueue = sql`(status = 'pending' or (status = 'in_progress' and leased = 1))`;

/** The condition is that of the index `enrollments_queue`, or `enrollments_queue_by_zone`, so that each of these selects reads one range
 *  of it, in order. Rows that another transaction has locked are being claimed or changed there; they are skipped. */
const due = (range: (args: DueArgs) => RawBuilder<unknown>, byZone: boolean) =>
  statement(
    (_, args: DueArgs, dialect) => sql<DueEnrollment>`
      select contact_id, status, attempts, outcome, leased, available_at, updated_at, last_attempt_at from enrollments
      where workspace_id = ${args.workspace} and campaign_id = ${args.campaign}
        ${byZone ? sql`and zone_group = ${args.zone} and zone_group <> ''` : sql``} and ${range(args)} and ${inQueue}
      order by available_at, enrolled_at, contact_id limit ${args.limit} ${dialect.lockUnlockedRows()}`,
  );

const retryDue = ({ now }: DueArgs) => sql`available_at > '' and available_at <= ${now}`;
const neverClaimed = () => sql`available_at = ''`;

/** Contacts whose retry time has come or whose lease has expired. */
export const selectDueRetries = due(retryDue, false);

/** Contacts that are due since they were enrolled, in that order. */
export const selectNewlyEnrolled = due(neverClaimed, false);

/** The same for the contacts of one group of time zones. */
export const selectDueRetriesOfZone = due(retryDue, true);
export const selectNewlyEnrolledOfZone = due(neverClaimed, true);

/** The groups of time zones in the queue of a campaign, with the earliest time at which a contact of the group is due. Each group is
 *  found by one look at the index `enrollments_queue_by_zone`. */
export const findZones = statement((_, { workspace, campaign }: { workspace: number; campaign: string }) => {
  const queue = sql`from enrollments
    where workspace_id = ${workspace} and campaign_id = ${campaign} and zone_group <> '' and ${inQueue}`;
  return sql<{ zone: string; due_at: string }>`
    with recursive zones (zone) as (
      select (select zone_group ${queue} order by zone_group limit 1)
      union all
      select (select zone_group ${queue} and zone_group > zones.zone order by zone_group limit 1)
      from zones where zones.zone is not null
    )
    select zone, (select available_at ${queue} and zone_group = zones.zone order by available_at limit 1) as due_at
    from zones where zone is not null`;
});

type Contacts = { workspace: number; contacts: string };

/** `contacts` is a JSON array of ids. */
export const findPhones = statement(
  (_, { workspace, contacts }: Contacts, dialect) => sql<{ id: string; phone_identity: string | null }>`
    select id, phone_identity from contacts
    where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(contacts)})`,
);

/** `zones` is a JSON array of objects with `contact_id` and `zone`. */
export const setZones = statement(
  (_, { workspace, campaign, zones }: { workspace: number; campaign: string; zones: string }, dialect) =>
    sql<never>`
    with given as materialized (
      select value ->> 'contact_id' as contact_id, value ->> 'zone' as zone from ${dialect.eachObject(zones)}
    )
    update enrollments set zone_group = given.zone
    from given where enrollments.workspace_id = ${workspace} and enrollments.campaign_id = ${campaign}
      and enrollments.contact_id in (select contact_id from given) and enrollments.contact_id = given.contact_id`,
);

/** Ends enrollments that have used all of their attempts. `failed` is a JSON array of objects with `contact_id` and `updated_at`. */
export const failExhausted = statement(
  (_, { workspace, campaign, failed }: { workspace: number; campaign: string; failed: string }, dialect) =>
    sql<never>`
    with given as materialized (
      select value ->> 'contact_id' as contact_id, value ->> 'updated_at' as updated_at
      from ${dialect.eachObject(failed)}
    )
    update enrollments set status = 'failed', leased = 0, available_at = '', updated_at = given.updated_at
    from given where enrollments.workspace_id = ${workspace} and enrollments.campaign_id = ${campaign}
      and enrollments.contact_id in (select contact_id from given) and enrollments.contact_id = given.contact_id`,
);

type ClaimArgs = { workspace: number; campaign: string; now: string; expires_at: string; claims: string };

/** `claims` is a JSON array of objects with `contact_id`, `claim_id` and `updated_at`. Without the `in`, SQLite reads all
 *  enrollments of the campaign. */
export const startLeases = statement(
  (_, { workspace, campaign, now, expires_at, claims }: ClaimArgs, dialect) => sql<never>`
    with claim as materialized (
      select value ->> 'contact_id' as contact_id, value ->> 'claim_id' as claim_id, value ->> 'updated_at' as updated_at
      from ${dialect.eachObject(claims)}
    )
    update enrollments set status = 'in_progress', leased = 1, attempts = attempts + 1,
      available_at = ${expires_at}, last_attempt_at = ${now}, claim_id = claim.claim_id, updated_at = claim.updated_at
    from claim where enrollments.workspace_id = ${workspace} and enrollments.campaign_id = ${campaign}
      and enrollments.contact_id in (select contact_id from claim) and enrollments.contact_id = claim.contact_id`,
);

export type EnrollmentState = Pick<
  EnrollmentRow,
  | 'workspace_id'
  | 'campaign_id'
  | 'contact_id'
  | 'status'
  | 'outcome'
  | 'claim_id'
  | 'leased'
  | 'available_at'
  | 'updated_at'
>;

export const updateEnrollmentRow = statement((query, row: EnrollmentState) =>
  query
    .updateTable('enrollments')
    .set(pickColumns(row, ['status', 'outcome', 'claim_id', 'leased', 'available_at', 'updated_at']))
    .where('workspace_id', '=', row.workspace_id)
    .where('campaign_id', '=', row.campaign_id)
    .where('contact_id', '=', row.contact_id),
);

export const findAgentName = statement(
  (_, { workspace, id }: Key) => sql<{ name: string }>`
    select name from agents where workspace_id = ${workspace} and id = ${id}`,
);
