import { sql } from 'kysely';
import { rowsOf } from '../../db/rows.ts';
import { equals, List } from '../../records/list.ts';
import type { Payload } from '../events/feed.service.ts';
import type { DeliveryStatus } from './delivery.store.ts';
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

export const NO_REPLAY = {
  replay_next: null,
  replay_until: null,
  replay_since: null,
  replay_before: null,
  replay_failed: 0,
} as const;

/** A new endpoint, unless its creator chooses otherwise. */
export const DEFAULTS = {
  description: null,
  types: null,
  filter_tag: null,
  filter_agent_id: null,
  filter_campaign_id: null,
  payload: 'snapshot',
  ordered: 0,
  max_concurrency: 10,
  rate_per_second: null,
  status: 'active',
  disabled_reason: null,
  old_secret_sealed: null,
  old_secret_expires_at: null,
  failing_since: null,
  last_delivery_at: null,
  rate_until: null,
  ...NO_REPLAY,
} as const satisfies Partial<EndpointRow>;

const CHANGEABLE = [
  ...(Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]),
  'url',
  'secret_sealed',
  'position',
  'updated_at',
] as const;
const COLUMNS = ['workspace_id', 'id', 'created_at', ...CHANGEABLE] as const;

const rows = rowsOf<EndpointRow>({ table: 'webhook_endpoints' });

export const insertEndpoint = rows.insert(COLUMNS);
export const findEndpoint = rows.find(COLUMNS);
export const lockEndpoint = rows.lock(COLUMNS);
export const lockEndpointIfFree = rows.lockIfFree(COLUMNS);
/** Of a locked endpoint. */
export const updateEndpoint = rows.set(CHANGEABLE);
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
