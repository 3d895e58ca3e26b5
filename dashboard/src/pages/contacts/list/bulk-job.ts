import { useEffect, useRef, useState } from 'react';
import { type Walk, walkOf } from './id-batches.ts';
import { type Chosen, countOf } from './selection.ts';

/** Works on some contacts and says how many of them left the list by that. */
export type Step = (ids: readonly string[]) => Promise<number>;

export type Phase = 'waiting' | 'working' | 'stopped' | 'failed' | 'finished';

export interface Work {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
  readonly error: unknown;
  /** Begins, or goes on where it was stopped or failed. Resolves to whether it got to the end. */
  run(step: Step): Promise<boolean>;
  stop(): void;
}

/** Works through a selection step by step. It can be stopped between two steps, and stops when the page is left; what is
 *  done stays done. */
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
