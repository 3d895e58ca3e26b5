import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { END_OF_TIME, timestamp } from '../../lib/clock.ts';
import { conflict, invalidField } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import { eventIdExample, eventIdOf, positionIn } from '../../records/event.id.ts';
import { findBounds, findEvent } from '../../records/event.store.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import * as deliveries from './delivery.store.ts';
import type { WebhookReplayBody } from './webhook.schema.ts';
import { getWebhook, lockWebhook, type Webhook } from './webhook.service.ts';
import { type EndpointRow, NO_REPLAY, updateEndpoint } from './webhook.store.ts';

/** How far the times of neighboring events can be out of order, because a transaction takes time. Each step of a replay compares the
 *  times. */
const MAX_DISORDER_MS = 60_000;

const inMs = (time: string, ms: number) =>
  new Date(Math.min(Date.parse(time) + ms, Date.parse(END_OF_TIME))).toISOString();

/** The first position from `low` to `high` whose time is not before `time`; `high + 1` if all are. Positions have no gaps. */
const firstSince = async (
  db: Db,
  workspace: number,
  time: string,
  { low, high }: { low: number; high: number },
): Promise<number> => {
  let [from, end] = [low, high + 1];
  while (from < end) {
    const middle = Math.floor((from + end) / 2);
    const event = await db.get(findEvent, { workspace, seq: middle });
    if (event && event.at >= time) end = middle;
    else from = middle + 1;
  }
  return from;
};

const replayEvent = async (db: Db, { workspace }: Principal, endpoint: EndpointRow, id: string) => {
  const seq = positionIn(id);
  const event = seq ? await db.get(findEvent, { workspace, seq }) : undefined;
  if (!event || eventIdOf(event) !== id) {
    const message = `must be the id of an event in the log, such as ${eventIdExample}. Events expire; GET /v1/events lists those that remain.`;
    throw invalidField('event_id', message);
  }
  const now = timestamp();
  const row = { seq: event.seq, subject: endpoint.ordered ? event.subject : null, due_at: now, lease: null };
  const which = { workspace, endpoint: endpoint.id, now };
  await db.run(deliveries.insertDeliveries, { ...which, deliveries: JSON.stringify([row]) });
  return 1;
};

/** Starts a replay, which sends events in steps. */
const startReplay = (db: Db, endpoint: EndpointRow, progress: Partial<EndpointRow>) => {
  if (endpoint.replay_until === null)
    return db.run(updateEndpoint, { ...endpoint, ...NO_REPLAY, ...progress });
  throw conflict(
    'A replay of this webhook is running. Wait for it to end, or cancel it with DELETE /v1/webhooks/{id}/replay.',
  );
};

const replayFailed = async (db: Db, { workspace }: Principal, endpoint: EndpointRow): Promise<number> => {
  const found = await db.get(deliveries.countFailed, { workspace, endpoint: endpoint.id });
  const progress = { replay_next: 1, replay_until: Number.MAX_SAFE_INTEGER, replay_failed: 1 };
  await startReplay(db, endpoint, Number(found?.count) > 0 ? progress : {});
  return Number(found?.count);
};

/** Replays a range of time. Events that were not taken over yet are sent anyway. */
const replayRange = async (
  db: Db,
  { workspace }: Principal,
  endpoint: EndpointRow,
  { since, until }: { since: string; until: string | undefined },
): Promise<number> => {
  if (until !== undefined && until < since) throw invalidField('until', 'must not be before since.');
  const bounds = await db.get(findBounds, { workspace });
  const log = { low: bounds?.oldest ?? 1, high: Math.min(endpoint.position, bounds?.newest ?? 0) };
  const first = (time: string, ms: number, range = log) => firstSince(db, workspace, inMs(time, ms), range);
  const low = await first(since, -MAX_DISORDER_MS);
  const end = until === undefined ? log.high + 1 : await first(until, MAX_DISORDER_MS, { ...log, low });
  const range = {
    replay_next: low,
    replay_until: end - 1,
    replay_since: since,
    replay_before: until ?? null,
  };
  await startReplay(db, endpoint, end > low ? range : {});
  const around = { low, high: end - 1 };
  const stop = until === undefined ? end : await first(until, 1, around);
  return Math.max(stop - (await first(since, 0, around)), 0);
};

/** Sends events again. Returns how many. */
export const replayWebhook = write(
  'replayWebhook',
  async (db, principal: Principal, { id, event_id, since, until }: WebhookReplayBody & ById) => {
    const endpoint = await lockWebhook(db, principal, { id });
    if (endpoint.status === 'disabled')
      throw conflict('This webhook is disabled. Set its status to active first.');
    const events = await (event_id !== undefined
      ? replayEvent(db, principal, endpoint, event_id)
      : since !== undefined
        ? replayRange(db, principal, endpoint, { since, until })
        : replayFailed(db, principal, endpoint));
    change(db, principal, { action: 'webhook.replayed', subject: endpoint.id, counts: { events } });
    return { events };
  },
);

/** Events that the replay has reached are still sent. */
export const cancelWebhookReplay = write(
  'cancelWebhookReplay',
  async (db, principal: Principal, { id }: ById): Promise<Webhook> => {
    const endpoint = await lockWebhook(db, principal, { id });
    await db.run(updateEndpoint, { ...endpoint, ...NO_REPLAY });
    change(db, principal, { action: 'webhook.replay_canceled', subject: endpoint.id });
    return getWebhook(db, principal, { id });
  },
);
