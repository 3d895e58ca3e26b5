import type { Db } from '../../db/db.ts';
import { longRead, read } from '../../db/operation.ts';
import { notFound } from '../../lib/errors.ts';
import { findEvent } from '../../records/event.store.ts';
import { eventJson, type Payload } from '../events/feed.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { AttemptQuery } from './attempt.schema.ts';
import * as store from './attempt.store.ts';
import { testEvent } from './test-event.ts';
import { webhookId } from './webhook.service.ts';
import { findEndpoint } from './webhook.store.ts';

export const attemptOf = (row: store.ListedAttempt) => ({
  number: row.seq,
  event_id: row.event_id,
  event_type: row.event_type,
  attempt: row.attempt,
  at: row.at,
  duration_ms: row.duration_ms,
  result: row.result,
  status: row.status,
  error: row.error,
});
export type Attempt = ReturnType<typeof attemptOf>;

const endpointOf = async (db: Db, { workspace }: Principal, id: string) => {
  const found = await db.get(findEndpoint, { workspace, id: webhookId.require(id) });
  if (!found) throw notFound('webhook');
  return found;
};

export const listWebhookAttempts = longRead(
  'listWebhookAttempts',
  async (
    db: Db,
    principal: Principal,
    { id, result, limit = 20, before = Number.MAX_SAFE_INTEGER }: AttemptQuery & { id: string },
  ) => {
    const { id: endpoint } = await endpointOf(db, principal, id);
    const page = { workspace: principal.workspace, endpoint, before, limit: limit + 1 };
    const { all, delivered, unsuccessful } = store.listAttempts;
    const rows = await (result === undefined
      ? db.all(all, page)
      : result === 'delivered'
        ? db.all(delivered, page)
        : db.all(unsuccessful, { ...page, result }));
    return { attempts: rows.slice(0, limit).map(attemptOf), has_more: rows.length > limit };
  },
);

/** The body as it would be sent now; null if the event has expired. */
const bodyOf = async (
  db: Db,
  { workspace }: Principal,
  { id, payload }: { id: string; payload: Payload },
  { event_seq, at }: store.ListedAttempt,
): Promise<string | null> => {
  if (event_seq === 0) return eventJson(testEvent({ workspace, id, at }), payload);
  const event = await db.get(findEvent, { workspace, seq: event_seq });
  return event ? eventJson(event, payload) : null;
};

/** An attempt with its request and its response. */
export const getAttempt = read(
  'getWebhookAttempt',
  async (db: Db, principal: Principal, { id, number }: { id: string; number: number }) => {
    const endpoint = await endpointOf(db, principal, id);
    const key = { workspace: principal.workspace, endpoint: endpoint.id, seq: number };
    const row = Number.isSafeInteger(number) ? await db.get(store.findAttempt, key) : undefined;
    if (!row) throw notFound('attempt');
    const { event_id, at, signature, status, response_body } = row;
    return {
      ...attemptOf(row),
      request: {
        headers: {
          'content-type': 'application/json',
          'webhook-id': event_id,
          'webhook-timestamp': String(Math.floor(Date.parse(at) / 1_000)),
          'webhook-signature': signature,
        },
        body: await bodyOf(db, principal, endpoint, row),
      },
      response: status === null ? null : { status, body: response_body },
    };
  },
);
