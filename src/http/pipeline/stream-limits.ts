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

/** Limits the concurrent requests of one kind for each caller. Each request locks one of the caller's slots, and calls the returned function
 *  when it has ended. `kind` is a plural noun for the error message. */
const concurrencyLimit = (locks: Locks, max: number, kind: string) => {
  /** A thread that can no longer reach the first one is ending, which unlocks the slot. */
  const release = async (name: string): Promise<void> => {
    try {
      await locks.unlock(name);
    } catch {}
  };
  return async ({ workspace, actor }: Caller): Promise<() => void> => {
    for (let slot = 0; slot < max; slot++) {
      const name = `${kind} ${workspace} ${actor} ${slot}`;
      if (await locks.tryLock(name)) return () => void release(name);
    }
    throw rateLimited(
      `You have ${max} ${kind} open, which is the maximum. Wait until one ends, then retry.`,
      RETRY_AFTER_SECONDS,
    );
  };
};

export const streamLimits = (locks: Locks) => ({
  downloads: concurrencyLimit(locks, 3, 'downloads'),
  uploads: concurrencyLimit(locks, 3, 'uploads'),
  chats: concurrencyLimit(locks, 3, 'chats'),
  feeds: concurrencyLimit(locks, 10, 'requests that wait for events'),
});
export type StreamLimits = ReturnType<typeof streamLimits>;

/** A file that a client saves. It counts towards the limit of downloads until it is sent. */
export const download = async (
  acquire: StreamLimits['downloads'],
  caller: Caller,
  { name, type, body }: { name: string; type: string; body: AsyncGenerator<string> },
): Promise<HttpResponse> => ({
  status: 200,
  onClose: await acquire(caller),
  body,
  type: `${type}; charset=utf-8`,
  headers: { 'Content-Disposition': `attachment; filename="${name}"` },
});
