import { Dialog as Radix } from 'radix-ui';
import { type ComponentProps, useCallback, useState } from 'react';
import { lastRow } from './last-row.ts';

/** The elements to focus when a dialog closes: its opener, then the opener of the dialog below. */
const openersOf = new WeakMap<Element, readonly HTMLElement[]>();

/** How long an opener on the page is watched after it got the focus back, because refetching a list may remove it. */
const WATCH_MS = 5_000;
const OPENING_MS = 200;

const topDialog = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1);

/** Moves the focus to the page after the focused element was removed. */
export const focusPage = (): void =>
  (lastRow() ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });

/** The focused element, or the trigger of its menu, because a menu closes when an item is selected. */
const currentOpeners = (): readonly HTMLElement[] => {
  const active = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  const menu = active?.closest('[role=menu]');
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active;
  const dialog = active?.closest('[role=dialog]') ?? topDialog();
  const earlier = (dialog && openersOf.get(dialog)) ?? [];
  return opener && opener !== document.body ? [opener, ...earlier] : earlier;
};

const focusPageOnceRemoved = (element: HTMLElement): void => {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusPage();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), WATCH_MS);
};

/** A dialog that has just opened focuses its first control itself, unless it already has the focus. */
const focusOnceReady = (dialog: HTMLElement): void => {
  setTimeout(() => document.activeElement === document.body && dialog.focus(), OPENING_MS);
};

const restoreFocus = (openers: readonly HTMLElement[]): void => {
  // The page has moved the focus itself.
  if (document.activeElement !== document.body) return;
  const opener = openers.find(
    (each) => each.isConnected && each.checkVisibility() && !each.matches(':disabled'),
  );
  const dialog = topDialog();
  if (dialog && !(opener && dialog.contains(opener))) focusOnceReady(dialog);
  else if (opener) {
    // The dialog may show another row by now.
    const row = opener.closest('tr[data-row]');
    const last = row && lastRow();
    (last && last !== row ? last : opener).focus();
    // A dialog restores the focus itself when it closes.
    if (!dialog) focusPageOnceRemoved(opener);
  } else focusPage();
};

/** The content of a dialog. Radix restores the focus only to its own trigger, which a dialog opened by the URL does
 *  not have. This restores it to the element that had it before, or to the page. */
export const DialogContent = (props: ComponentProps<typeof Radix.Content>) => {
  // Read while rendering, because in an effect a field with autoFocus would already have the focus.
  const [openers] = useState(currentOpeners);
  const register = useCallback(
    (element: HTMLDivElement | null) => {
      if (element) openersOf.set(element, openers);
    },
    [openers],
  );
  return (
    <Radix.Content
      {...props}
      ref={register}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        restoreFocus(openers);
      }}
    />
  );
};
