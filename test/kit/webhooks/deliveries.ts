import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../../src/config/config.ts';
import type { WebhookTiming } from '../../../src/features/webhooks/webhook.timing.ts';
import type { CheckedUser } from '../dashboard/checked-client.ts';
import type { Json } from '../service/test-service.ts';
import { answer, type Behavior, type Receiver, startReceiver } from './receiver.ts';

/** Short times, and three attempts instead of eight. */
const timing: Partial<WebhookTiming> = {
  retryMs: [40, 40],
  pollMs: 20,
  busyPollMs: 20,
  requestMs: 2_000,
  leaseMs: 10_000,
  stopMs: 200,
};

/** The configuration of a service whose deliveries do not wait long. */
export const quickWebhooks = (changes: Partial<WebhookTiming> = {}): Pick<Config, 'webhooks'> => ({
  webhooks: { allowHttp: true, allowedNetworks: ['127.0.0.0/8'], timing: { ...timing, ...changes } },
});

/** Waits until a condition is true. */
export const eventually = async <T>(
  what: string,
  find: () => Promise<T | undefined | false> | T | undefined | false,
) => {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    assert.ok(performance.now() < deadline, `timeout: ${what}`);
    await pause(10);
  }
};

export interface TestWebhook {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
  readonly receiver: Receiver;
  /** The bodies that arrived. */
  events(): Json[];
  types(): string[];
  show(): Promise<Json>;
  attempts(query?: string): Promise<Json[]>;
  /** Waits until so many requests arrived. */
  received(count: number): Promise<Json[]>;
  /** Waits until nothing is pending. */
  settled(): Promise<Json>;
  delete(): Promise<void>;
}

/** A webhook and its receiver. It is deleted at the end of the test. */
export const makeWebhook = async (
  test: TestContext,
  owner: CheckedUser,
  fields: Json = {},
  behavior: Behavior = answer(200),
): Promise<TestWebhook> => {
  const receiver = await startReceiver(test, behavior);
  const url = `http://127.0.0.1:${receiver.port}/events`;
  const { id, secret } = await owner.request('POST', '/webhooks', { url, ...fields }, 201);
  const path = `/webhooks/${id}`;
  const events = () => receiver.requests.map(({ body }) => JSON.parse(body));
  const show = () => owner.request('GET', path);
  let isDeleted = false;
  const remove = async () => {
    if (!isDeleted) await owner.request('DELETE', path);
    isDeleted = true;
  };
  // The service may have been stopped.
  test.after(() => remove().catch(() => {}));
  return {
    id,
    secret,
    path,
    receiver,
    events,
    types: () => events().map(({ type }) => type),
    show,
    attempts: async (query = '') => (await owner.request('GET', `${path}/attempts${query}`)).attempts,
    received: (count) => eventually(`${count} requests`, () => receiver.requests.length >= count && events()),
    settled: () =>
      eventually('no pending deliveries', async () => {
        const webhook = await show();
        return webhook.pending_deliveries === 0 && webhook.replay === null && webhook;
      }),
    delete: remove,
  };
};
