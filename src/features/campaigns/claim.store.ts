import { type RawBuilder, sql } from 'kysely';
import { columnsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { type EnrollmentState, STATE } from './enrollment.store.ts';

type DueArgs = { workspace: number; campaign: string; now: string; limit: number; zone: string };

const inQueue = sql`(status = 'pending' or (status = 'in_progress' and leased = 1))`;

/** The condition is that of the index `enrollments_queue`, or `enrollments_queue_by_zone`, so that each of these selects reads one range
 *  of it, in order. Rows that another transaction has locked are being claimed or changed there; they are skipped. */
const due = (range: (args: DueArgs) => RawBuilder<unknown>, byZone: boolean) =>
  statement(
    (args: DueArgs, dialect) => sql<EnrollmentState>`
      select ${columnsOf(STATE)} from enrollments
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
export const findZones = statement(({ workspace, campaign }: { workspace: number; campaign: string }) => {
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
