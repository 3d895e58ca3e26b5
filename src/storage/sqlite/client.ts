import { Worker } from 'node:worker_threads';
import { unavailable } from '../../kernel/errors.ts';
import type { Operation } from '../storage.ts';
import { type Question, type Reply, type ThreadData, unpackError } from './protocol.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The near side of one thread of the database. Questions of one turn of the event loop travel together. */
export class ThreadClient {
  readonly #script: URL;
  readonly #data: ThreadData;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onFault: (error: Error) => void;
  #worker: Worker;
  #ready: Promise<void>;
  #outbox: Question[] = [];
  #count = 0;
  #closing = false;

  constructor(script: URL, data: ThreadData, onFault: (error: Error) => void) {
    this.#script = script;
    this.#data = data;
    this.#onFault = onFault;
    [this.#worker, this.#ready] = this.#start();
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  get load(): number {
    return this.#waiting.size;
  }

  ask<W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      if (this.#outbox.push([id, operation.name, who, input]) === 1) setImmediate(() => this.#send());
    });
  }

  async close(): Promise<void> {
    while (this.#waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#closing = true;
    await this.#worker.terminate();
  }

  #send() {
    this.#worker.postMessage(this.#outbox);
    this.#outbox = [];
  }

  #start(): [Worker, Promise<void>] {
    const worker = new Worker(this.#script, { workerData: this.#data });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.on('message', (message: Reply[] | 'ready') => {
      if (message === 'ready') resolve();
      else for (const reply of message) this.#settle(reply);
    });
    worker.on('error', (error: Error) => {
      reject(error);
      this.#onFault(error);
    });
    worker.on('exit', () => this.#restart());
    promise.catch(() => {});
    return [worker, promise];
  }

  /** A thread that ends by itself is replaced, and whoever waited for it is told to try again. */
  #restart() {
    if (this.#closing) return;
    for (const waiting of this.#waiting.values()) waiting.reject(unavailable());
    this.#waiting.clear();
    this.#outbox = [];
    setTimeout(() => {
      if (!this.#closing) [this.#worker, this.#ready] = this.#start();
    }, 100);
  }

  #settle([id, failed, value]: Reply) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failed) waiting?.reject(unpackError(value as Parameters<typeof unpackError>[0]));
    else waiting?.resolve(value);
  }
}
