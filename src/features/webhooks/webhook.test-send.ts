import { read, write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { change } from '../../records/change.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import { insertAttempts, type NewAttempt } from './attempt.store.ts';
import { loadedEvent, testEvent } from './delivery.service.ts';
import { findWebhook, lockWebhook } from './webhook.service.ts';

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
  async (db, principal: Principal, { attempt, ...which }: { id: string; attempt: NewAttempt }) => {
    const { id } = await lockWebhook(db, principal, which);
    const attempts = JSON.stringify([attempt]);
    const stored = await db.get(insertAttempts, { workspace: principal.workspace, endpoint: id, attempts });
    return stored?.seq ?? 0;
  },
);
