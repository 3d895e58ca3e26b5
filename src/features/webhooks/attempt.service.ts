import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import { timestamp } from '../../lib/clock.ts';
import { existing } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { eventJson } from '../events/feed.service.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import type { AttemptQuery } from './attempt.schema.ts';
import * as store from './attempt.store.ts';
import { type Form, loadEvents, loadedEvent, testEvent } from './delivery.service.ts';
import { assertMayInclude, findWebhook, lockWebhook } from './webhook.service.ts';

const attemptOf = (row: store.AttemptRow) => ({ number: row.seq, ...pickColumns(row, store.SHOWN) });

export const listWebhookAttempts = longRead(
  'listWebhookAttempts',
  async (db, principal: Principal, { id, result, limit = 20, before }: AttemptQuery & ById) => {
    const { workspace } = principal;
    const { id: endpoint } = await findWebhook(db, principal, { id });
    const wanted = { [result === 'delivered' ? 'result' : 'unsuccessful']: result };
    const plan = store.attemptList.plan(equalTo({ endpoint, ...wanted }), 'newest');
    const after = before === undefined ? undefined : { key: '', seq: before };
    const page = { workspace, limit: limit + 1, after };
    const rows = await store.attemptList.page(db, plan, store.listedAttempts, page);
    return { attempts: rows.slice(0, limit).map(attemptOf), has_more: rows.length > limit };
  },
);

/** The body as it would be sent now; null if the event has expired. */
const bodyOf = async (
  db: Db,
  principal: Principal,
  { id, payload, include }: Form & ById,
  { event_seq, at }: store.AttemptRow,
): Promise<string | null> => {
  const { workspace } = principal;
  if (event_seq === 0) return eventJson(testEvent(workspace, id, at), payload);
  assertMayInclude(principal, { include });
  const [event] = await loadEvents(db, null, { workspace, seqs: [event_seq], payload, include });
  return event?.body ?? null;
};

/** An attempt with its request and its response. */
export const getAttempt = read(
  'getWebhookAttempt',
  async (db, principal: Principal, { id, attempt }: { id: string; attempt: string }) => {
    const endpoint = await findWebhook(db, principal, { id });
    // With more digits it would not be a safe integer.
    const seq = /^\d{1,15}$/.test(attempt) ? Number(attempt) : -1;
    const key = { workspace: principal.workspace, endpoint: endpoint.id, seq };
    const row = existing('attempt', await db.get(store.findAttempt, key));
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

/** Records that an endpoint is tested, and returns the time of the event. A repeated request gets this result again, so it does not
 *  contain the endpoint, which may have changed meanwhile, nor its secrets. */
export const startTest = write('startWebhookTest', async (db, principal: Principal, which: ById) => {
  const { id } = await lockWebhook(db, principal, which);
  change(db, principal, { action: 'webhook.test', subject: id });
  return { at: timestamp() };
});

/** The endpoint with its encrypted secrets, and the event. */
export const loadTest = read(
  'loadWebhookTest',
  async (db, principal: Principal, { id, at }: { id: string; at: string }) => {
    const target = await findWebhook(db, principal, { id });
    return { target, event: loadedEvent(testEvent(principal.workspace, target.id, at), target.payload) };
  },
);

/** Returns the number of the attempt. The health of the endpoint does not change. */
export const recordTest = write(
  'recordWebhookTest',
  async (db, principal: Principal, { attempt, ...which }: { id: string; attempt: store.NewAttempt }) => {
    const { id } = await lockWebhook(db, principal, which);
    const attempts = JSON.stringify([attempt]);
    const stored = await db.get(store.insertAttempts, {
      workspace: principal.workspace,
      endpoint: id,
      attempts,
    });
    return stored?.seq ?? 0;
  },
);
