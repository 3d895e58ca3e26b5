import { unavailable } from '../../../lib/errors.ts';
import type { Operation } from '../../operation.ts';
import type { ThreadClient } from './client.ts';

const MAX_THREADS = 2;
const IDLE_MS = 60_000;

const leastLoaded = (threads: readonly ThreadClient[]): ThreadClient =>
  threads.reduce((least, each) => (each.load < least.load ? each : least));

/** The threads for long reads. They start on demand and end after an idle minute, because each takes memory. */
export class Readers {
  readonly #start: () => ThreadClient;
  readonly #idle: NodeJS.Timeout;
  #threads: ThreadClient[] = [];
  #isClosed = false;

  constructor(start: () => ThreadClient, idleMs = IDLE_MS) {
    this.#start = start;
    this.#idle = setTimeout(() => this.#endIdle(), idleMs).unref();
  }

  get count(): number {
    return this.#threads.length;
  }

  get load(): number {
    return this.#threads.reduce((sum, { load }) => sum + load, 0);
  }

  ask<P, I, O>(operation: Operation<P, I, O>, principal: P, input: I): Promise<O> {
    if (this.#isClosed) return Promise.reject(unavailable('The service is stopping.'));
    this.#idle.refresh();
    return leastLoaded(this.#available()).ask(operation, principal, input);
  }

  /** Asks a thread that has opened the file. Undefined if there is none yet: on a frozen file system, opening it does not end. */
  askOpen<P, I, O>(operation: Operation<P, I, O>, principal: P, input: I): Promise<O> | undefined {
    if (this.#isClosed) return undefined;
    this.#idle.refresh();
    const open = this.#available().filter(({ isOpen }) => isOpen);
    return open.length > 0 ? leastLoaded(open).ask(operation, principal, input) : undefined;
  }

  /** Ends all threads without waiting for their answers. A later read is rejected: a thread that it started would never end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #end(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.close({ waitForAnswers: false })));
  }

  /** All threads, with another one if none is idle. */
  #available(): readonly ThreadClient[] {
    const isIdle = this.#threads.some(({ load }) => load === 0);
    if (!isIdle && this.#threads.length < MAX_THREADS) this.#threads.push(this.#start());
    return this.#threads;
  }

  #endIdle() {
    if (this.#threads.some(({ load }) => load > 0)) this.#idle.refresh();
    else this.#end();
  }
}
