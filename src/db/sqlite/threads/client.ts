import type { Worker } from 'node:worker_threads';
import { deserializeError } from '../../../lib/error-serialization.ts';
import { unavailable } from '../../../lib/errors.ts';
import { startWorker, type WorkerScript } from '../../../lib/executable.ts';
import type { Operation } from '../../operation.ts';
import type { CheckpointReport, Reply, ThreadData, ThreadRequest } from './protocol.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface ThreadEvents {
  onFault(error: Error): void;
  /** Called before callers get their answers. */
  onAnswers?(): void;
  onCheckpoint?(seconds: number, failed: boolean): void;
}

const RESTART_MS = 100;
/** This many requests are sent before the turn of the event loop ends, so that the thread starts early. */
const EARLY_BATCH = 16;
/** Most objects of a thread are short-lived; without a limit V8 would reserve 48 MB for them. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** The client of one database thread. Requests of one turn of the event loop are sent together. Requests that arrive while
 *  the thread restarts wait for the new one. */
export class ThreadClient {
  readonly #script: WorkerScript;
  readonly #data: ThreadData;
  readonly #events: ThreadEvents;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #outbox: ThreadRequest[] = [];
  #count = 0;
  #closing: { done: () => void } | undefined;

  /** Resolves when the thread has opened the database for the first time. */
  readonly ready: Promise<void>;

  constructor(script: WorkerScript, data: ThreadData, events: ThreadEvents) {
    this.#script = script;
    this.#data = data;
    this.#events = events;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    // A caller need not await this promise: a failure is logged, and another thread starts.
    promise.catch(() => {});
    this.#start(resolve, reject);
  }

  get load(): number {
    return this.#waiting.size;
  }

  ask<P, I, O>(operation: Operation<P, I, O>, principal: P, input: I): Promise<O> {
    if (this.#closing) return Promise.reject(unavailable('The service is stopping.'));
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      const queued = this.#outbox.push([id, operation.operationName, principal, input]);
      if (queued === 1) setImmediate(() => this.#send());
      else if (queued === EARLY_BATCH) this.#send();
    });
  }

  /** Ends the thread after it has answered, or immediately if its answers are not needed. */
  async close({ waitForAnswers }: { waitForAnswers: boolean }): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = { done: resolve };
    if (!waitForAnswers || this.#waiting.size === 0) resolve();
    await promise;
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    if (!waitForAnswers) await worker.terminate();
    await ended;
  }

  #send() {
    if (!this.#worker || this.#outbox.length === 0) return;
    const requests = this.#outbox;
    this.#outbox = [];
    try {
      this.#worker.postMessage(requests);
    } catch {
      // A request that cannot be cloned must not block the others.
      for (const request of requests) this.#sendAlone(request);
    }
  }

  #sendAlone(request: ThreadRequest) {
    try {
      this.#worker?.postMessage([request]);
    } catch (error) {
      this.#reject(request, error as Error);
    }
  }

  #reject([id]: ThreadRequest, error: Error) {
    this.#waiting.get(id)?.reject(error);
    this.#waiting.delete(id);
  }

  #start(onReady: () => void = () => {}, onError: (error: Error) => void = () => {}) {
    const worker = startWorker(this.#script, { workerData: this.#data, resourceLimits: LIMITS });
    this.#worker = worker;
    worker.on('message', (message: Reply[] | CheckpointReport | 'ready') => {
      if (message === 'ready') return onReady();
      if (!Array.isArray(message)) return this.#events.onCheckpoint?.(message.seconds, message.failed);
      this.#events.onAnswers?.();
      for (const reply of message) this.#settle(reply);
    });
    worker.on('error', (error: Error) => {
      onError(error);
      this.#events.onFault(error);
    });
    worker.on('exit', () => this.#handleExit());
    this.#send();
  }

  /** Replaces a thread that ended unexpectedly. Requests that it has not answered fail with 503. */
  #handleExit() {
    this.#worker = undefined;
    this.#events.onAnswers?.();
    const unsent = new Set(this.#outbox.map(([id]) => id));
    for (const [id, waiting] of this.#waiting) {
      if (unsent.has(id)) continue;
      waiting.reject(unavailable());
      this.#waiting.delete(id);
    }
    if (this.#closing) this.#closing.done();
    else setTimeout(() => this.#closing || this.#start(), RESTART_MS);
  }

  #settle([id, failed, value]: Reply) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failed) waiting?.reject(deserializeError(value as Parameters<typeof deserializeError>[0]));
    else waiting?.resolve(value);
    if (this.#closing && this.#waiting.size === 0) this.#closing.done();
  }
}
