import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../db/storage.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getProgress, type ImportProgress } from './import.service.ts';
import { isRunning } from './lifecycle.service.ts';

const POLL_MS = 250;

export interface WatchOptions {
  /** Stops immediately. */
  readonly signal?: AbortSignal;
  /** Stops at the next poll. */
  readonly isStopped?: () => boolean;
  /** Yields unchanged progress again after this long. */
  readonly resendAfterMs?: number;
}

/** Yields the progress of an import whenever it changes, until no job is running. */
export async function* watchImport(
  storage: Storage,
  principal: Principal,
  id: string,
  { signal, isStopped, resendAfterMs = Number.POSITIVE_INFINITY }: WatchOptions = {},
): AsyncGenerator<ImportProgress> {
  let last = '';
  let sentAt = 0;
  for (;;) {
    const view = await storage.run(getProgress, principal, { id });
    const now = `${view.state} ${view.progress}`;
    if (now !== last || performance.now() - sentAt > resendAfterMs) {
      yield view;
      sentAt = performance.now();
    }
    last = now;
    if (!isRunning(view.state) || signal?.aborted || isStopped?.()) return;
    await pause(POLL_MS, undefined, signal && { signal }).catch(() => {});
  }
}

/** A closed connection is noticed only when something is sent. */
const COMMENT = ': \n\n';
const COMMENT_EVERY_MS = 2_000;

/** The progress as server-sent events. */
export async function* importEvents(
  storage: Storage,
  principal: Principal,
  id: string,
  isStopped: () => boolean,
): AsyncGenerator<string> {
  let last = '';
  try {
    const views = watchImport(storage, principal, id, { isStopped, resendAfterMs: COMMENT_EVERY_MS });
    for await (const { state, progress, rows, totals } of views) {
      const event = `data: ${JSON.stringify({ state, progress, rows, totals })}\n\n`;
      yield event === last ? COMMENT : event;
      last = event;
    }
  } catch (error) {
    // The import was deleted because its file could not be read completely.
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
  }
}
