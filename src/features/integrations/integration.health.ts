import { longRead, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { ApiError, statusOf } from '../../lib/errors.ts';
import type { RunRecorder } from '../../lib/run-counters.ts';
import type { Principal } from '../workspaces/principal.ts';
import { webhookContact } from './integration.schema.ts';
import * as store from './integration.store.ts';

const MAX_ERRORS = 10;
const RECORD_EVERY_MS = 5_000;
const MAX_PENDING = 1_000;

const knownFields = new Set(Object.keys(webhookContact.schema.properties as object));

/** Requests of an integration that failed for the same reason, and when the last one did. Never values of a request, because a deleted
 *  contact must not remain in them: `fields` has `other` for a field that does not exist. */
const errorOf = (failure: unknown) => {
  const code = failure instanceof ApiError ? failure.code : 'INTERNAL_ERROR';
  const details = failure instanceof ApiError && Array.isArray(failure.details) ? failure.details : [];
  const names = details.map(({ field }) => String(field).split(/[.[]/)[0] ?? '');
  const fields = [...new Set(names.map((name) => (knownFields.has(name) ? name : 'other')))].sort();
  return { at: new Date().toISOString(), status: statusOf[code], code, fields, count: 1 };
};

export type IntegrationError = ReturnType<typeof errorOf>;

/** The errors with each reason once, newest first. Threads and instances store theirs at different times. */
const merge = (errors: readonly IntegrationError[]): IntegrationError[] => {
  const merged = new Map<string, IntegrationError>();
  for (const error of errors) {
    const reason = `${error.code} ${error.fields}`;
    const { at, count } = merged.get(reason) ?? { at: '', count: 0 };
    merged.set(reason, { ...error, at: at > error.at ? at : error.at, count: count + error.count });
  }
  return [...merged.values()].sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MAX_ERRORS);
};

interface Health {
  deliveredAt: string | null;
  errors: IntegrationError[];
}

/** Stores the results of requests since the last time. */
export const recordIntegrationHealth = write(
  'recordIntegrationHealth',
  async (db, { workspace, actor: id }: Principal, { deliveredAt, errors }: Health): Promise<void> => {
    const before = await db.get(store.lockIntegration, { workspace, id });
    if (!before) return;
    const known = JSON.parse(before.errors ?? '[]') as IntegrationError[];
    const latest = [before.last_delivery_at, deliveredAt].filter((at) => at !== null).sort();
    await db.run(store.updateIntegration, {
      ...before,
      last_delivery_at: latest.at(-1) ?? null,
      errors: errors.length === 0 ? before.errors : JSON.stringify(merge([...errors, ...known])),
    });
  },
);

/** The last delivery and the last errors of every integration. */
export const listIntegrationHealth = longRead('listIntegrationHealth', async (db, { workspace }: Principal) =>
  (await db.all(store.listHealth, { workspace })).map(({ errors, ...row }) => ({
    ...row,
    errors: JSON.parse(errors ?? '[]') as IntegrationError[],
  })),
);

/** Collects the results of requests in memory and writes them every few seconds, so that a request does not wait for it. */
export const createIntegrationHealth = (
  storage: Storage,
  { task, onFault }: { readonly task: RunRecorder; readonly onFault: (error: unknown) => void },
) => {
  const pending = new Map<string, { principal: Principal; health: Health }>();
  const record = async () => {
    const noted = [...pending.values()];
    pending.clear();
    // One transaction each: on a cluster, the node of one workspace can be down.
    for (const { principal, health } of noted)
      await task.run(() => storage.run(recordIntegrationHealth, principal, health)).catch(onFault);
  };
  const timer = setInterval(record, RECORD_EVERY_MS).unref();
  return {
    /** Notes the result of a request; `failure` is undefined for a success. */
    note: ({ workspace, actor }: Principal, failure: unknown): void => {
      if (pending.size >= MAX_PENDING && !pending.has(actor)) return;
      const { health } = pending.getOrInsertComputed(actor, () => ({
        principal: { workspace, actor },
        health: { deliveredAt: null, errors: [] },
      }));
      if (failure === undefined) health.deliveredAt = new Date().toISOString();
      else health.errors = merge([errorOf(failure), ...health.errors]);
    },
    /** Writes what was noted. */
    close: () => {
      clearInterval(timer);
      return record();
    },
  };
};
export type IntegrationHealth = ReturnType<typeof createIntegrationHealth>;
