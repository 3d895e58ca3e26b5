import { MessageChannel, type Worker } from 'node:worker_threads';
import { unavailable, unavailableBy } from '../../../lib/errors.ts';
import { startWorker, type WorkerScript } from '../../../lib/executable.ts';
import { resetPulse, type ThreadHealth, watchPulse } from '../../../lib/thread-health.ts';
import type { Operation } from '../../operation.ts';
import type { GivePort } from '../../storage.ts';
import { asUnavailable } from '../errors.ts';
import type { CheckpointReport, Reply, ThreadData } from './protocol.ts';
import { STALLED, ThreadRequests } from './requests.ts';

export interface ThreadEvents {
  onFault(error: Error): void;
  /** Called before callers get their answers. */
  onAnswers?(): void;
  onCheckpoint?(report: CheckpointReport): void;
}

const RESTART_MS = 100;
/** While the writer does not run at all, a request waits at most five seconds: this, and the ticks before and after it. */
export const STALLED_MS = 4_000;
/** A long read may take longer than on PostgreSQL, where 20 seconds are the limit. A write may take long on a slow disk: steps of jobs are
 *  made for 30 ms. A checkpoint of a large log is one statement, which also a terminated thread completes. */
const HUNG_MS = 30_000;
/** Most objects of a thread are short-lived; without a limit V8 would reserve 48 MB for them. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** The owner of one database thread. Requests that arrive while the thread restarts wait for the new one. */
export class ThreadClient {
  readonly #script: WorkerScript;
  readonly #data: ThreadData;
  readonly #health: ThreadHealth;
  readonly #events: ThreadEvents;
  readonly #requests = new ThreadRequests(() => this.#closing?.done());
  readonly #peers = new Set<GivePort>();
  #worker: Worker | undefined;
  #closing: { done: () => void } | undefined;
  #hung: Worker | undefined;
  /** Whether the thread has opened the database. */
  isOpen = false;
  readonly #firstStart = Promise.withResolvers<void>();
  readonly #watch: NodeJS.Timeout;

  /** Resolves when the thread has opened the database for the first time. */
  readonly ready = this.#firstStart.promise;

  constructor(
    script: WorkerScript,
    data: ThreadData,
    { health, ...events }: ThreadEvents & { readonly health: ThreadHealth },
  ) {
    this.#script = script;
    this.#data = data;
    this.#health = health;
    this.#events = events;
    // A caller need not await this promise: a failure is logged, and another thread starts.
    this.ready.catch(() => {});
    this.#start();
    this.#watch = watchPulse(data.pulse, (...times) => this.#checkSilence(...times)).unref();
  }

  get load(): number {
    return this.#requests.load;
  }

  ask<P, I, O>(operation: Operation<P, I, O>, principal: P, input: I): Promise<O> {
    if (this.#closing) return Promise.reject(unavailable('The service is stopping.'));
    return this.#requests.ask(operation, principal, input);
  }

  /** Gives another thread a port of its own, now and after each restart. Returns a function that ends this. */
  connect(give: GivePort): () => void {
    this.#peers.add(give);
    if (this.#worker) this.#givePort(this.#worker, give);
    return () => this.#peers.delete(give);
  }

  /** Ends the thread after it has answered, or immediately if its answers are not needed. */
  async close({ waitForAnswers }: { waitForAnswers: boolean }): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = { done: resolve };
    if (!waitForAnswers || this.#requests.load === 0) resolve();
    await promise;
    const worker = this.#worker;
    if (!worker) return clearInterval(this.#watch);
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    if (!waitForAnswers) await worker.terminate();
    await ended;
  }

  /** A writer that does not run refuses requests: the disk may have stalled, or it may hang. */
  #checkSilence(silentMs: number, blockedMs: number) {
    const { role } = this.#data;
    if (role !== 'writer' || blockedMs < STALLED_MS) this.#requests.resume();
    else if (this.#requests.stall()) this.#events.onFault(unavailableBy(STALLED));
    if (silentMs < HUNG_MS || !this.#worker || this.#hung === this.#worker) return;
    this.#hung = this.#worker;
    this.#health.hung(role, silentMs);
    // A thread in a system call ends only after that.
    void this.#worker.terminate();
  }

  #givePort(worker: Worker, give: GivePort) {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage(port1, [port1]);
    give(port2);
  }

  #start() {
    const worker = startWorker(this.#script, {
      name: this.#data.role,
      workerData: this.#data,
      resourceLimits: LIMITS,
    });
    this.#worker = worker;
    worker.on('message', (message: Reply[] | CheckpointReport | 'ready') => {
      if (message === 'ready') {
        this.isOpen = true;
        return this.#firstStart.resolve();
      }
      if (!Array.isArray(message)) return this.#events.onCheckpoint?.(message);
      this.#events.onAnswers?.();
      this.#requests.receive(message);
    });
    worker.on('error', (error: Error) => {
      this.#firstStart.reject(error);
      this.#events.onFault(asUnavailable(error) as Error);
    });
    worker.on('exit', (code) => this.#handleExit(code));
    for (const give of this.#peers) this.#givePort(worker, give);
    this.#requests.attach(worker);
  }

  /** Replaces a thread that ended unexpectedly. */
  #handleExit(code: number) {
    this.#worker = undefined;
    this.isOpen = false;
    if (this.#closing) clearInterval(this.#watch);
    else this.#health.exited(this.#data.role, code);
    this.#events.onAnswers?.();
    this.#requests.detach();
    if (this.#closing) this.#closing.done();
    else setTimeout(() => this.#closing || this.#restart(), RESTART_MS);
  }

  /** The silence of the last thread does not count for the next one, and neither does that thread's start. */
  #restart() {
    resetPulse(this.#data.pulse);
    this.#start();
  }
}
