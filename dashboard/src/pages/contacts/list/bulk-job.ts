import { useEffect, useRef, useState } from 'react';
import { batchesOf, type IdBatches } from './id-batches.ts';
import { countOf, type Selection } from './selection.ts';

/** Processes a batch of contacts and returns how many of them no longer match the list's filter. */
export type ProcessBatch = (ids: readonly string[]) => Promise<number>;

export type Phase = 'idle' | 'running' | 'stopped' | 'failed' | 'finished';

export interface BulkJob {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
  readonly error: unknown;
  /** Starts, or resumes after a stop or failure. Resolves to whether all contacts were processed. */
  run(processBatch: ProcessBatch): Promise<boolean>;
  stop(): void;
}

/** Processes a selection in batches. It can be stopped between batches, and stops when the page is left. Finished
 *  batches are not rolled back. */
export const useBulkJob = (selection: Selection): BulkJob => {
  const [state, setState] = useState({ phase: 'idle' as Phase, done: 0, error: undefined as unknown });
  const batches = useRef<IdBatches>(undefined);
  const pending = useRef<readonly string[]>([]);
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);

  const run = async (processBatch: ProcessBatch): Promise<boolean> => {
    const stop = new AbortController();
    control.current = stop;
    batches.current ??= batchesOf(selection);
    setState((now) => ({ ...now, phase: 'running', error: undefined }));
    const end = (phase: Phase, error?: unknown) => {
      setState((now) => ({ ...now, phase, error }));
      return phase === 'finished';
    };
    try {
      for (;;) {
        if (pending.current.length === 0) pending.current = await batches.current.next(stop.signal);
        const ids = pending.current;
        if (ids.length === 0) return end('finished');
        if (stop.signal.aborted) return end('stopped');
        batches.current.reportRemoved(await processBatch(ids));
        pending.current = [];
        setState((now) => ({ ...now, done: now.done + ids.length }));
      }
    } catch (error) {
      return stop.signal.aborted ? end('stopped') : end('failed', error);
    }
  };
  return { ...state, total: countOf(selection), run, stop: () => control.current?.abort() };
};
