import { useEffect, useRef } from 'react';
import { createStore } from '../api/store.ts';

export interface Shortcut {
  /** `?`, `/` or `Ctrl K` (also Cmd K). */
  readonly keys: string;
  readonly description: string;
}

/** The shortcuts that are active now, for the help dialog. */
export const shortcuts = createStore<readonly Shortcut[]>([]);

const always = () => true;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'));

const hasCtrl = (keys: string): boolean => /^Ctrl /.test(keys);

const matches = (event: KeyboardEvent, keys: string): boolean => {
  const hasModifier = event.ctrlKey || event.metaKey;
  if (hasCtrl(keys)) return hasModifier && event.key.toLowerCase() === keys.slice(5).toLowerCase();
  return !hasModifier && !event.altKey && !isTyping(event.target) && event.key === keys;
};

/** Active while the component is mounted and has a description. Shortcuts without Ctrl are ignored in text fields, while a
 *  dialog is open (another one, if the shortcut is that of a dialog), and if `applies` is false; then the key keeps its usual effect. */
export const useShortcut = (
  keys: string,
  description: string | undefined,
  run: () => void,
  { applies = always, isOfDialog = false }: { applies?: () => boolean; isOfDialog?: boolean } = {},
): void => {
  const latest = useRef({ run, applies });
  latest.current = { run, applies };
  useEffect(() => {
    if (description === undefined) return;
    const entry = { keys, description };
    shortcuts.set([...shortcuts.get(), entry]);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matches(event, keys)) return;
      if (!hasCtrl(keys) && document.querySelectorAll('[role=dialog]').length > Number(isOfDialog)) return;
      if (!latest.current.applies()) return;
      event.preventDefault();
      latest.current.run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      shortcuts.set(shortcuts.get().filter((each) => each !== entry));
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [keys, description, isOfDialog]);
};
