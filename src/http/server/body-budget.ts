import { unavailable } from '../../lib/errors.ts';

/** 64 bodies of the largest size. */
const BUDGET = 64 * 1_048_576;

/** How many bytes of unfinished bodies the process holds in memory, and the limit to them. A body that arrives whole does
 *  not count: requests with short bodies are answered while others hold the budget. */
export class BodyBudget {
  readonly #limit: number;
  readonly #onExceeded: () => void;
  #held = 0;

  constructor(onExceeded: () => void, limit = BUDGET) {
    this.#onExceeded = onExceeded;
    this.#limit = limit;
  }

  /** Reserves memory for a part of a body, or throws 503. */
  reserve(bytes: number): void {
    if (this.#held + bytes > this.#limit) {
      this.#onExceeded();
      throw unavailable('The service is receiving too many large requests. Retry in 1 second.');
    }
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
