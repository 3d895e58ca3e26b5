import { randomUUID } from 'node:crypto';
import type { Storage } from '../../db/storage.ts';
import type { SendAttempt } from './delivery.attempt.ts';
import { type ClaimedDelivery, claimDeliveries } from './delivery.claim.ts';
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

export interface WorkerOptions {
  readonly storage: Storage;
  readonly timing: WebhookTiming;
  readonly send: SendAttempt;
  /** Whether one more request may be sent, for a worker that has so many in flight. */
  readonly maySend: (inFlight: number) => boolean;
  /** Limits how many workers claim at the same time. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onAttempt: (result: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Its times are those of `performance.now()`: when the system clock is set back, nothing waits longer. */
interface Queued extends ClaimedDelivery {
  readonly lease: string;
  /** When another instance may take it. */
  readonly leaseEnd: number;
}

interface Ready {
  readonly delivery: Queued;
  readonly event: LoadedEvent;
  readonly loadedAt: number;
}

/** Sends the deliveries of one endpoint, from when it has work until it has none. */
export class EndpointWorker {
  readonly #options: WorkerOptions;
  readonly #key: { readonly workspace: number; readonly id: string };
  readonly #done = Promise.withResolvers<void>();
  readonly #queue: Queued[] = [];
  #ready: Ready[] = [];
  #results: DeliveryResult[] = [];
  #target: EndpointRow | undefined;
  #inFlight = 0;
  #batch = 0;
  #batchBegan = 0;
  #isClaiming = false;
  #isLoading = false;
  #isFlushing = false;
  /** Whether the last claim has found everything. */
  #isDrained = false;
  #isStopping = false;
  #isOver = false;
  #flushTimer: NodeJS.Timeout | undefined;
  #pumpTimer: NodeJS.Timeout | undefined;
  /** Before this time of `performance.now()`, the endpoint has nothing to do. */
  idleUntil = 0;

  constructor(options: WorkerOptions, key: { workspace: number; id: string }) {
    this.#options = options;
    this.#key = key;
  }

  /** Resolves when there is no work left and all results are stored. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Looks for work, also if the last claim has found everything. */
  poke(): void {
    if (this.idleUntil > performance.now()) return;
    this.#isDrained = false;
    this.#pump();
  }

  /** Sends nothing more and releases what was not sent. */
  stop(): void {
    this.#isStopping = true;
    this.#drop();
    this.#pump();
  }

  /** Releases everything that was not sent. */
  #drop(): void {
    this.#isDrained = true;
    this.#release([...this.#ready.map(({ delivery }) => delivery), ...this.#queue.splice(0)]);
    this.#ready = [];
  }

  /** Failing endpoints get one request at a time, so that many of them do not use up all connections. */
  get #concurrency(): number {
    const { failing_since: since = null, max_concurrency: max = 1 } = this.#target ?? {};
    const { throttleAfterMs } = this.#options.timing;
    return since !== null && Date.now() - Date.parse(since) > throttleAfterMs ? 1 : max;
  }

  #pump(): void {
    if (this.#isOver) return;
    this.#send();
    const waiting = this.#queue.length + this.#ready.length;
    // A claim skips an endpoint that is locked, also by this worker.
    const mayClaim = !this.#isClaiming && !this.#isFlushing && !this.#isStopping;
    if (mayClaim && !this.#isDrained && waiting <= this.#batch / 2) void this.#claim();
    if (!this.#isLoading && this.#ready.length <= MAX_LOADED / 2 && this.#queue.length > 0) void this.#load();
    this.#scheduleFlush();
    const isBusy = this.#isClaiming || this.#isLoading || this.#isFlushing || this.#inFlight > 0;
    if (isBusy || waiting > 0 || this.#results.length > 0) return;
    if (!this.#isDrained && !this.#isStopping) return;
    this.#isOver = true;
    clearTimeout(this.#pumpTimer);
    this.#done.resolve();
  }

  #pumpIn(ms: number): void {
    clearTimeout(this.#pumpTimer);
    this.#pumpTimer = setTimeout(() => this.#pump(), ms);
  }

  async #claim(): Promise<void> {
    this.#isClaiming = true;
    const { storage, timing, inTurn, onError } = this.#options;
    const { leaseMs } = timing;
    const lease = randomUUID();
    try {
      const limit = this.#nextBatch();
      const claim = await inTurn(() => {
        const input = { ...this.#key, lease, limit, leaseMs };
        return storage.run(claimDeliveries, null, input);
      });
      this.#isDrained = !claim?.isMore;
      if (claim) {
        this.#target = claim.target;
        const toMonotonic = performance.now() - Date.now();
        const leaseEnd = performance.now() + leaseMs;
        for (const each of claim.deliveries)
          this.#queue.push({ ...each, startAt: each.startAt + toMonotonic, lease, leaseEnd });
        if (claim.deliveries.length === 0 && claim.nextAt !== null && !claim.isMore) {
          const latest = performance.now() + MAX_WAIT_POLLS * timing.pollMs;
          this.idleUntil = Math.min(Date.parse(claim.nextAt) + toMonotonic, latest);
        }
      }
      if (this.#isStopping) this.#drop();
    } catch (error) {
      this.#isDrained = true;
      this.idleUntil = performance.now() + timing.pollMs;
      onError(error);
    } finally {
      this.#isClaiming = false;
      this.#pump();
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

  /** Loads the next events, as they are now. */
  async #load(): Promise<void> {
    this.#isLoading = true;
    const { storage, onError } = this.#options;
    const chosen = this.#queue.splice(0, MAX_LOADED);
    try {
      const { payload = 'thin' } = this.#target ?? {};
      const seqs = chosen.map(({ seq }) => seq);
      const { workspace } = this.#key;
      const events = await storage.run(loadEvents, null, { workspace, seqs, payload });
      const bySeq = new Map(events.map((event) => [event.seq, event]));
      const loadedAt = performance.now();
      for (const delivery of chosen) {
        const event = bySeq.get(delivery.seq);
        if (event) this.#ready.push({ delivery, event, loadedAt });
        else this.#settle(delivery, { outcome: 'dropped', attempts: delivery.attempts });
      }
      if (this.#isStopping) this.#drop();
    } catch (error) {
      this.#release(chosen);
      onError(error);
    } finally {
      this.#isLoading = false;
      this.#pump();
    }
  }

  #send(): void {
    const [oldest] = this.#ready;
    if (oldest && performance.now() - oldest.loadedAt > LOADED_MS) {
      this.#queue.unshift(...this.#ready.map(({ delivery }) => delivery));
      this.#ready = [];
    }
    const { requestMs } = this.#options.timing;
    while (
      this.#ready.length > 0 &&
      this.#inFlight < this.#concurrency &&
      this.#results.length < MAX_RESULTS
    ) {
      const next = this.#ready[0] as Ready;
      const now = performance.now();
      if (next.delivery.leaseEnd - now < requestMs + LEASE_MARGIN_MS) {
        this.#ready.shift();
        this.#release([next.delivery]);
      } else if (next.delivery.startAt > now) {
        this.#pumpIn(Math.min(next.delivery.startAt - now, LOADED_MS));
        return;
      } else if (!this.#options.maySend(this.#inFlight)) {
        this.#pumpIn(RETRY_MS);
        return;
      } else {
        this.#ready.shift();
        void this.#attempt(next.delivery, next.event);
      }
    }
  }

  async #attempt(delivery: Queued, event: LoadedEvent): Promise<void> {
    const { timing, send, onAttempt, onError } = this.#options;
    this.#inFlight++;
    const attempts = delivery.attempts + 1;
    try {
      const sent = await send(this.#target as EndpointRow, event, { number: attempts, at: new Date() });
      const { attempt, result } = sent;
      onAttempt(result.outcome);
      const delay = retryDelay(timing, attempts, result.retryAfterMs);
      const outcome = result.outcome === 'delivered' ? 'delivered' : delay === undefined ? 'failed' : 'retry';
      const due_at = new Date(Date.now() + (delay ?? 0)).toISOString();
      if (outcome === 'delivered' && this.#target) this.#target = { ...this.#target, failing_since: null };
      this.#settle(delivery, { outcome, attempts, due_at, attempt });
    } catch (error) {
      this.#release([delivery]);
      if (!this.#isStopping) {
        // For example because this instance does not have the encryption key.
        this.#isDrained = true;
        this.idleUntil = performance.now() + MAX_WAIT_POLLS * timing.pollMs;
        onError(error);
      }
    } finally {
      this.#inFlight--;
      this.#pump();
    }
  }

  #settle(
    { seq, lease }: Queued,
    result: Pick<DeliveryResult, 'outcome' | 'attempts'> &
      Partial<Pick<DeliveryResult, 'due_at' | 'attempt'>>,
  ): void {
    const due_at = result.due_at ?? new Date().toISOString();
    this.#results.push({ seq, lease, attempt: undefined, ...result, due_at });
  }

  #release(deliveries: readonly Queued[]): void {
    for (const delivery of deliveries)
      this.#settle(delivery, { outcome: 'released', attempts: delivery.attempts });
  }

  #scheduleFlush(): void {
    if (this.#results.length === 0 || this.#isFlushing) return;
    if (this.#results.length >= FLUSH_COUNT || this.#isStopping) void this.#flush();
    else this.#flushTimer ??= setTimeout(() => void this.#flush(), FLUSH_MS);
  }

  async #flush(): Promise<void> {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    const { storage, timing, onError } = this.#options;
    const results = this.#results.splice(0, MAX_RESULTS);
    const { disableAfterMs, outageMs } = timing;
    try {
      const target = await storage.run(recordResults, null, {
        ...this.#key,
        results,
        disableAfterMs,
        outageMs,
      });
      // An update of the URL or the secrets also applies to deliveries that were claimed before it.
      if (target) this.#target = target;
      if (!target) this.#drop();
      // The next event of a subject may be due now, or an endpoint that was full may have room.
      else if (target.ordered === 1 || this.idleUntil > performance.now()) {
        this.idleUntil = 0;
        this.#isDrained = false;
      }
    } catch (error) {
      // Without the results, the deliveries would be repeated when their leases end.
      if (this.#isStopping) this.#results = [];
      else {
        this.#results.unshift(...results);
        onError(error);
        await new Promise((resolve) => setTimeout(resolve, timing.pollMs));
      }
    } finally {
      this.#isFlushing = false;
      this.#pump();
    }
  }
}
