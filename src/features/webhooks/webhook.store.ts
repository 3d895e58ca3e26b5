import { sql } from 'kysely';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { Payload } from '../events/feed.service.ts';
import type { WebhookStatus } from './webhook.schema.ts';

export type EndpointRow = {
  workspace_id: number;
  id: string;
  url: string;
  description: string | null;
  /** A JSON array; null for all types. */
  types: string | null;
  filter_tag: string | null;
  filter_agent_id: string | null;
  filter_campaign_id: string | null;
  payload: Payload;
  ordered: number;
  max_concurrency: number;
  rate_per_second: number | null;
  status: WebhookStatus;
  disabled_reason: string | null;
  secret_sealed: string;
  old_secret_sealed: string | null;
  old_secret_expires_at: string | null;
  /** The last event that was taken over from the log. */
  position: number;
  /** Until when the rate is used up, by all instances. */
  rate_until: string | null;
  /** The next and the last position of a replay that is running. */
  replay_next: number | null;
  replay_until: number | null;
  /** The times between which a replay sends events. */
  replay_since: string | null;
  replay_before: string | null;
  /** Whether a replay sends only events that have failed. */
  replay_failed: number;
  failing_since: string | null;
  last_delivery_at: string | null;
  created_at: string;
  updated_at: string;
};

const CHANGEABLE = [
  'url',
  'description',
  'types',
  'filter_tag',
  'filter_agent_id',
  'filter_campaign_id',
  'payload',
  'ordered',
  'max_concurrency',
  'rate_per_second',
  'status',
  'disabled_reason',
  'secret_sealed',
  'old_secret_sealed',
  'old_secret_expires_at',
  'failing_since',
  'updated_at',
] as const;

/** Columns that deliveries change. */
const PROGRESS = [
  'position',
  'rate_until',
  'replay_next',
  'replay_until',
  'replay_since',
  'replay_before',
  'replay_failed',
] as const;

const COLUMNS = [
  'workspace_id',
  'id',
  ...CHANGEABLE,
  ...PROGRESS,
  'last_delivery_at',
  'created_at',
] as const satisfies (keyof EndpointRow)[];

export type NewEndpoint = Pick<
  EndpointRow,
  'workspace_id' | 'position' | 'id' | 'created_at' | (typeof CHANGEABLE)[number]
>;

const statement = statementsOver<{ webhook_endpoints: EndpointRow }>();

type Key = { workspace: number; id: string };

export const insertEndpoint = statement((query, row: NewEndpoint) =>
  query.insertInto('webhook_endpoints').values({
    ...pickColumns(row, ['workspace_id', 'id', 'created_at', 'position', ...CHANGEABLE]),
    replay_failed: sql.lit(0),
  }),
);

export const updateEndpoint = statement((query, row: EndpointRow) =>
  query
    .updateTable('webhook_endpoints')
    .set(pickColumns(row, CHANGEABLE))
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id),
);

export type Progress = Pick<EndpointRow, 'workspace_id' | 'id' | (typeof PROGRESS)[number]>;

export const updateProgress = statement((query, row: Progress) =>
  query
    .updateTable('webhook_endpoints')
    .set(pickColumns(row, PROGRESS))
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id),
);

const HEALTH = ['status', 'disabled_reason', 'failing_since', 'last_delivery_at', 'updated_at'] as const;

export const updateHealth = statement(
  (query, row: Pick<EndpointRow, 'workspace_id' | 'id' | (typeof HEALTH)[number]>) =>
    query
      .updateTable('webhook_endpoints')
      .set(pickColumns(row, HEALTH))
      .where('workspace_id', '=', row.workspace_id)
      .where('id', '=', row.id),
);

export const deleteEndpoint = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('webhook_endpoints').where('workspace_id', '=', workspace).where('id', '=', id),
);

export const findEndpoint = statement((query, { workspace, id }: Key) =>
  query
    .selectFrom('webhook_endpoints')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id),
);

export const lockEndpoint = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('webhook_endpoints')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(dialect.lockRow()),
);

/** The same without waiting: undefined if another transaction has locked it. */
export const lockFreeEndpoint = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('webhook_endpoints')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(dialect.lockUnlockedRows()),
);

export type ListedEndpoint = EndpointRow & { pending: number; failed: number };

/** Counting stops at 1,000, the most that can be pending. Each part names the workspace by the argument: Citus does not follow the
 *  column of the outer query. */
const listed = (workspace: number, where: ReturnType<typeof sql>, page = sql``) => sql<ListedEndpoint>`
  select ${sql.join(COLUMNS.map((column) => sql.ref(`w.${column}`)))},
    (select count(*) from (
      select 1 from webhook_deliveries as p where p.workspace_id = ${workspace} and p.endpoint_id = w.id
      and p.status = 'pending' limit 1000
    ) as pending) as pending,
    (select count(*) from (
      select 1 from webhook_deliveries as f where f.workspace_id = ${workspace} and f.endpoint_id = w.id
      and f.status = 'failed' limit 1000
    ) as failed) as failed
  from webhook_endpoints as w where ${where} ${page}`;

export const findListedEndpoint = statement((_, { workspace, id }: Key) =>
  listed(workspace, sql`w.workspace_id = ${workspace} and w.id = ${id}`),
);

/** An empty status is no filter. */
type Filter = { workspace: number; status: string };
const matching = ({ workspace, status }: Filter) =>
  sql`w.workspace_id = ${workspace} and (${status} = '' or w.status = ${status})`;

export const listEndpoints = statement((_, args: Filter & { limit: number; offset: number }) =>
  listed(args.workspace, matching(args), sql`order by w.id desc limit ${args.limit} offset ${args.offset}`),
);

export const countEndpoints = statement(
  (_, args: Filter) => sql<{ count: number }>`
    select count(*) as count from webhook_endpoints as w where ${matching(args)}`,
);
