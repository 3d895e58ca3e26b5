import type { Operation } from '../../storage.ts';
import type { ThreadClient } from './client.ts';

const MOST = 2;
const REST_MS = 60_000;

/** The threads for long reads. Each takes memory, so they are started when they are first needed, and ended when nobody has
 *  needed one for a minute. */
export class Readers {
  readonly #start: () => ThreadClient;
  readonly #rest: NodeJS.Timeout;
  #threads: ThreadClient[] = [];

  constructor(start: () => ThreadClient, restMs = REST_MS) {
    this.#start = start;
    this.#rest = setTimeout(() => this.#dismiss(), restMs).unref();
  }

  get count(): number {
    return this.#threads.length;
  }

  ask<W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O> {
    this.#rest.refresh();
    return this.#freest().ask(operation, who, input);
  }

  /** Nobody waits any more for what they do. */
  async close(): Promise<void> {
    clearTimeout(this.#rest);
    await this.#end();
  }

  async #end(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.close({ waitForAnswers: false })));
  }

  #freest(): ThreadClient {
    const idle = this.#threads.find(({ load }) => load === 0);
    if (idle) return idle;
    if (this.#threads.length < MOST) this.#threads.push(this.#start());
    return this.#threads.reduce((least, each) => (each.load < least.load ? each : least));
  }

  #dismiss() {
    if (this.#threads.some(({ load }) => load > 0)) this.#rest.refresh();
    else this.#end();
  }
}
