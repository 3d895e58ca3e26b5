/* While a dialog loads, the page below still has the focus. Keys that are pressed then are meant for the dialog. */

const FORWARDED = new Set(['Enter', 'ArrowDown', 'ArrowUp']);

/** AltGr, which types characters such as `@`, also counts as Ctrl and Alt on Windows. */
const isText = (event: KeyboardEvent): boolean =>
  [...event.key].length === 1 &&
  !event.isComposing &&
  (event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey));

const isField = (element: Element | null): boolean =>
  element instanceof HTMLElement && (element.isContentEditable || element.matches('input, textarea'));

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const forward = (key: string): void => {
  const focused = document.activeElement;
  if (!isField(focused)) return;
  if (FORWARDED.has(key))
    focused?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  // Unlike an assigned value, inserted text reaches React and every kind of field.
  else document.execCommand('insertText', false, key);
};

/** Holds back text, Enter and the arrow keys, and forwards them to the dialog as soon as it has the focus. Escape calls
 *  `onCancel`. Returns a function that stops this. */
export const holdKeys = (onCancel: () => void): (() => void) => {
  const held: string[] = [];
  const stop = () => {
    removeEventListener('keydown', onKeyDown, true);
    document.removeEventListener('focusin', onFocus);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.isTrusted) return;
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Backspace') held.pop();
    else if (FORWARDED.has(event.key) || isText(event)) {
      // The key that opens the dialog may still be down.
      if (!event.repeat) held.push(event.key);
    } else if (event.key !== 'Tab') return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onFocus = async ({ target }: FocusEvent) => {
    if (!(target as Element).closest('[role=dialog]')) return;
    document.removeEventListener('focusin', onFocus);
    // The dialog is rendered after each key, and additional keys are held until then.
    for (await nextTask(); held.length > 0; await nextTask()) forward(held.shift() as string);
    stop();
  };
  addEventListener('keydown', onKeyDown, true);
  document.addEventListener('focusin', onFocus);
  return stop;
};
