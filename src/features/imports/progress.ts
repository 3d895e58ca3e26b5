import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../db/storage.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getProgress, type ImportProgress } from './import.service.ts';
import { isGoingOn } from './lifecycle.service.ts';

const LOOK_EVERY_MS = 250;

export interface WatchOptions {
  /** Stops, immediately or at the next poll. */
  readonly signal?: AbortSignal;
  readonly isOver?: () => boolean;
  /** After so long the progress is sent again although nothing has changed. */
  readonly againAfterMs?: number;
}

/** How an import goes, whenever that has changed, until it rests or it is enough. */
export async function* watchImport(
  storage: Storage,
  principal: Principal,
  id: string,
  { signal, isOver, againAfterMs = Number.POSITIVE_INFINITY }: WatchOptions = {},
): AsyncGenerator<ImportProgress> {
  let last = '';
  let told = 0;
  for (;;) {
    const view = await storage.run(getProgress, principal, { id });
    const now = `${view.state} ${view.progress}`;
    if (now !== last || performance.now() - told > againAfterMs) {
      yield view;
      told = performance.now();
    }
    last = now;
    if (!isGoingOn(view.state) || signal?.aborted || isOver?.()) return;
    await pause(LOOK_EVERY_MS, undefined, signal && { signal }).catch(() => {});
  }
}

/** A page that was left is noticed only when something is sent to it. */
const COMMENT = ': \n\n';
const COMMENT_EVERY_MS = 2_000;

/** The same for a page that listens: one event for each change. */
export async function* importEvents(
  storage: Storage,
  principal: Principal,
  id: string,
  isOver: () => boolean,
): AsyncGenerator<string> {
  let last = '';
  try {
    const views = watchImport(storage, principal, id, { isOver, againAfterMs: COMMENT_EVERY_MS });
    for await (const { state, progress, rows, totals } of views) {
      const event = `data: ${JSON.stringify({ state, progress, rows, totals })}\n\n`;
      yield event === last ? COMMENT : event;
      last = event;
    }
  } catch (error) {
    // The import of a file that could not be read completely is deleted, and so is its progress.
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
  }
}
