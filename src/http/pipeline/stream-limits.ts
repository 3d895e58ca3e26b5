import { rateLimited } from '../../lib/errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { HttpResponse } from './route.ts';

interface Caller {
  readonly workspace: number;
  readonly actor: string;
}

const RETRY_AFTER_SECONDS = 5;

/** Named locks that all threads of the service share. Those of a thread that has ended are unlocked. */
export interface Locks {
  /** False if another request has the lock. */
  tryLock(name: string): MaybePromise<boolean>;
  unlock(name: string): MaybePromise<void>;
}

/** Limits the concurrent requests of one kind for each caller. Each request locks one of the caller's slots. */
export class ConcurrencyLimit {
  readonly #locks: Locks;
  readonly #max: number;
  readonly #kind: string;

  /** `kind` is a plural noun for the error message. */
  constructor(locks: Locks, max: number, kind: string) {
    this.#locks = locks;
    this.#max = max;
    this.#kind = kind;
  }

  /** Call the returned function when the request has ended. */
  async acquire({ workspace, actor }: Caller): Promise<() => void> {
    for (let slot = 0; slot < this.#max; slot++) {
      const name = `${this.#kind} ${workspace} ${actor} ${slot}`;
      if (await this.#locks.tryLock(name)) return () => void this.#release(name);
    }
    throw rateLimited(
      `You have ${this.#max} ${this.#kind} open, which is the maximum. Wait until one ends, then retry.`,
      RETRY_AFTER_SECONDS,
    );
  }

  /** A thread that can no longer reach the first one is ending, which unlocks the slot. */
  async #release(name: string): Promise<void> {
    try {
      await this.#locks.unlock(name);
    } catch {}
  }
}

export const streamLimits = (locks: Locks) => ({
  downloads: new ConcurrencyLimit(locks, 3, 'downloads'),
  uploads: new ConcurrencyLimit(locks, 3, 'uploads'),
  feeds: new ConcurrencyLimit(locks, 10, 'requests that wait for events'),
});
export type StreamLimits = ReturnType<typeof streamLimits>;

/** A file that a client saves. It counts towards the limit of downloads until it is sent. */
export const download = async (
  downloads: ConcurrencyLimit,
  caller: Caller,
  { name, type, body }: { name: string; type: string; body: AsyncGenerator<string> },
): Promise<HttpResponse> => ({
  status: 200,
  onClose: await downloads.acquire(caller),
  body,
  type: `${type}; charset=utf-8`,
  headers: { 'Content-Disposition': `attachment; filename="${name}"` },
});
