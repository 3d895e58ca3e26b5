import { sql } from 'kysely';
import { type Key, type Keys, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import type { AgentRow } from '../agents/agent.store.ts';
import type { AudienceMode, CampaignStatus, StartState } from './campaign.schema.ts';

const columns = {
  workspace_id: number,
  id: text,
  name: text,
  agent_id: text,
  status: typed<CampaignStatus>(),
  created_at: text,
  updated_at: text,
};
export type CampaignRow = typeof columns;

const scheduleColumns = {
  starts_at: textOrNull,
  ends_at: textOrNull,
  /** Null until the start is over. */
  start_state: typed<StartState | null>(),
  /** A `CallWindow` as JSON. */
  call_window: textOrNull,
  max_attempts: typed<number | null>(),
  min_retry_minutes: typed<number | null>(),
  /** A JSON array of `RetryRule`; null if there are none. */
  retry_rules: textOrNull,
  /** The last contact whose zone is stored, while a job stores the zones of all; otherwise null. */
  zones_after: textOrNull,
};
export type ScheduleColumns = typeof scheduleColumns;

const audienceColumns = {
  segment_id: textOrNull,
  audience_mode: typed<AudienceMode | null>(),
  /** The last contact that was checked for the audience, while a job enrolls all that match; otherwise null. */
  enrolled_until: typed<number | null>(),
  /** The last event that was checked for contacts that match now, or have got a missing value; null if no job does so. */
  followed_until: typed<number | null>(),
  /** The last contact that was checked, while a job checks all blocked enrollments; otherwise null. */
  unblocked_after: textOrNull,
};
export type AudienceColumns = typeof audienceColumns;

export type Campaign = CampaignRow & ScheduleColumns & AudienceColumns;
type StoredCampaign = Campaign & { deleted_at: string | null };

const campaigns = rowsOf<StoredCampaign>({ table: 'campaigns' });

const COLUMNS = namesOf(columns);
const SCHEDULE_COLUMNS = namesOf(scheduleColumns);
const AUDIENCE_COLUMNS = namesOf(audienceColumns);

const where = sql`deleted_at is null`;

export const insertCampaign = campaigns.insert(COLUMNS, { seq: true });
const all = [...COLUMNS, ...SCHEDULE_COLUMNS, ...AUDIENCE_COLUMNS] as const;
export const selectCampaignForUpdate = campaigns.lock(all, { where });
export const selectCampaignForClaim = campaigns.share(all, { where });
export const updateCampaignRow = campaigns.set(['name', 'agent_id', 'status', 'start_state', 'updated_at']);
export const updateSchedule = campaigns.set([...SCHEDULE_COLUMNS, 'updated_at']);
export const updateAudience = campaigns.set(AUDIENCE_COLUMNS);
export const markDeleted = campaigns.set(['deleted_at', 'status', 'updated_at']);
export const deleteCampaignRow = campaigns.remove;

type OfSegment = { workspace: number; segment: string };

/** The campaigns whose audience one of some segments is and that are not finished. For the order by name alone, SQLite would read all
 *  campaigns. */
export const findOfSegments = statement(
  ({ workspace, keys }: Keys, dialect) => sql<{ id: string; name: string }>`
    select id, name from campaigns where workspace_id = ${workspace}
    and ${dialect.isAmongFew(sql.ref('segment_id'), sql`select value from ${dialect.eachText(keys)}`)}
    and segment_id is not null and status <> 'finished' and ${where} order by lower(name), id`,
);

type Sql = ReturnType<typeof sql>;

/** Changes all campaigns that a condition finds. They are locked in the order of their ids; for the order by the id alone, SQLite
 *  would read all campaigns. */
const updateAll = <P extends { workspace: number }>(condition: (args: P) => Sql, values: (args: P) => Sql) =>
  statement(
    (args: P, dialect) => sql<{ id: string }>`
      with found as materialized (
        select id from campaigns where workspace_id = ${args.workspace} and ${condition(args)} and ${where}
        order by id || '' ${dialect.lockRow()}
      )
      update campaigns set ${values(args)} where workspace_id = ${args.workspace}
      and id in (select id from found) returning id`,
  );

/** Checks all contacts for the live audiences of a segment. */
export const restartOfSegment = updateAll(
  ({ segment }: OfSegment) =>
    sql`segment_id = ${segment} and segment_id is not null and audience_mode = 'live' and status <> 'finished'`,
  () => sql`enrolled_until = 0`,
);

/** Checks all blocked enrollments of the campaigns that have some. */
export const recheckAll = updateAll(
  () => sql`followed_until is not null`,
  () => sql`unblocked_after = ''`,
);

export const pauseOfAgent = updateAll(
  ({ agent }: { workspace: number; agent: string; at: string }) =>
    sql`agent_id = ${agent} and status = 'active'`,
  ({ at }) => sql`status = 'paused', updated_at = ${at}`,
);

export type ListedCampaign = Campaign & { agent_name: string; agent_deleted_at: string | null };

const listed = (where: ReturnType<typeof sql>) => sql<ListedCampaign>`
  select k.*, a.name as agent_name, a.deleted_at as agent_deleted_at from campaigns as k
  join agents as a on a.workspace_id = k.workspace_id and a.id = k.agent_id
  where k.deleted_at is null and ${where}`;

export const findListedCampaign = statement(({ workspace, id }: Key) =>
  listed(sql`k.workspace_id = ${workspace} and k.id = ${id}`),
);

/** `ids` is a JSON array. */
export const findListedCampaigns = statement(
  ({ workspace, ids }: { workspace: number; ids: string }, dialect) =>
    listed(sql`k.workspace_id = ${workspace} and k.id in (select value from ${dialect.eachText(ids)})`),
);

export const findAgentName = rowsOf<AgentRow>({ table: 'agents' }).find(['name']);
