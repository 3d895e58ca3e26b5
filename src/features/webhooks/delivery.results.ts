import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { change } from '../../records/change.ts';
import { recordNotice } from '../notices/notice.service.ts';
import { insertAttempts, type NewAttempt } from './attempt.store.ts';
import * as deliveries from './delivery.store.ts';
import { getWebhook } from './webhook.service.ts';
import { type EndpointRow, lockEndpoint, updateEndpoint } from './webhook.store.ts';

/** What became of a claimed delivery. It is over if it was delivered or if its event has expired. */
export interface DeliveryResult {
  readonly seq: number;
  readonly lease: string;
  readonly status: deliveries.DeliveryStatus | 'over';
  readonly attempts: number;
  /** The time of the next attempt. */
  readonly due_at: string;
  readonly attempt?: NewAttempt;
}

interface ResultsInput {
  readonly workspace: number;
  readonly id: string;
  readonly results: readonly DeliveryResult[];
  readonly disableAfterMs: number;
  readonly outageMs: number;
}

/** The health of an endpoint after these attempts, which are in the order in which they ended. */
const healthAfter = (before: EndpointRow, attempts: readonly NewAttempt[], disableAfterMs: number) => {
  let { failing_since, last_delivery_at, disabled_reason } = before;
  for (const { result, at, error } of attempts) {
    if (result === 'delivered') {
      failing_since = null;
      last_delivery_at = at;
      continue;
    }
    failing_since ??= at;
    if (result === 'gone') disabled_reason ??= error;
    if (Date.parse(at) - Date.parse(failing_since) >= disableAfterMs)
      disabled_reason ??= `All attempts have failed since ${failing_since}.`;
  }
  return { failing_since, last_delivery_at, disabled_reason };
};

const disable = async (db: Db, workspace: number, id: string): Promise<void> => {
  const service = { workspace, actor: id };
  const webhook = await getWebhook(db, service, { id });
  const data = JSON.stringify(webhook);
  const { url, disabled_reason } = webhook;
  recordNotice(db, service, { kind: 'webhook.disabled', subject: id, name: url, detail: disabled_reason });
  change(db, service, { action: 'webhook.disabled', subject: id, event: { data } });
};

/** Returns the endpoint as it is now; undefined if it is not active. */
const recordHealth = async (db: Db, before: EndpointRow, input: ResultsInput, now: string) => {
  const attempts = input.results.flatMap(({ attempt }) => attempt ?? []);
  const isActive = before.status === 'active';
  if (attempts.length === 0) return isActive ? before : undefined;
  const { workspace, id } = input;
  const health = healthAfter(before, attempts, input.disableAfterMs);
  const isDisabled = isActive && health.disabled_reason !== null;
  await db.run(updateEndpoint, {
    ...before,
    ...health,
    ...(isDisabled && { status: 'disabled', updated_at: timestampAfter(before.updated_at) }),
  });
  if (isDisabled) await disable(db, workspace, id);
  const failedFor = before.failing_since === null ? 0 : Date.parse(now) - Date.parse(before.failing_since);
  if (health.failing_since === null && failedFor >= input.outageMs)
    await db.run(deliveries.hastenDeliveries, { workspace, endpoint: id, now });
  return isActive && !isDisabled ? { ...before, ...health } : undefined;
};

/** Stores the results of several requests. Returns the endpoint as it is now; undefined if it is no longer active. */
export const recordResults = write('recordWebhookResults', async (db, _: null, input: ResultsInput) => {
  const { workspace, id, results } = input;
  const endpoint = await db.get(lockEndpoint, { workspace, id });
  // A job deletes the deliveries of a deleted endpoint.
  if (!endpoint) return undefined;
  const now = timestamp();
  const which = { workspace, endpoint: id };
  const seqsOf = (some: readonly DeliveryResult[]) => JSON.stringify(some.map(({ seq }) => seq));
  const ended = results.filter(({ status }) => status !== 'pending');
  const subjects =
    endpoint.ordered === 1 && ended.length > 0
      ? await db.all(deliveries.listSubjects, { ...which, seqs: seqsOf(ended) })
      : [];
  const over = results.filter(({ status }) => status === 'over');
  if (over.length > 0) await db.run(deliveries.deleteDeliveries, { ...which, seqs: seqsOf(over) });
  const kept = results.filter(({ status }) => status !== 'over');
  const changes = JSON.stringify(kept.map(({ attempt: _, ...change }) => change));
  if (kept.length > 0) await db.run(deliveries.rescheduleDeliveries, { ...which, changes });
  if (subjects.length > 0) {
    const names = JSON.stringify(subjects.map(({ subject }) => subject));
    await db.run(deliveries.unblockSubjects, { ...which, subjects: names, now });
  }
  const attempts = JSON.stringify(results.flatMap(({ attempt }) => attempt ?? []));
  if (attempts !== '[]') await db.run(insertAttempts, { ...which, attempts });
  return recordHealth(db, endpoint, input, now);
});
