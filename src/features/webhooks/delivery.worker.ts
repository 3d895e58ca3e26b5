import { randomUUID } from 'node:crypto';
import type { Storage } from '../../db/storage.ts';
import { Alarm } from '../../lib/concurrency.ts';
import type { NewAttempt } from './attempt.store.ts';
import { claimDeliveries } from './delivery.claim.ts';
import { type DeliveryResult, recordResults } from './delivery.results.ts';
import { type LoadedEvent, loadEvents } from './delivery.service.ts';
import type { EndpointRow } from './webhook.store.ts';
import { retryDelay, type WebhookTiming } from './webhook.timing.ts';

/** The most deliveries of one claim. */
const MAX_BATCH = 200;
/** Events that are loaded together, in advance, and for how long they are used: a contact that is deleted meanwhile is not sent
 *  later. */
const MAX_LOADED = 20;
const LOADED_MS = 1_000;
/** Results are stored together. */
const FLUSH_MS = 50;
const FLUSH_COUNT = 100;
/** While more results wait for the database, nothing is sent. */
const MAX_RESULTS = 400;
/** How much longer a lease must last than a request can take. */
const LEASE_MARGIN_MS = 3_000;
/** A batch that takes less time is followed by a larger one. */
const QUICK_MS = 1_000;
const SLOW_MS = 5_000;
/** How many intervals an endpoint without room waits at most. */
const MAX_WAIT_POLLS = 5;
const RETRY_MS = 100;

/** Signs an event, sends it and describes the attempt. It rejects if the sender is closed or a secret cannot be decrypted. */
export type SendAttempt = (
  target: EndpointRow,
  event: LoadedEvent,
  attempt: { readonly number: number; readonly at: Date },
) => Promise<{ attempt: NewAttempt; retryAfterMs: number | undefined }>;

export interface WorkerOptions {
  readonly storage: Storage;
  readonly timing: WebhookTiming;
  readonly send: SendAttempt;
  /** Whether one more request may be sent, for a worker that has so many in flight. */
  readonly maySend: (inFlight: number) => boolean;
  /** Limits how many workers claim at the same time. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onError: (error: unknown) => void;
}

type Claim = NonNullable<Awaited<ReturnType<typeof claimDeliveries>>>;

/** Its times are those of `performance.now()`: when the system clock is set back, nothing waits longer. */
type Queued = Claim['deliveries'][number] & {
  readonly lease: string;
  /** When another instance may take it. */
  readonly leaseEnd: number;
  event?: LoadedEvent;
  /** Until when the event is used. */
  loadedUntil?: number;
};

/** Whether an event need not be loaded again. */
const isLoaded = ({ loadedUntil = 0 }: Queued): boolean => loadedUntil > performance.now();

/** Sends the deliveries of one endpoint, from when it has work until it has none. One loop does the work in the database, step after step,
 *  because a claim skips an endpoint that is locked, also by this worker. Requests are sent meanwhile. */
export class EndpointWorker {
  readonly #options: WorkerOptions;
  readonly #key: { readonly workspace: number; readonly id: string };
  readonly #alarm = new Alarm();
  /** The first ones are loaded. */
  #queue: Queued[] = [];
  #results: DeliveryResult[] = [];
  #target: EndpointRow | undefined;
  #inFlight = 0;
  #batch = 0;
  #batchBegan = 0;
  /** When results are stored. */
  #flushAt = 0;
  /** Whether the last claim has found everything. */
  #isDrained = false;
  #isStopping = false;
  /** Before this time of `performance.now()`, the endpoint's work cannot be done. */
  #idleUntil = 0;
  /** Resolves when there is no work left and all results are stored. */
  readonly done: Promise<void>;

  constructor(options: WorkerOptions, key: { workspace: number; id: string }) {
    this.#options = options;
    this.#key = key;
    this.done = this.#run();
  }

  /** Looks for work, also if the last claim has found everything. */
  poke(): void {
    if (this.isIdle) return;
    this.#isDrained = false;
    this.#alarm.wake();
  }

  get isIdle(): boolean {
    return this.#idleUntil > performance.now();
  }

  /** Sends nothing more and releases what was not sent. */
  stop(): void {
    this.#isStopping = true;
    this.#alarm.wake();
  }

  async #run(): Promise<void> {
    for (;;) {
      if (this.#isStopping) this.#drop();
      const sendAt = this.#send();
      const waiting = this.#queue.length;
      const isUnloaded = this.#queue.slice(0, MAX_LOADED / 2).some((delivery) => !isLoaded(delivery));
      const flushAt = this.#results.length > 0 ? this.#flushAt : Number.POSITIVE_INFINITY;
      const now = performance.now();
      if (flushAt <= now) await this.#flush();
      // Before the next claim, which can search a long log without a match.
      else if (isUnloaded) await this.#load();
      else if (!this.#isDrained && waiting <= this.#batch / 2) await this.#claim();
      else if (waiting + this.#inFlight + this.#results.length > 0)
        await this.#alarm.wait(Math.min(sendAt, flushAt) - now);
      else if (this.isIdle && !this.#isStopping) await this.#alarm.wait(this.#idleUntil - now);
      else return;
    }
  }

  /** Releases everything that was not sent. */
  #drop(): void {
    this.#isDrained = true;
    this.#release(this.#queue.splice(0));
    this.#flushAt = 0;
  }

  /** Failing endpoints get one request at a time, so that many of them do not use up all connections. */
  get #concurrency(): number {
    const { failing_since: since = null, max_concurrency: max = 1 } = this.#target ?? {};
    const { throttleAfterMs } = this.#options.timing;
    return since !== null && Date.now() - Date.parse(since) > throttleAfterMs ? 1 : max;
  }

  async #claim(): Promise<void> {
    const { storage, timing, inTurn, onError } = this.#options;
    const { leaseMs } = timing;
    const lease = randomUUID();
    try {
      const input = { ...this.#key, lease, limit: this.#nextBatch(), leaseMs };
      const claim = await inTurn(() => storage.run(claimDeliveries, null, input));
      this.#isDrained = !claim?.isMore;
      if (!claim) return;
      this.#target = claim.target;
      const toMonotonic = performance.now() - Date.now();
      const leaseEnd = performance.now() + leaseMs;
      for (const each of claim.deliveries)
        this.#queue.push({ ...each, startAt: each.startAt + toMonotonic, lease, leaseEnd });
      if (claim.deliveries.length === 0 && claim.nextAt !== null && !claim.isMore) {
        const latest = performance.now() + MAX_WAIT_POLLS * timing.pollMs;
        this.#idleUntil = Math.min(Date.parse(claim.nextAt) + toMonotonic, latest);
      }
    } catch (error) {
      this.#isDrained = true;
      this.#idleUntil = performance.now() + timing.pollMs;
      onError(error);
    }
  }

  /** Batches grow while the receiver is quick. The deliveries of a slow one would wait until their leases end. */
  #nextBatch(): number {
    const now = performance.now();
    const elapsed = now - this.#batchBegan;
    this.#batchBegan = now;
    const least = this.#concurrency;
    if (this.#batch === 0 || elapsed > SLOW_MS) this.#batch = least;
    else if (elapsed < QUICK_MS) this.#batch *= 2;
    this.#batch = Math.max(least, Math.min(this.#batch, MAX_BATCH));
    return this.#batch;
  }

  /** Loads the next events, as they are now. Requests that end meanwhile send the others. */
  async #load(): Promise<void> {
    const { storage, onError } = this.#options;
    const chosen = this.#queue.slice(0, MAX_LOADED).filter((delivery) => !isLoaded(delivery));
    try {
      const { payload = 'thin', include = '[]' } = this.#target ?? {};
      const seqs = chosen.map(({ seq }) => seq);
      const { workspace } = this.#key;
      const events = await storage.run(loadEvents, null, { workspace, seqs, payload, include });
      const bySeq = new Map(events.map((event) => [event.seq, event]));
      const loadedUntil = performance.now() + LOADED_MS;
      for (const delivery of chosen) Object.assign(delivery, { event: bySeq.get(delivery.seq), loadedUntil });
    } catch (error) {
      this.#queue = this.#queue.filter((delivery) => !chosen.includes(delivery));
      this.#release(chosen);
      onError(error);
    }
  }

  /** Sends what can be sent now. Returns when to try again, unless a request or the database ends the wait. */
  #send(): number {
    const { timing, maySend } = this.#options;
    while (this.#inFlight < this.#concurrency && this.#results.length < MAX_RESULTS) {
      const [next] = this.#queue;
      if (!next || !isLoaded(next)) break;
      const now = performance.now();
      if (next.leaseEnd - now < timing.requestMs + LEASE_MARGIN_MS) this.#release([next]);
      else if (!next.event) this.#settle(next, { status: 'over' });
      else if (next.startAt > now) return Math.min(next.startAt, now + LOADED_MS);
      else if (!maySend(this.#inFlight)) return now + RETRY_MS;
      else void this.#attempt(next, next.event);
      this.#queue.shift();
    }
    return Number.POSITIVE_INFINITY;
  }

  async #attempt(delivery: Queued, event: LoadedEvent): Promise<void> {
    const { timing, send, onError } = this.#options;
    this.#inFlight++;
    const attempts = delivery.attempts + 1;
    try {
      const which = { number: attempts, at: new Date() };
      const { attempt, retryAfterMs } = await send(this.#target as EndpointRow, event, which);
      const delay = retryDelay(timing, attempts, retryAfterMs);
      const status = attempt.result === 'delivered' ? 'over' : delay === undefined ? 'failed' : 'pending';
      const due_at = new Date(Date.now() + (delay ?? 0)).toISOString();
      if (status === 'over' && this.#target) this.#target = { ...this.#target, failing_since: null };
      this.#settle(delivery, { status, attempts, due_at, attempt });
    } catch (error) {
      this.#release([delivery]);
      if (!this.#isStopping) {
        // For example because this instance does not have the encryption key.
        this.#isDrained = true;
        this.#idleUntil = performance.now() + MAX_WAIT_POLLS * timing.pollMs;
        onError(error);
      }
    } finally {
      this.#inFlight--;
      if (!this.#isStopping) this.#send();
      this.#alarm.wake();
    }
  }

  #settle({ seq, lease, attempts }: Queued, result: Partial<DeliveryResult>): void {
    const due_at = new Date().toISOString();
    const count = this.#results.push({ seq, lease, status: 'pending', attempts, due_at, ...result });
    if (count === 1) this.#flushAt = performance.now() + FLUSH_MS;
    if (count === FLUSH_COUNT) this.#flushAt = 0;
  }

  #release(deliveries: readonly Queued[]): void {
    for (const delivery of deliveries) this.#settle(delivery, {});
  }

  async #flush(): Promise<void> {
    const { storage, timing, onError } = this.#options;
    const { disableAfterMs, outageMs } = timing;
    const results = this.#results.splice(0, MAX_RESULTS);
    try {
      const input = { ...this.#key, results, disableAfterMs, outageMs };
      const target = await storage.run(recordResults, null, input);
      // An update of the URL or the secrets also applies to deliveries that were claimed before it.
      if (target) this.#target = target;
      if (!target) this.#drop();
      // The next event of a subject may be due now, or an endpoint that was full may have room.
      else if (target.ordered === 1 || this.isIdle) {
        this.#idleUntil = 0;
        this.#isDrained = false;
      }
    } catch (error) {
      // Without the results, the deliveries would be repeated when their leases end.
      if (this.#isStopping) this.#results = [];
      else {
        this.#results.unshift(...results);
        this.#flushAt = performance.now() + timing.pollMs;
        onError(error);
      }
    }
  }
}
