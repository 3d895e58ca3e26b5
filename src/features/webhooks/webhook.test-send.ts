import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { change } from '../../records/change.ts';
import { eventIdOf } from '../events/event.id.ts';
import { eventJson } from '../events/feed.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { insertAttempts, type NewAttempt } from './attempt.store.ts';
import type { LoadedEvent } from './delivery.service.ts';
import { testEvent } from './test-event.ts';
import { lockWebhook } from './webhook.service.ts';
import type { EndpointRow } from './webhook.store.ts';

/** Records that an endpoint is tested. Returns the endpoint with its encrypted secrets, and the event. */
export const startTest = write(
  'startWebhookTest',
  async (
    db: Db,
    principal: Principal,
    which: { id: string },
  ): Promise<{ target: EndpointRow; event: LoadedEvent; at: string }> => {
    const target = await lockWebhook(db, principal, which);
    const { workspace_id: workspace, id, payload } = target;
    change(db, principal, { action: 'webhook.test', subject: id });
    const at = timestamp();
    const event = testEvent({ workspace, id, at });
    const loaded = { seq: 0, id: eventIdOf(event), type: event.type, body: eventJson(event, payload) };
    return { target, event: loaded, at };
  },
);

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
