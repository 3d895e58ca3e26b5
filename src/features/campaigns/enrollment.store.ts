import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../db/dialect.ts';
import { columnsOf, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { type Arguments, statement } from '../../db/statement.ts';
import type { Names } from '../contacts/contact.schema.ts';
import type { CampaignStatus, EnrollmentStatus } from './campaign.schema.ts';
import type { ScheduleColumns } from './campaign.store.ts';

/** What changes of an enrollment read. */
const state = {
  contact_id: text,
  status: typed<EnrollmentStatus>(),
  /** How many times the contact was claimed. */
  attempts: number,
  outcome: textOrNull,
  /** 1 if the outcome has a counter of its own (see enrollment.counts.ts). */
  outcome_counted: number,
  /** 1 while a claim has a lease, even an expired one. */
  leased: number,
  /** Pending: the retry time, or '' for now. Leased: the end of the lease. Blocked: as before, for its return. Otherwise ''. */
  available_at: text,
  /** A JSON object; null if there are none. */
  variables: textOrNull,
  updated_at: text,
  last_attempt_at: textOrNull,
  /** 1 if the audience of the campaign has enrolled it, until someone returns it to the queue. */
  by_audience: number,
};
export const STATE = namesOf(state);
export type EnrollmentState = typeof state;

export type EnrollmentRow = EnrollmentState & {
  workspace_id: number;
  campaign_id: string;
  enrolled_at: string;
  /** The last claim, also after it has ended, so that its caller can repeat a report. A change without a claim clears it. */
  claim_id: string | null;
  /** The time zones of the contact (see call-window.ts); '' if they were not needed yet. */
  zone_group: string;
  /** JSON of an `EnrollmentReason`, while it is blocked or skipped. */
  reason: string | null;
};

const enrollments = rowsOf<EnrollmentRow>({ table: 'enrollments' });

/** `by_audience` is 1 for the audience of the campaign. */
type Enrolling = { workspace: number; campaign: string; ids: string; at: string; by_audience: number };

/** Enrolls the contacts that exist and are not enrolled yet. Locks them in the order of their ids, so that none is deleted in
 *  the meantime. */
export const insertEnrollments = statement(
  ({ workspace, campaign, ids, at, by_audience }: Enrolling, dialect) => sql<
    Pick<EnrollmentRow, 'contact_id' | 'enrolled_at'>
  >`
    insert into enrollments (workspace_id, campaign_id, contact_id, status, enrolled_at, updated_at, by_audience)
    select workspace_id, ${campaign}, id, 'pending', ${at}, ${at}, cast(${by_audience} as int) from (
      select workspace_id, id from contacts
      where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})
      and not exists (select 1 from enrollments
        where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id = contacts.id)
      order by id ${dialect.lockRow()}
    ) as locked where true
    on conflict (workspace_id, campaign_id, contact_id) do nothing returning contact_id, enrolled_at`,
);

export const updateEnrollmentRow = enrollments.set(
  [
    'status',
    'outcome',
    'outcome_counted',
    'claim_id',
    'leased',
    'available_at',
    'reason',
    'variables',
    'by_audience',
    'updated_at',
  ],
  { by: { campaign: 'campaign_id', contact: 'contact_id' } },
);

type EnrollmentKey = { workspace: number; campaign: string; contact: string };

export const findVariables = enrollments.find(['variables'], {
  by: { campaign: 'campaign_id', contact: 'contact_id' },
});

/** What the campaign says about attempts. */
export type AttemptLimits = Pick<ScheduleColumns, 'max_attempts' | 'min_retry_minutes' | 'retry_rules'>;

export const selectEnrollmentForUpdate = statement(
  ({ workspace, campaign, contact }: EnrollmentKey, dialect) => {
    const limit = (column: string) => sql`(select ${sql.ref(column)} from campaigns
      where workspace_id = ${workspace} and id = ${campaign}) as ${sql.ref(column)}`;
    return sql<EnrollmentRow & AttemptLimits>`
      select *, ${limit('max_attempts')}, ${limit('min_retry_minutes')}, ${limit('retry_rules')} from enrollments
      where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id = ${contact}
        and exists (select 1 from campaigns
          where workspace_id = ${workspace} and id = ${campaign} and deleted_at is null)
      ${dialect.lockRow()}`;
  },
);

const DELETED = ['campaign_id', 'contact_id', 'status', 'outcome', 'outcome_counted', 'reason'] as const;
export type DeletedEnrollment = Pick<EnrollmentRow, (typeof DELETED)[number]>;

/** Not in a campaign with a live audience, which would enroll the contact again. */
export const deleteEnrollmentRow = statement(
  ({ workspace, campaign, contact }: EnrollmentKey) => sql<DeletedEnrollment>`
    delete from enrollments where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id = ${contact}
      and exists (select 1 from campaigns where workspace_id = ${workspace} and id = ${campaign} and deleted_at is null
        and (coalesce(audience_mode, '') <> 'live' or status = 'finished'))
    returning ${columnsOf(DELETED)}`,
);

/** `contacts` is a JSON array of ids. */
export const deleteOfContacts = statement(
  ({ workspace, contacts }: { workspace: number; contacts: string }, dialect) => sql<DeletedEnrollment>`
    with deleted as materialized (select value from ${dialect.eachText(contacts)})
    delete from enrollments where workspace_id = ${workspace} and contact_id in (select value from deleted)
    returning ${columnsOf(DELETED)}`,
);

export type ListedEnrollment = EnrollmentRow &
  Names & { campaign_name: string; campaign_status: CampaignStatus; agent_id: string; phone_number: string };

/** Of an enrollment `e`, its campaign `k` and its contact `p`. */
export const LISTED = sql`e.*, k.name as campaign_name, k.status as campaign_status, k.agent_id,
  p.phone_number, p.display_name, p.first_name, p.last_name`;

/** Adds the names to a page of enrollments. */
export const named = (
  workspace: number,
  rows: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
) => sql<ListedEnrollment>`
  select ${LISTED} from (${rows}) as e
  join campaigns as k on k.workspace_id = ${workspace} and k.id = e.campaign_id and k.deleted_at is null
  join contacts as p on p.workspace_id = ${workspace} and p.id = e.contact_id
  order by ${order}`;

export const listOfContact = statement(({ workspace, contact }: { workspace: number; contact: string }) =>
  named(
    workspace,
    sql`select * from enrollments where workspace_id = ${workspace} and contact_id = ${contact}`,
    sql`e.enrolled_at desc`,
  ),
);

type OfCampaign = { workspace: number; campaign: string };
type Listed = OfCampaign & { contacts: string };

/** The enrollments of some contacts in a campaign. `contacts` is a JSON array of ids. */
const ofContacts = ({ workspace, campaign, contacts }: Listed, dialect: SqlDialect) =>
  sql`from enrollments where workspace_id = ${workspace} and campaign_id = ${campaign}
    and contact_id in (select value from ${dialect.eachText(contacts)})`;

export const findListedEnrollments = statement((args: Listed, dialect) =>
  named(args.workspace, sql`select * ${ofContacts(args, dialect)}`, sql`e.contact_id`),
);

/** No one has claimed the contact, or decided about it. */
const UNCLAIMED = sql`attempts = 0 and status in ('pending', 'blocked', 'skipped') and available_at = '' and outcome is null`;

export const findUnclaimed = statement(
  (args: Listed, dialect) => sql<{ contact_id: string; enrolled_at: string; unclaimed: number }>`
    select contact_id, enrolled_at, case when ${UNCLAIMED} then 1 else 0 end as unclaimed ${ofContacts(args, dialect)}`,
);

/** Deletes enrollments of a campaign. Locks them in the order of their contacts. */
const deleteLocked = <A extends OfCampaign>(which: (args: A, dialect: SqlDialect) => RawBuilder<unknown>) =>
  statement(
    (args: A, dialect) => sql<DeletedEnrollment>`
      with locked as materialized (select contact_id ${which(args, dialect)} ${dialect.lockRow()})
      delete from enrollments where workspace_id = ${args.workspace} and campaign_id = ${args.campaign}
      and contact_id in (select contact_id from locked) returning ${columnsOf(DELETED)}`,
  );

export const deleteUnclaimed = deleteLocked(
  (args: Listed, dialect) => sql`${ofContacts(args, dialect)} and ${UNCLAIMED} order by contact_id`,
);

/** Some of a deleted campaign. */
export const deleteSome = deleteLocked(
  ({ workspace, campaign, limit }: OfCampaign & { limit: number }) => sql`from enrollments
    where workspace_id = ${workspace} and campaign_id = ${campaign} order by contact_id limit ${limit}`,
);

/** Locks those that wait in the queue or for a value. */
export const selectWaiting = statement(
  (args: Listed, dialect) => sql<EnrollmentRow>`select * ${ofContacts(args, dialect)}
    and status in ('pending', 'blocked') order by contact_id ${dialect.lockRow()}`,
);

type Walk = OfCampaign & { after: string; limit: number };

/** The next contacts of a campaign in the order of their ids. */
export const walkEnrolled = statement(
  (args: Walk) =>
    sql<{ contact_id: string }>`select contact_id from enrollments
      where workspace_id = ${args.workspace} and campaign_id = ${args.campaign} and contact_id > ${args.after}
      order by contact_id limit ${args.limit}`,
);

type Batch = OfCampaign & { rows: string };

/** Updates enrollments. `rows` is a JSON array of objects with `contact_id` and other fields, which `set` reads from `given`. Without
 *  the `in`, SQLite reads all enrollments of the campaign. */
const updateEach = <A extends Arguments = Arguments>(
  fields: readonly string[],
  set: (args: A) => RawBuilder<unknown>,
) =>
  statement((args: Batch & A, dialect) => {
    const names = ['contact_id', ...fields].map(
      (name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`,
    );
    return sql<never>`
      with given as materialized (select ${sql.join(names)} from ${dialect.eachObject(args.rows)})
      update enrollments set ${set(args)}
      from given where enrollments.workspace_id = ${args.workspace} and enrollments.campaign_id = ${args.campaign}
        and enrollments.contact_id in (select contact_id from given) and enrollments.contact_id = given.contact_id`;
  });

export const setVariables = updateEach(
  ['variables', 'updated_at'],
  () => sql`variables = given.variables, updated_at = given.updated_at`,
);

export const setZones = updateEach(['zone'], () => sql`zone_group = given.zone`);

export const startLeases = updateEach<{ now: string; expires_at: string }>(
  ['claim_id', 'updated_at'],
  ({ now, expires_at }) => sql`status = 'in_progress', leased = 1, attempts = attempts + 1,
    available_at = ${expires_at}, last_attempt_at = ${now}, claim_id = given.claim_id, updated_at = given.updated_at`,
);

/** Fails, skips or blocks enrollments, or returns them to the queue. */
export const moveEnrollments = updateEach<{ status: EnrollmentStatus }>(
  ['available_at', 'reason', 'updated_at'],
  ({
    status,
  }) => sql`status = ${status}, leased = 0, available_at = given.available_at, reason = given.reason,
    updated_at = given.updated_at`,
);

type WithStatus = Listed & { status: EnrollmentStatus };

const withStatus = (args: WithStatus, dialect: SqlDialect) =>
  sql`${ofContacts(args, dialect)} and status = ${args.status}`;
export const findWithStatus = statement(
  (args: WithStatus, dialect) => sql<{ contact_id: string }>`select contact_id ${withStatus(args, dialect)}`,
);
export const selectWithStatus = statement(
  (args: WithStatus, dialect) => sql<EnrollmentRow>`select * ${withStatus(args, dialect)}
    order by contact_id ${dialect.lockRow()}`,
);

/** The next enrollments of a campaign with a status, in the order of their contacts: one range of the index `enrollments_by_status`. */
export const walkWithStatus = statement(
  ({ workspace, campaign, status, after, limit }: Walk & Pick<WithStatus, 'status'>) => sql<
    Pick<EnrollmentRow, 'contact_id' | 'variables'>
  >`select contact_id, variables from enrollments
    where workspace_id = ${workspace} and campaign_id = ${campaign}
      and (status, contact_id) > (${status}, ${after}) and status <= ${status}
    order by status, contact_id limit ${limit}`,
);
