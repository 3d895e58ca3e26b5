import { useEffect, useRef } from 'react';
import { createStore } from '../api/store.ts';
import { useShortcut } from './shortcuts.ts';

export interface Command {
  readonly title: string;
  readonly run: () => void;
}

/** The actions that the current page adds to the command palette. */
export const commands = createStore<readonly Command[]>([]);

/** Adds an action to the command palette while the component is mounted and the action has a title. */
export const useCommand = (title: string | false | undefined, run: () => void): void => {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!title) return;
    const entry = { title, run: () => latest.current() };
    commands.set([...commands.get(), entry]);
    return () => commands.set(commands.get().filter((each) => each !== entry));
  }, [title]);
};

/** What a page creates: a command, and the key `c`. */
export const useCreate = (title: string, run: () => void): void => {
  useCommand(title, run);
  useShortcut('c', title, run);
};
