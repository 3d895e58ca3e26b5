import { sql } from 'kysely';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import {
  type CampaignRow,
  type EnrollmentRow,
  SCHEDULE_COLUMNS,
  type ScheduleColumns,
} from './campaign.store.ts';

type CampaignTable = CampaignRow & ScheduleColumns & { deleted_at: string | null };

const statement = statementsOver<{ campaigns: CampaignTable; enrollments: EnrollmentRow }>();

type Key = { workspace: number; id: string };

export const findSchedule = statement((query, { workspace, id }: Key) =>
  query
    .selectFrom('campaigns')
    .select(['id', ...SCHEDULE_COLUMNS])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('deleted_at', 'is', null),
);

export const updateSchedule = statement((query, row: CampaignRow & ScheduleColumns) =>
  query
    .updateTable('campaigns')
    .set(pickColumns(row, [...SCHEDULE_COLUMNS, 'updated_at']))
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id),
);

export const setZonesAfter = statement((query, { workspace, id, after }: Key & { after: string | null }) =>
  query
    .updateTable('campaigns')
    .set({ zones_after: after })
    .where('workspace_id', '=', workspace)
    .where('id', '=', id),
);

/** Locks contacts in the order of their ids. `contacts` is a JSON array. The order is that of no index, or SQLite would scan all
 *  contacts in it. */
export const lockContacts = statement(
  (_, { workspace, contacts }: { workspace: number; contacts: string }, dialect) =>
    sql<{ id: string }>`select id from contacts where workspace_id = ${workspace}
      and id in (select value from ${dialect.eachText(contacts)}) order by id || '' ${dialect.lockRow()}`,
);

/** The next contacts of a campaign in the order of their ids. */
export const walkEnrolled = statement(
  (
    _,
    {
      workspace,
      campaign,
      after,
      limit,
    }: { workspace: number; campaign: string; after: string; limit: number },
  ) =>
    sql<{ contact_id: string }>`select contact_id from enrollments
      where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id > ${after}
      order by contact_id limit ${limit}`,
);
