import { Worker } from 'node:worker_threads';
import { unpackError } from '../../../lib/error-transport.ts';
import { unavailable } from '../../../lib/errors.ts';
import type { Operation } from '../../storage.ts';
import type { Question, Reply, ThreadData } from './protocol.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const RESTART_MS = 100;
/** So many questions need not wait for the end of the turn: the thread begins while the next ones are still being read. */
const AHEAD = 16;
/** Most of what a thread makes is forgotten at once; without a limit it would keep 48 MB for that. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** The near side of one thread of the database. Questions of one turn of the event loop travel together, the
 *  first sixteen ahead of the others; those that are asked while there is no thread wait for the next one. */
export class ThreadClient {
  readonly #script: URL;
  readonly #data: ThreadData;
  readonly #onFault: (error: Error) => void;
  readonly #onAnswers: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #outbox: Question[] = [];
  #count = 0;
  #closing: { done: () => void } | undefined;

  /** Resolves when the thread has opened the database for the first time. */
  readonly ready: Promise<void>;

  /** `onAnswers` is called before anybody hears of what the thread has done. */
  constructor(script: URL, data: ThreadData, onFault: (error: Error) => void, onAnswers = () => {}) {
    this.#script = script;
    this.#data = data;
    this.#onFault = onFault;
    this.#onAnswers = onAnswers;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    // Who waits for it hears of a failure; where nobody does, it is in the log, and a next thread is tried.
    promise.catch(() => {});
    this.#start(resolve, reject);
  }

  get load(): number {
    return this.#waiting.size;
  }

  ask<W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      const asked = this.#outbox.push([id, operation.name, who, input]);
      if (asked === 1) setImmediate(() => this.#send());
      else if (asked === AHEAD) this.#send();
    });
  }

  /** Ends the thread once it has answered, or at once where nobody waits for what it does any more. */
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
    const questions = this.#outbox;
    this.#outbox = [];
    try {
      this.#worker.postMessage(questions);
    } catch {
      // What cannot be sent must not keep the others from being sent.
      for (const question of questions) this.#sendAlone(question);
    }
  }

  #sendAlone(question: Question) {
    try {
      this.#worker?.postMessage([question]);
    } catch (error) {
      this.#refuse([question], error as Error);
    }
  }

  #refuse(questions: readonly Question[], error: Error) {
    for (const [id] of questions) {
      this.#waiting.get(id)?.reject(error);
      this.#waiting.delete(id);
    }
  }

  #start(onReady: () => void = () => {}, onError: (error: Error) => void = () => {}) {
    const worker = new Worker(this.#script, { workerData: this.#data, resourceLimits: LIMITS });
    this.#worker = worker;
    worker.on('message', (message: Reply[] | 'ready') => {
      if (message === 'ready') return onReady();
      this.#onAnswers();
      for (const reply of message) this.#settle(reply);
    });
    worker.on('error', (error: Error) => {
      onError(error);
      this.#onFault(error);
    });
    worker.on('exit', () => this.#ended());
    this.#send();
  }

  /** A thread that ends by itself is replaced, and whoever waited for its answer is told to try again. */
  #ended() {
    this.#worker = undefined;
    this.#onAnswers();
    const asked = new Set(this.#outbox.map(([id]) => id));
    for (const [id, waiting] of this.#waiting) {
      if (asked.has(id)) continue;
      waiting.reject(unavailable());
      this.#waiting.delete(id);
    }
    if (this.#closing) this.#closing.done();
    else setTimeout(() => this.#closing || this.#start(), RESTART_MS);
  }

  #settle([id, failed, value]: Reply) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failed) waiting?.reject(unpackError(value as Parameters<typeof unpackError>[0]));
    else waiting?.resolve(value);
    if (this.#closing && this.#waiting.size === 0) this.#closing.done();
  }
}
