import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { derivedStatement as statement } from '../../db/statement.ts';
import { timestamp } from '../../lib/clock.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { gauge, type Metric } from '../../lib/metric.ts';
import { eventIdOf } from '../../records/event.id.ts';
import { findEvents, type StoredEvent } from '../../records/event.store.ts';
import { withFields } from '../contacts/contact.include.ts';
import type { Payload } from '../events/event.schema.ts';
import { eventJson } from '../events/feed.service.ts';
import { workspacesWith } from '../workspaces/hook.store.ts';
import type { EndpointRow } from './webhook.store.ts';

type InWorkspace = { workspace: number; now: string };

/** The active endpoints of a workspace that have something to do. Each subquery reads one entry of an index. Each part names the
 *  workspace by the argument: Citus does not follow the column of the outer query. `unsequenced` says whether events of the workspace
 *  have no position yet. */
export const listWork = statement(
  ({ workspace, now }: InWorkspace) => sql<{ workspace_id: number; id: string; unsequenced: number }>`
    select workspace_id, id, case when lowest < 0 then 1 else 0 end as unsequenced from (
      select every.workspace_id, every.id, every.position, every.replay_until,
        (select max(seq) from events where workspace_id = ${workspace}) as newest,
        (select min(seq) from events where workspace_id = ${workspace}) as lowest,
        (select min(due_at) from webhook_deliveries where workspace_id = ${workspace} and endpoint_id = every.id
          and status = 'pending') as due
      from webhook_endpoints as every where every.workspace_id = ${workspace} and every.status = 'active'
    ) as found
    where newest > position or lowest < 0 or replay_until is not null or due <= ${now}`,
);

/** Reads each workspace that has webhooks by a statement of its own. On a cluster, one whose node is down is left out. */
const inEachWorkspace = async <T>(db: Db, readOne: (scope: InWorkspace) => MaybePromise<readonly T[]>) => {
  const now = timestamp();
  const workspaces = await workspacesWith(db, 'webhook');
  const found = await Promise.allSettled(workspaces.map(async (workspace) => readOne({ workspace, now })));
  const [failed] = found.filter((each) => each.status === 'rejected');
  if (failed && found.every((each) => each.status === 'rejected')) throw failed.reason;
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
};

/** The active endpoints of all workspaces that have something to do. */
export const findWork = read('findWebhookWork', async (db) =>
  inEachWorkspace(db, (scope) => db.all(listWork, scope)),
);

/** The event that tests an endpoint. It is not in the log; its content follows from the arguments. */
export const testEvent = (workspace: number, id: string, at: string): StoredEvent => ({
  workspace_id: workspace,
  seq: 0,
  at,
  type: 'webhook.test',
  subject: id,
  contact_id: null,
  agent_id: null,
  campaign_id: null,
  actor: id,
  request_id: null,
  changed: null,
  data: JSON.stringify({ id, message: 'This is a test event. It describes no change.' }),
});

/** An event as it is sent. */
export const loadedEvent = (event: StoredEvent, payload: Payload) => ({
  seq: event.seq,
  id: eventIdOf(event),
  type: event.type,
  body: eventJson(event, payload),
});
export type LoadedEvent = ReturnType<typeof loadedEvent>;

/** What an endpoint gets of an event. */
export type Form = Pick<EndpointRow, 'payload' | 'include'>;

/** Events as they are sent. Those that have expired are missing. */
export const loadEvents = read(
  'loadWebhookEvents',
  async (
    db,
    _: null,
    { workspace, seqs, payload, include }: Form & { workspace: number; seqs: readonly number[] },
  ): Promise<LoadedEvent[]> => {
    const events = await db.all(findEvents, { workspace, seqs: JSON.stringify(seqs) });
    const sent = include === '[]' ? events : await withFields(db, workspace, events);
    return sent.map((event) => loadedEvent(event, payload));
  },
);

/** `oldest` is when the oldest delivery was due or the oldest event was written that waits, without endpoints that fail. */
type Backlog = { pending: number; oldest: string | null };

export const measureBacklog = statement(
  ({ workspace, now }: InWorkspace) => sql<Backlog>`
    select coalesce(sum(pending), 0) as pending, min(oldest) as oldest from (
      select (select count(*) from webhook_deliveries where workspace_id = ${workspace} and endpoint_id = every.id
          and status = 'pending') as pending,
        case when every.failing_since is null then coalesce(
          (select min(due_at) from webhook_deliveries where workspace_id = ${workspace} and endpoint_id = every.id
            and status = 'pending' and due_at <= ${now}),
          (select at from events where workspace_id = ${workspace} and seq > every.position order by seq limit 1)
        ) end as oldest
      from webhook_endpoints as every where every.workspace_id = ${workspace} and every.status = 'active'
    ) as found`,
);

/** The length and age of the queue of all active endpoints. */
export const findBacklog = read('findWebhookBacklog', async (db): Promise<Metric[]> => {
  const found = await inEachWorkspace(db, (scope) => db.all(measureBacklog, scope));
  const [oldest] = found.flatMap((each) => each.oldest ?? []).sort();
  return [
    gauge(
      'roster_webhook_deliveries_pending',
      'Deliveries that are in flight or wait for an attempt.',
      found.reduce((sum, { pending }) => sum + Number(pending), 0),
    ),
    gauge(
      'roster_webhook_queue_age_seconds',
      'How long the oldest due delivery or event has waited, without endpoints that fail; 0 if there is none.',
      oldest === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000),
    ),
  ];
});
