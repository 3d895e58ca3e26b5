import { useEffect, useState } from 'react';

const kept = new Map<string, unknown>();
let isReturn = false;
let isReplaced = false;

export const noteNavigation = (kind: string): void => {
  isReplaced = kind === 'REPLACE';
  isReturn = kind === 'BACK' || kind === 'FORWARD' || kind === 'GO';
};

/** Whether the page was opened with Back or Forward. */
export const hasReturned = (): boolean => isReturn;

/** Whether the page changed its address since it was opened, with a filter for example. */
export const hasReplaced = (): boolean => isReplaced;

/** State of a page that is there again after Back. */
export const useKeptState = <T>(name: string, initial: T): [T, (next: T) => void] => {
  const [state, setState] = useState(() => (isReturn && (kept.get(name) as T | undefined)) || initial);
  useEffect(() => {
    kept.set(name, state);
  }, [name, state]);
  return [state, setState];
};
