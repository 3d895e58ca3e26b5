import { useEffect, useRef } from 'react';
import { createStore } from '../api/store.ts';

export interface Shortcut {
  /** `?`, `/` or `Ctrl K` (also Cmd K). */
  readonly keys: string;
  readonly description: string;
}

/** The shortcuts that are active now, for the help dialog. */
export const shortcuts = createStore<readonly Shortcut[]>([]);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const matches = (event: KeyboardEvent, keys: string): boolean => {
  const hasModifier = event.ctrlKey || event.metaKey;
  if (keys.startsWith('Ctrl ')) return hasModifier && event.key.toLowerCase() === keys.slice(5).toLowerCase();
  return !hasModifier && !event.altKey && !isTyping(event.target) && event.key === keys;
};

/** Active while the component is mounted. Shortcuts without Ctrl are ignored in text fields and while a dialog is
 *  open. */
export const useShortcut = (keys: string, description: string, run: () => void): void => {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const entry = { keys, description };
    shortcuts.set([...shortcuts.get(), entry]);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matches(event, keys)) return;
      if (!keys.startsWith('Ctrl ') && document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      shortcuts.set(shortcuts.get().filter((each) => each !== entry));
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [keys, description]);
};
