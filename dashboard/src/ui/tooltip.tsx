import { Slot } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

const SHOW_AFTER_MS = 350;
/** Time to move the pointer from the control onto its tooltip. */
const HIDE_AFTER_MS = 120;
const GAP = 6;
const MARGIN = 8;

/** Places the tooltip above the control, or below it if there is no room. */
const place = (tip: HTMLElement, control: HTMLElement): void => {
  const { left, top, bottom, width } = control.getBoundingClientRect();
  const centered = left + width / 2 - tip.offsetWidth / 2;
  const max = document.documentElement.clientWidth - tip.offsetWidth - MARGIN;
  const above = top - GAP - tip.offsetHeight;
  tip.style.left = `${Math.max(MARGIN, Math.min(centered, max))}px`;
  tip.style.top = `${above >= MARGIN ? above : bottom + GAP}px`;
};

/** Shows the accessible name of a control to readers who see only its icon. */
export const Tooltip = ({ text, children }: { readonly text: string; readonly children: ReactNode }) => {
  const control = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isOpen, setOpen] = useState(false);
  const change = (open: boolean, after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(open), after);
  };
  const hide = () => change(false, 0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = useCallback((tip: HTMLElement | null) => {
    if (!tip || !control.current) return;
    tip.showPopover?.();
    place(tip, control.current);
  }, []);
  return (
    <>
      <Slot.Root
        ref={control}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && change(true, SHOW_AFTER_MS)}
        onPointerLeave={() => change(false, HIDE_AFTER_MS)}
        onPointerDown={hide}
        onFocus={({ target }) => target.matches(':focus-visible') && change(true, 0)}
        onBlur={hide}
        onKeyDown={({ key }: KeyboardEvent) => key === 'Escape' && hide()}
      >
        {children}
      </Slot.Root>
      {isOpen && (
        // The top layer is above open dialogs, and no container clips it.
        <span
          ref={show}
          popover="manual"
          aria-hidden
          onPointerEnter={() => change(true, 0)}
          onPointerLeave={() => change(false, HIDE_AFTER_MS)}
          className="fixed m-0 max-w-72 rounded-md border-0 bg-ink px-2 py-1 text-xs text-canvas shadow-float animate-appear"
        >
          {text}
        </span>
      )}
    </>
  );
};
