import { useEffect, useRef, useState } from 'react';
import { type Walk, walkOf } from './id-batches.ts';
import { type Chosen, countOf } from './selection.ts';

/** Processes a batch of contacts and returns how many of them no longer match the list's filter. */
export type Step = (ids: readonly string[]) => Promise<number>;

export type Phase = 'waiting' | 'working' | 'stopped' | 'failed' | 'finished';

export interface Work {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
  readonly error: unknown;
  /** Starts, or resumes after a stop or failure. Resolves to whether all contacts were processed. */
  run(step: Step): Promise<boolean>;
  stop(): void;
}

/** Processes a selection in batches. It can be stopped between batches, and stops when the page is left. Finished
 *  batches are not rolled back. */
export const useWork = (chosen: Chosen): Work => {
  const [state, setState] = useState({ phase: 'waiting' as Phase, done: 0, error: undefined as unknown });
  const walk = useRef<Walk>(undefined);
  const pending = useRef<readonly string[]>([]);
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);

  const run = async (step: Step): Promise<boolean> => {
    const stop = new AbortController();
    control.current = stop;
    walk.current ??= walkOf(chosen);
    setState((now) => ({ ...now, phase: 'working', error: undefined }));
    const end = (phase: Phase, error?: unknown) => {
      setState((now) => ({ ...now, phase, error }));
      return phase === 'finished';
    };
    try {
      for (;;) {
        if (pending.current.length === 0) pending.current = await walk.current.next(stop.signal);
        const ids = pending.current;
        if (ids.length === 0) return end('finished');
        if (stop.signal.aborted) return end('stopped');
        walk.current.left(await step(ids));
        pending.current = [];
        setState((now) => ({ ...now, done: now.done + ids.length }));
      }
    } catch (error) {
      return stop.signal.aborted ? end('stopped') : end('failed', error);
    }
  };
  return { ...state, total: countOf(chosen), run, stop: () => control.current?.abort() };
};
