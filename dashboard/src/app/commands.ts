import { useEffect, useRef } from 'react';
import { createStore } from '../api/store.ts';

export interface Command {
  readonly title: string;
  readonly run: () => void;
}

/** What the page on the screen offers to the command palette beside the places. */
export const commands = createStore<readonly Command[]>([]);

/** Offers an action in the command palette while the component is on the screen. */
export const useCommand = (title: string, run: () => void): void => {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const entry = { title, run: () => latest.current() };
    commands.set([...commands.get(), entry]);
    return () => commands.set(commands.get().filter((each) => each !== entry));
  }, [title]);
};
