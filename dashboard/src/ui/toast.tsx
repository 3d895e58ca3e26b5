import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorMessage } from '../api/api-error.ts';
import { createStore, useStore } from '../api/store.ts';
import { t } from '../lib/i18n.ts';
import { Button, IconButton } from './button.tsx';
import { focusPage } from './dialog-content.tsx';
import { KeyHint } from './keyboard.tsx';

interface Action {
  readonly label: string;
  readonly run: () => void;
  /** The shortcut of the action. */
  readonly keys?: string;
}

interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'danger';
  readonly text: ReactNode;
  readonly action: Action | undefined;
  /** Called when the toast is gone and its action was not used. */
  readonly onEnd: (() => void) | undefined;
}

const GOOD_MS = 5_000;
const UNDO_MS = 10_000;
const MAX = 3;
const toasts = createStore<readonly Toast[]>([]);
let count = 0;

export const UNDO_KEYS = 'z';

const remove = (id: number): Toast | undefined => {
  const found = toasts.get().find((each) => each.id === id);
  toasts.set(toasts.get().filter((each) => each.id !== id));
  return found;
};

const dismiss = (id: number): void => remove(id)?.onEnd?.();

/** Dismisses a toast that may have the focus, or uses its action. */
const close = (id: number, isUsed = false): void => {
  if (isUsed) remove(id)?.action?.run();
  else dismiss(id);
  setTimeout(() => document.activeElement === document.body && focusPage());
};

const show = (
  tone: Toast['tone'],
  text: ReactNode,
  action?: Action,
  { ms, onEnd }: { ms?: number | undefined; onEnd?: (() => void) | undefined } = {},
): void => {
  const id = ++count;
  toasts.set([...toasts.get(), { id, tone, text, action, onEnd }]);
  for (const each of toasts.get().slice(0, -MAX)) dismiss(each.id);
  if (ms !== undefined) setTimeout(dismissUnlessUsed, ms, id, ms);
};

/** Dismisses the toasts that something waits for. */
export const endWaiting = (): void => {
  for (const { id, onEnd } of toasts.get()) if (onEnd) dismiss(id);
};

/** A toast that has the focus or the pointer stays. */
const dismissUnlessUsed = (id: number, ms: number): void => {
  const shown = document.querySelector(`[data-toast="${id}"]`);
  if (shown?.matches(':hover, :focus-within')) setTimeout(dismissUnlessUsed, ms, id, ms);
  else dismiss(id);
};

/** Reports success, or errors outside a form. Errors and toasts with an action stay until they are dismissed. */
export const toast = {
  good: (text: ReactNode, action?: Action): void =>
    show('good', text, action, { ms: action ? undefined : GOOD_MS }),
  /** Offers for a while to undo a change. A failure to undo it is reported. `onEnd` is called when that is over. */
  undo: (text: ReactNode, undo: () => Promise<unknown>, onEnd?: () => void): void =>
    show(
      'good',
      text,
      {
        label: t('Undo'),
        run: () => void undo().catch((error: unknown) => toast.failed(error)),
        keys: UNDO_KEYS,
      },
      { ms: UNDO_MS, onEnd },
    ),
  failed: (error: unknown, action?: Action): void => show('danger', errorMessage(error), action),
};

/** Undoes the change of the latest toast; undefined if none can be undone. */
export const useUndo = (): (() => void) | undefined => {
  const latest = useStore(toasts).findLast(({ action }) => action?.keys === UNDO_KEYS);
  return latest && (() => close(latest.id, true));
};

export const Toasts = () => {
  const shown = useStore(toasts);
  return (
    <section
      aria-label={t('Notifications')}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 top-3 z-70 flex flex-col items-center gap-2 sm:inset-x-auto sm:top-auto sm:right-5 sm:bottom-5 sm:items-end"
    >
      {shown.map(({ id, tone, text, action }) => (
        <div
          key={id}
          data-toast={id}
          role={tone === 'danger' ? 'alert' : undefined}
          className="pointer-events-auto flex w-full items-center gap-3 rounded-xl border border-line bg-surface py-2 pr-2 pl-3.5 text-sm shadow-float animate-appear sm:w-auto sm:max-w-md"
        >
          {tone === 'good' ? (
            <CircleCheck className="size-4.5 shrink-0 text-accent-ink" aria-hidden />
          ) : (
            <TriangleAlert className="size-4.5 shrink-0 text-danger-ink" aria-hidden />
          )}
          <div className="min-w-0 flex-1 py-1">{text}</div>
          {action && (
            <Button size="small" onClick={() => close(id, true)}>
              {action.label}
              {action.keys && (
                <span className="max-sm:hidden" aria-hidden>
                  <KeyHint keys={action.keys} />
                </span>
              )}
            </Button>
          )}
          <IconButton label={t('Dismiss')} size="small" icon={<X aria-hidden />} onClick={() => close(id)} />
        </div>
      ))}
    </section>
  );
};
