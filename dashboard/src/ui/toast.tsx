import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorMessage } from '../api/api-error.ts';
import { createStore, useStore } from '../api/store.ts';
import { t } from '../lib/i18n.ts';
import { Button, IconButton } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'danger';
  readonly text: ReactNode;
  readonly action: { readonly label: string; readonly run: () => void } | undefined;
}

const GOOD_MS = 5_000;
const UNDO_MS = 10_000;
const MAX = 3;
const toasts = createStore<readonly Toast[]>([]);
let count = 0;

const dismiss = (id: number): void => toasts.set(toasts.get().filter((each) => each.id !== id));

const show = (tone: Toast['tone'], text: ReactNode, action?: Toast['action'], ms?: number): void => {
  const id = ++count;
  toasts.set([...toasts.get(), { id, tone, text, action }].slice(-MAX));
  if (ms !== undefined) setTimeout(dismissUnlessUsed, ms, id, ms);
};

/** A toast that has the focus or the pointer stays. */
const dismissUnlessUsed = (id: number, ms: number): void => {
  const shown = document.querySelector(`[data-toast="${id}"]`);
  if (shown?.matches(':hover, :focus-within')) setTimeout(dismissUnlessUsed, ms, id, ms);
  else dismiss(id);
};

/** Reports success, or errors outside a form. Errors and toasts with an action stay until they are dismissed. */
export const toast = {
  good: (text: ReactNode, action?: Toast['action']): void =>
    show('good', text, action, action ? undefined : GOOD_MS),
  /** Offers for a while to undo a change. A failure to undo it is reported. */
  undo: (text: ReactNode, undo: () => Promise<unknown>): void =>
    show(
      'good',
      text,
      { label: t('Undo'), run: () => void undo().catch((error: unknown) => toast.failed(error)) },
      UNDO_MS,
    ),
  failed: (error: unknown, action?: Toast['action']): void => show('danger', errorMessage(error), action),
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
            <Button
              size="small"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton
            label={t('Dismiss')}
            size="small"
            icon={<X aria-hidden />}
            onClick={() => dismiss(id)}
          />
        </div>
      ))}
    </section>
  );
};
