import { ApiError } from '../../lib/errors.ts';

interface Caller {
  readonly workspace: number;
  readonly actor: string;
}

const RETRY_AFTER_SECONDS = 5;

/** Limits the concurrent requests of one kind for each caller, in memory. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #kind: string;
  readonly #open = new Map<string, number>();

  /** `kind` is a plural noun for the error message. */
  constructor(max: number, kind: string) {
    this.#max = max;
    this.#kind = kind;
  }

  /** Call the returned function when the request has ended. */
  acquire({ workspace, actor }: Caller): () => void {
    const key = `${workspace} ${actor}`;
    const count = this.#open.get(key) ?? 0;
    if (count >= this.#max) {
      throw new ApiError(
        'RATE_LIMITED',
        `You have ${count} ${this.#kind} open, which is the maximum. Wait until one ends, then retry.`,
        undefined,
        { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      );
    }
    this.#open.set(key, count + 1);
    return () => {
      const left = (this.#open.get(key) ?? 0) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }
}

export const streamLimits = () => ({
  downloads: new ConcurrencyLimit(3, 'downloads'),
  uploads: new ConcurrencyLimit(3, 'uploads'),
  // Each page that shows an import has one.
  events: new ConcurrencyLimit(10, 'progress streams'),
  feeds: new ConcurrencyLimit(10, 'requests that wait for events'),
});
export type StreamLimits = ReturnType<typeof streamLimits>;
