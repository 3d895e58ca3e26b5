import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { notFound } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import { eventIdOf } from '../events/event.id.ts';
import { eventJson } from '../events/feed.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { insertAttempts, type NewAttempt } from './attempt.store.ts';
import { type Target, targetOf } from './delivery.claim.ts';
import type { LoadedEvent } from './delivery.service.ts';
import { testEvent } from './test-event.ts';
import { lockWebhook, parseWebhookId } from './webhook.service.ts';
import { findEndpoint } from './webhook.store.ts';

/** Records that an endpoint is tested, and returns the time of the event. */
export const startTest = write(
  'startWebhookTest',
  async (db: Db, principal: Principal, which: { id: string }): Promise<{ at: string }> => {
    const { id } = await lockWebhook(db, principal, which);
    change(db, principal, { action: 'webhook.test', subject: id });
    return { at: timestamp() };
  },
);

/** The endpoint, with its encrypted secrets. */
export const findTarget = read(
  'findWebhookTarget',
  async (db: Db, { workspace }: Principal, { id }: { id: string }): Promise<Target> => {
    const found = await db.get(findEndpoint, { workspace, id: parseWebhookId(id) });
    if (!found) throw notFound('webhook');
    return targetOf(found);
  },
);

export const loadTestEvent = ({ workspace_id: workspace, id, payload }: Target, at: string): LoadedEvent => {
  const event = testEvent({ workspace, id, at });
  return { seq: 0, id: eventIdOf(event), type: event.type, body: eventJson(event, payload) };
};

/** Returns the number of the attempt. The health of the endpoint does not change. */
export const recordTest = write(
  'recordWebhookTest',
  async (
    db: Db,
    principal: Principal,
    { attempt, ...which }: { id: string; attempt: NewAttempt },
  ): Promise<number> => {
    const { id } = await lockWebhook(db, principal, which);
    const attempts = JSON.stringify([attempt]);
    const stored = await db.get(insertAttempts, { workspace: principal.workspace, endpoint: id, attempts });
    return stored?.seq ?? 0;
  },
);
