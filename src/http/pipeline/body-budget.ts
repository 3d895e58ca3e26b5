import { unavailable } from '../../lib/errors.ts';

/** 64 bodies of the maximum size. */
const BUDGET = 64 * 1_048_576;

/** Limits the memory of incomplete bodies. A body that arrives in one chunk does not count, so that short requests succeed
 *  while the budget is used up. */
export class BodyBudget {
  readonly #limit: number;
  readonly #onExceeded: () => void;
  #reserved = 0;

  /** Serving threads share the budget. */
  constructor(onExceeded: () => void, threads: number) {
    this.#onExceeded = onExceeded;
    this.#limit = BUDGET / threads;
  }

  /** Throws a 503 error if the budget is used up. */
  reserve(bytes: number): void {
    if (this.#reserved + bytes > this.#limit) {
      this.#onExceeded();
      throw unavailable('The service is receiving too many large requests. Retry in 1 second.');
    }
    this.#reserved += bytes;
  }

  release(bytes: number): void {
    this.#reserved -= bytes;
  }
}
