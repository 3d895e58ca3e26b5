import { ApiError } from '../../lib/errors.ts';

/** The caller whose requests are counted. */
interface Caller {
  readonly workspace: number;
  readonly actor: string;
}

const RETRY_AFTER_SECONDS = 5;

/** Limits how many requests of a kind one caller has open at the same time, in memory. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #kind: string;
  readonly #open = new Map<string, number>();

  /** `kind` names the requests in the plural, for the caller. */
  constructor(max: number, kind: string) {
    this.#max = max;
    this.#kind = kind;
  }

  /** Counts one more; the result is called when it has ended. */
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

/** What streams to and from people: files, and the progress of imports. */
export const streamLimits = () => ({
  downloads: new ConcurrencyLimit(3, 'downloads'),
  uploads: new ConcurrencyLimit(3, 'uploads'),
  // A page that shows an import has one.
  events: new ConcurrencyLimit(10, 'progress streams'),
});
export type StreamLimits = ReturnType<typeof streamLimits>;
