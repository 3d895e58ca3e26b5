import type { MaybePromise } from '../../lib/maybe-promise.ts';

/** Locks the idempotency keys of running requests, so that a second request with the same key is rejected immediately, and the
 *  slots of limited requests (src/http/pipeline/stream-limits.ts). All threads of the service share them. */
export interface KeyLocks {
  /** False if another request has the lock. */
  tryLock(name: string): MaybePromise<boolean>;
  unlock(name: string): MaybePromise<void>;
}

/** The locks, in memory. */
export class LocalKeyLocks implements KeyLocks {
  readonly #owners = new Map<string, unknown>();

  /** `owner` is the thread of the request if it is not this one. */
  tryLock(name: string, owner?: unknown): boolean {
    if (this.#owners.has(name)) return false;
    this.#owners.set(name, owner);
    return true;
  }

  unlock(name: string): void {
    this.#owners.delete(name);
  }

  /** Unlocks the keys of a thread that has ended. */
  unlockAll(owner: unknown): void {
    for (const [name, other] of this.#owners) if (other === owner) this.#owners.delete(name);
  }
}
