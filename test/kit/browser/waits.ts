import type { Locator, Page } from 'playwright-core';

/** Waits until an element has the focus, which it may get after it is shown. */
export const hasFocus = (element: Locator): Promise<void> =>
  element.and(element.page().locator(':focus')).waitFor();

/** Waits until a dialog has the focus. Before that, it may be visible and not yet react to keys. */
export const dialogHasFocus = (page: Page): Promise<void> =>
  page.locator('[role=dialog]:focus-within').waitFor();

/** Waits until a value that was edited in place is saved: the page shows the new value before the service has it. */
export const valueSaved = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name }).and(page.locator('[aria-busy=false]')).waitFor();

/** Whether the page has loaded its data; runs in the page. */
export const isSettled = (): boolean =>
  document.querySelector('h1') !== null &&
  document.querySelector('main .animate-pulse, [aria-busy="true"]') === null;

/** Lets toasts with an action stay, because a busy machine may need longer for the next steps than they are shown; runs in the page. */
export const letToastsStay = (): void => {
  const UNDO_MS = 10_000;
  const start = globalThis.setTimeout;
  Object.assign(globalThis, {
    setTimeout: (work: TimerHandler, ms?: number, ...rest: unknown[]) =>
      start(work, ms === UNDO_MS ? 100 * UNDO_MS : ms, ...rest),
  });
};

export const keepToasts = (page: Page): Promise<void> => page.evaluate(letToastsStay);
