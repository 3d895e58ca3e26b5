import type { Storage } from '../../db/storage.ts';
import { Alarm, Semaphore, withTimeout } from '../../lib/concurrency.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { ApiError, unavailable } from '../../lib/errors.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { counter, type Metric } from '../../lib/metric.ts';
import { signWebhook } from '../../lib/webhook-signature.ts';
import { sequenceEvents } from '../events/event.sequence.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import { attemptResults } from './attempt.store.ts';
import { findWork } from './delivery.service.ts';
import { EndpointWorker, type SendAttempt, type WorkerOptions } from './delivery.worker.ts';
import { type WebhookRequest, WebhookSender } from './webhook.sender.ts';
import { defaultTiming, type WebhookTiming } from './webhook.timing.ts';
import { type WebhookNetworkConfig, webhookRules } from './webhook.url.ts';

/** Requests at the same time, to all endpoints, and the part that only endpoints without a request in flight use. */
const MAX_IN_FLIGHT = 512;
const RESERVED = 128;
/** Test events at the same time. They must not take the requests of deliveries. */
const MAX_TESTS = 32;
/** Chats with the models of workspaces at the same time. */
const MAX_CHATS = 64;
/** The highest `max_concurrency`. */
const MAX_PER_ENDPOINT = 100;
/** Claims at the same time, so that other writes do not wait long. */
const MAX_CLAIMS = 4;

export interface WebhookConfig extends WebhookNetworkConfig {
  /** For tests. */
  readonly timing?: Partial<WebhookTiming>;
}

interface EngineOptions {
  readonly storage: Storage;
  readonly encryptor: Pick<Encryptor, 'decrypt'>;
  readonly config: WebhookConfig;
  readonly log: Log;
  readonly version: string;
}

/** Sends events to the endpoints of all workspaces until it is stopped. Several instances share the work. */
export const startWebhooks = ({ storage, encryptor, config, log, version }: EngineOptions) => {
  const timing = { ...defaultTiming, ...config.timing };
  const rules = webhookRules(config);
  const sender = new WebhookSender({ rules, maxInFlight: MAX_IN_FLIGHT, maxPerPool: MAX_PER_ENDPOINT });
  const claims = new Semaphore(MAX_CLAIMS);
  const counts = new Map<string, number>(attemptResults.map((result) => [result, 0]));
  const workers = new Map<string, EndpointWorker>();
  let stopping = false;
  const tests = new Semaphore(MAX_TESTS);
  const chats = new Semaphore(MAX_CHATS);
  const alarm = new Alarm();

  /** An outage of the database is logged by the requests that it affects. */
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError)) log.error('webhook delivery failed', describeError(error));
  };

  const userAgent = { 'user-agent': `Roster/${version}` };

  const send: SendAttempt = async (target, { seq, id, type, body }, { number, at }) => {
    const keys = acceptedSecrets(target, 'secret_sealed').map((sealed) =>
      encryptor.decrypt(sealed, target.id),
    );
    const signed = signWebhook({ id, body }, keys, at);
    const headers = { ...signed, ...userAgent };
    const request = { url: target.url, pool: target.id, headers, body, timeoutMs: timing.requestMs };
    const { retryAfterMs, ...sent } = await sender.send(request);
    counts.set(sent.result, (counts.get(sent.result) ?? 0) + 1);
    const signature = signed['webhook-signature'];
    const which = { event_seq: seq, event_id: id, event_type: type, attempt: number, at: at.toISOString() };
    return { attempt: { ...which, ...sent, signature }, retryAfterMs };
  };

  const workerOptions: WorkerOptions = {
    storage,
    timing,
    send,
    maySend: (inFlight) => sender.available > (inFlight === 0 ? 0 : RESERVED),
    inTurn: (work) => claims.run(work),
    onError,
  };

  const startWorker = (workspace: number, id: string) => {
    const worker = new EndpointWorker(workerOptions, { workspace, id });
    workers.set(id, worker);
    void worker.done.then(() => workers.delete(id));
  };

  const tick = async (): Promise<boolean> => {
    const found = await storage.run(findWork, null, null);
    const behind = new Set(found.flatMap((each) => (each.unsequenced ? each.workspace_id : [])));
    let sequenced = 0;
    for (const workspace of behind) {
      if (stopping) return false;
      sequenced += await storage.run(sequenceEvents, null, { workspace });
    }
    if (stopping) return false;
    for (const { workspace_id, id } of found) {
      const worker = workers.get(id);
      if (worker) worker.poke();
      else startWorker(workspace_id, id);
    }
    return sequenced > 0;
  };

  const loop = async () => {
    while (!stopping) {
      let isMore = false;
      try {
        isMore = await tick();
      } catch (error) {
        onError(error);
      }
      const isBusy = [...workers.values()].some((worker) => !worker.isIdle);
      if (!isMore && !stopping) await alarm.wait(isBusy ? timing.busyPollMs : timing.pollMs);
    }
  };
  const looping = loop();

  return {
    rules,
    /** Sends one event now. */
    send: async (...args: Parameters<SendAttempt>) => {
      if (stopping || tests.active >= MAX_TESTS || sender.available <= 0)
        throw unavailable('Too many webhooks are being sent. Retry.');
      return tests.run(() => send(...args));
    },
    /** Sends a chat to a model, under the rules of webhooks. */
    post: async (chat: Omit<WebhookRequest, 'timeoutMs'>) => {
      if (stopping || chats.active >= MAX_CHATS || sender.available <= RESERVED)
        throw unavailable('Too many chats are running. Retry.');
      const request = { ...chat, headers: { ...chat.headers, ...userAgent }, timeoutMs: timing.chatMs };
      return chats
        .run(() => sender.send(request))
        .catch(() => {
          throw unavailable('The service is stopping. Retry.');
        });
    },
    metrics: (): Metric[] => [
      counter(
        'roster_webhook_attempts_total',
        'Requests to webhook endpoints, by result.',
        [...counts].map(([result, count]) => [`result="${result}"`, count] as const),
      ),
    ],
    /** Starts no more requests, waits for those in flight for a limited time, and releases the rest. */
    stop: async () => {
      stopping = true;
      alarm.wake();
      await looping;
      const all = [...workers.values()];
      for (const worker of all) worker.stop();
      const finished = Promise.all(all.map(({ done }) => done));
      await withTimeout(finished, timing.stopMs, () => undefined);
      // Requests that have not ended are rejected, and their deliveries released.
      sender.close();
      await finished;
    },
  };
};
export type WebhookEngine = ReturnType<typeof startWebhooks>;
