import { sql } from 'kysely';
import { namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { derivedStatement } from '../../db/statement.ts';
import { equals } from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';
import type { Payload } from '../events/event.schema.ts';
import type { DeliveryStatus } from './delivery.store.ts';
import type { WebhookStatus } from './webhook.schema.ts';

const columns = {
  workspace_id: number,
  id: text,
  url: text,
  description: textOrNull,
  /** A JSON array; null for all types. */
  types: textOrNull,
  filter_tag: textOrNull,
  filter_agent_id: textOrNull,
  filter_campaign_id: textOrNull,
  payload: typed<Payload>(),
  /** A JSON array of members that snapshots of contacts have in addition. */
  include: text,
  ordered: number,
  max_concurrency: number,
  rate_per_second: typed<number | null>(),
  status: typed<WebhookStatus>(),
  disabled_reason: textOrNull,
  secret_sealed: text,
  old_secret_sealed: textOrNull,
  old_secret_expires_at: textOrNull,
  /** The last event that was taken over from the log. */
  position: number,
  /** Until when the rate is used up, by all instances. */
  rate_until: textOrNull,
  /** The next and the last position of a replay that is running. */
  replay_next: typed<number | null>(),
  replay_until: typed<number | null>(),
  /** The times between which a replay sends events. */
  replay_since: textOrNull,
  replay_before: textOrNull,
  /** Whether a replay sends only events that have failed. */
  replay_failed: number,
  failing_since: textOrNull,
  last_delivery_at: textOrNull,
  created_at: text,
  updated_at: text,
};
export type EndpointRow = typeof columns;
const COLUMNS = namesOf(columns);

export const NO_REPLAY = {
  replay_next: null,
  replay_until: null,
  replay_since: null,
  replay_before: null,
  replay_failed: 0,
} as const;

const NO_VALUES = Object.fromEntries(COLUMNS.map((name) => [name, null])) as Record<keyof EndpointRow, null>;

/** A new endpoint, unless its creator chooses otherwise. */
export const DEFAULTS = {
  ...NO_VALUES,
  payload: 'snapshot',
  include: '[]',
  ordered: 0,
  max_concurrency: 10,
  status: 'active',
  replay_failed: 0,
} as const;

const rows = rowsOf<EndpointRow>({ table: 'webhook_endpoints' });

export const insertEndpoint = rows.insert(COLUMNS);
export const findEndpoint = rows.find(COLUMNS);
export const lockEndpoint = rows.lock(COLUMNS);
export const lockEndpointIfFree = rows.lockIfFree(COLUMNS);
/** Of a locked endpoint. */
export const updateEndpoint = rows.set(
  COLUMNS.filter((name) => !['workspace_id', 'id', 'created_at'].includes(name)),
);
export const deleteEndpoint = rows.remove;

/** Newest first. */
export const endpointList = new List({
  table: 'webhook_endpoints',
  alias: 'w',
  filters: { id: equals('id'), status: equals('status') },
  orders: { newest: { ranges: [{ by: 'id' }, {}], keys: ['id'] } },
});

/** Counting stops at 1,000, the most that can be pending. It names the workspace by the argument: Citus does not follow the column
 *  of the outer query. */
const counted = (workspace: number, status: DeliveryStatus) => sql`
  (select count(*) from (
    select 1 from webhook_deliveries as d where d.workspace_id = ${workspace} and d.endpoint_id = w.id
    and d.status = ${sql.lit(status)} limit 1000
  ) as counted) as ${sql.ref(status)}`;

export type ListedEndpoint = EndpointRow & Record<DeliveryStatus, number>;

export const listedEndpoints = endpointList.view<ListedEndpoint>({
  columns: COLUMNS,
  wrap: (endpoints, { workspace }, order) => sql`
    select w.*, ${counted(workspace, 'pending')}, ${counted(workspace, 'failed')}
    from (${endpoints}) as w order by ${order}`,
});

/** What the endpoints have sent, and whether they fail. */
export const findDeliveryState = derivedStatement(
  ({ workspace }: { workspace: number }) => sql<object>`
    select id, status, position, replay_next, failing_since, updated_at,
      (select max(seq) from webhook_attempts where workspace_id = ${workspace}) as attempt
    from webhook_endpoints where workspace_id = ${workspace} order by id`,
);
