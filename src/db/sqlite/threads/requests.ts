import { deserializeError } from '../../../lib/error-serialization.ts';
import { type Fault, faultReasons, unavailableBy } from '../../../lib/errors.ts';
import type { Operation } from '../../operation.ts';
import type { Reply, ThreadRequest } from './protocol.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Port {
  postMessage(requests: readonly ThreadRequest[]): void;
}

/** This many requests are sent before the turn of the event loop ends, so that the thread starts early. */
const EARLY_BATCH = 16;

export const STALLED: Fault = { reason: 'no_answer', code: 'the writer thread is silent', isOutage: true };

const ENDED: Fault = { reason: 'no_answer', code: 'the thread ended before its answer', isOutage: false };

const refused = () =>
  unavailableBy(STALLED, { message: `${faultReasons.no_answer} Nothing was changed. Retry in 1 second.` });

const unknownOutcome = (fault: Fault) => () =>
  unavailableBy(fault, {
    message: `${faultReasons.no_answer} A change may still be applied: retry with the same Idempotency-Key, or check before you repeat it.`,
  });

/** The requests of one thread to another, and their answers. Requests of one turn of the event loop are sent together.
 *  Without a port, requests wait for the next one. */
export class ThreadRequests {
  readonly #waiting = new Map<number, Waiting>();
  readonly #onIdle: () => void;
  #port: Port | undefined;
  #outbox: ThreadRequest[] = [];
  #count = 0;
  #isStalled = false;

  /** `onIdle` is called when the last answer has arrived. */
  constructor(onIdle: () => void = () => {}) {
    this.#onIdle = onIdle;
  }

  get load(): number {
    return this.#waiting.size;
  }

  ask<P, I, O>(operation: Operation<P, I, O>, principal: P, input: I): Promise<O> {
    if (this.#isStalled) return Promise.reject(refused());
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      const queued = this.#outbox.push([id, operation.operationName, principal, input]);
      if (queued === 1) setImmediate(() => this.#send());
      else if (queued === EARLY_BATCH) this.#send();
    });
  }

  attach(port: Port): void {
    this.#port = port;
    this.#send();
  }

  /** The port is lost: requests that were sent fail with 503. They may have been executed. */
  detach(): void {
    this.#port = undefined;
    this.#rejectSent(unknownOutcome(ENDED));
  }

  /** The thread does not answer: all requests fail with 503. Those that were sent may still be executed. Returns whether this
   *  is new. */
  stall(): boolean {
    if (this.#isStalled) return false;
    this.#isStalled = true;
    this.#rejectSent(unknownOutcome(STALLED));
    this.#outbox = [];
    this.#rejectSent(refused);
    this.#onIdle();
    return true;
  }

  /** The thread answers again. */
  resume(): void {
    this.#isStalled = false;
  }

  receive(replies: readonly Reply[]): void {
    for (const reply of replies) this.#settle(reply);
  }

  #rejectSent(error: () => Error) {
    const unsent = new Set(this.#outbox.map(([id]) => id));
    for (const [id, waiting] of this.#waiting) {
      if (unsent.has(id)) continue;
      waiting.reject(error());
      this.#waiting.delete(id);
    }
  }

  #send() {
    if (!this.#port || this.#outbox.length === 0) return;
    const requests = this.#outbox;
    this.#outbox = [];
    try {
      this.#port.postMessage(requests);
    } catch (error) {
      // A request has data that cannot be cloned. It is unknown which one.
      for (const [id] of requests) {
        this.#waiting.get(id)?.reject(error as Error);
        this.#waiting.delete(id);
      }
    }
  }

  #settle([id, failed, value]: Reply) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failed) waiting?.reject(deserializeError(value as Parameters<typeof deserializeError>[0]));
    else waiting?.resolve(value);
    if (this.#waiting.size === 0) this.#onIdle();
  }
}
