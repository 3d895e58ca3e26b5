import { Slot } from 'radix-ui';
import { type ComponentType, type KeyboardEvent, type ReactNode, useCallback, useState } from 'react';
import { loadChunk } from '../api/load-chunk.ts';
import { toast } from './toast.tsx';

/** Loads the content of a menu or popover on demand, because no page needs it to be shown. `load` must be the same function on
 *  every render. */
export const useOnDemand = <Props,>(load: () => Promise<{ readonly default: ComponentType<Props> }>) => {
  const [Content, setContent] = useState<ComponentType<Props>>();
  const preload = useCallback(() => void loadChunk(load).catch(() => undefined), [load]);
  const request = useCallback(
    () =>
      void loadChunk(load).then(
        (loaded) => setContent(() => loaded.default),
        (error: unknown) => toast.failed(error),
      ),
    [load],
  );
  return { Content, preload, request };
};

const MENU_KEYS = new Set(['Enter', ' ', 'ArrowDown']);
const DIALOG_KEYS = new Set(['Enter', ' ']);

/** The trigger while the content is not loaded. It preloads when the pointer or the focus reaches it. */
export const OnDemandTrigger = ({
  kind,
  onPreload,
  onOpen,
  children,
}: {
  readonly kind: 'menu' | 'dialog';
  readonly onPreload: () => void;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}) => (
  <Slot.Root
    aria-haspopup={kind}
    aria-expanded={false}
    onPointerEnter={onPreload}
    onFocus={onPreload}
    onClick={onOpen}
    onKeyDown={(event: KeyboardEvent) => {
      // Ctrl Enter submits the dialog of the trigger.
      if (event.ctrlKey || event.metaKey) return;
      if (!(kind === 'menu' ? MENU_KEYS : DIALOG_KEYS).has(event.key)) return;
      event.preventDefault();
      onOpen();
    }}
  >
    {children}
  </Slot.Root>
);
