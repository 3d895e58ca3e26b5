import { useEffect, useRef } from 'react';
import { createStore } from '../api/store.ts';

export interface Shortcut {
  /** `?`, `/`, a space, `Ctrl K` (also Cmd K), or two keys one after the other, such as `g c`. */
  readonly keys: string;
  readonly description: string;
  readonly run: () => void;
  readonly applies: () => boolean;
  /** Whether it belongs to the open dialog. */
  readonly isOfDialog: boolean;
}

/** The shortcuts that are active now, also for the help dialog. */
export const shortcuts = createStore<readonly Shortcut[]>([]);

const always = () => true;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));

const hasCtrl = (keys: string): boolean => /^Ctrl /.test(keys);

/** How long the first key of two waits for the second. */
const SEQUENCE_MS = 1_500;
let first: { readonly key: string; readonly at: number } | undefined;

const onKeyDown = (event: KeyboardEvent): void => {
  if (event.defaultPrevented) return;
  const { key, timeStamp } = event;
  const hasModifier = event.ctrlKey || event.metaKey;
  const isFree = !hasModifier && !event.altKey && !isTyping(event.target);
  const dialogs = document.querySelectorAll('[role=dialog]').length;
  const isReachable = ({ isOfDialog }: Shortcut) => dialogs <= Number(isOfDialog);
  const pressed = first && timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : key;
  first = undefined;
  const known = shortcuts.get();
  const found = known.findLast(
    (each) =>
      (hasCtrl(each.keys)
        ? hasModifier && key.toLowerCase() === each.keys.slice(5).toLowerCase()
        : isFree && each.keys === pressed && isReachable(each)) && each.applies(),
  );
  if (found) {
    event.preventDefault();
    found.run();
  } else if (isFree && known.some((each) => each.keys.startsWith(`${key} `) && isReachable(each)))
    first = { key, at: timeStamp };
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
    const entry = {
      keys,
      description,
      run: () => latest.current.run(),
      applies: () => latest.current.applies(),
      isOfDialog,
    };
    shortcuts.set([...shortcuts.get(), entry]);
    // Adds the same listener only once.
    document.addEventListener('keydown', onKeyDown);
    return () => shortcuts.set(shortcuts.get().filter((each) => each !== entry));
  }, [keys, description, isOfDialog]);
};
