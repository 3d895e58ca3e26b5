import { Slot } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

const SHOW_AFTER_MS = 350;
/** Time to move the pointer from the control onto its tooltip. */
const HIDE_AFTER_MS = 120;
const GAP = 4;
const MARGIN = 8;

const overlap = (one: DOMRect, other: DOMRect): number =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

/** Places the tooltip at the side of the control where it covers the least of other controls: above, below, left or right.
 *  The link of a table row is not such a control, because it fills the row. */
const place = (tip: HTMLElement, control: HTMLElement): void => {
  const { left, top, right, bottom, width, height } = control.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = tip;
  const { clientWidth, clientHeight } = document.documentElement;
  const maxLeft = clientWidth - offsetWidth - MARGIN;
  const centerX = Math.max(MARGIN, Math.min(left + width / 2 - offsetWidth / 2, maxLeft));
  const centerY = top + height / 2 - offsetHeight / 2;
  const places = [
    [centerX, top - GAP - offsetHeight],
    [centerX, bottom + GAP],
    [left - GAP - offsetWidth, centerY],
    [right + GAP, centerY],
  ] as const;
  const others = [...document.querySelectorAll('a:not([data-row-link]), button, input, select')]
    .filter((other) => !control.contains(other) && !other.contains(control))
    .map((other) => other.getBoundingClientRect());
  const ranked = places
    .map(([x, y]) => new DOMRect(x, y, offsetWidth, offsetHeight))
    .filter(
      (box) =>
        box.left >= MARGIN &&
        box.top >= MARGIN &&
        box.right <= clientWidth - MARGIN &&
        box.bottom <= clientHeight - MARGIN,
    )
    .map((box) => ({ box, covered: others.reduce((sum, other) => sum + overlap(box, other), 0) }))
    .sort((one, other) => one.covered - other.covered);
  const [x, y] = ranked[0] ? [ranked[0].box.x, ranked[0].box.y] : places[1];
  tip.style.left = `${x}px`;
  tip.style.top = `${y}px`;
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
          className="fixed m-0 max-w-72 rounded-md border-0 bg-ink px-2 py-0.5 text-xs text-canvas shadow-float animate-appear"
        >
          {text}
        </span>
      )}
    </>
  );
};
