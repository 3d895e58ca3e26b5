import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../db/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getImport } from './import.service.ts';
import type { ImportView } from './import.view.ts';
import { isRunning } from './lifecycle.service.ts';

const POLL_MS = 250;

/** Yields an import again and again, until no job is running or the signal aborts. */
export async function* watchImport(
  storage: Storage,
  principal: Principal,
  id: string,
  signal?: AbortSignal,
): AsyncGenerator<ImportView> {
  for (;;) {
    const view = await storage.run(getImport, principal, { id });
    yield view;
    if (!isRunning(view.state) || signal?.aborted) return;
    await pause(POLL_MS, undefined, signal && { signal }).catch(() => {});
  }
}
