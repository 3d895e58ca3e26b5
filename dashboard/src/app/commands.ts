import { useEffect, useRef } from 'react';
import { createStore } from '../api/store.ts';

export interface Command {
  readonly title: string;
  readonly run: () => void;
}

/** The actions that the current page adds to the command palette. */
export const commands = createStore<readonly Command[]>([]);

/** Adds an action to the command palette while the component is mounted. */
export const useCommand = (title: string, run: () => void): void => {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const entry = { title, run: () => latest.current() };
    commands.set([...commands.get(), entry]);
    return () => commands.set(commands.get().filter((each) => each !== entry));
  }, [title]);
};
