import type { Locks } from '../../http/pipeline/stream-limits.ts';

/** Locks, in memory, of the idempotency keys of running requests, so that a second request with the same key is rejected immediately, and of
 *  the slots of limited requests. */
export class LocalKeyLocks implements Locks {
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
