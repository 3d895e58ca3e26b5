import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../lib/i18n.ts';

const MIN = 64;
const MAX = 960;
const STEP = 16;

const widthOf = (handle: Element): number =>
  Math.round(handle.closest('th')?.getBoundingClientRect().width ?? MIN);

/** The edge of a column header. It is dragged, or moved with the arrow keys; a double click and Delete reset the width. */
export const ColumnResizer = ({
  header,
  width,
  onResize,
}: {
  readonly header: string;
  /** The chosen width. */
  readonly width: number | undefined;
  readonly onResize: (width: number | undefined) => void;
}) => {
  const [focused, setFocused] = useState(MIN);
  const drag = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const resize = (next: number) => onResize(Math.min(MAX, Math.max(MIN, Math.round(next))));
  const onKeyDown = (event: KeyboardEvent) => {
    const now = width ?? widthOf(event.currentTarget);
    const next = { ArrowLeft: now - STEP, ArrowRight: now + STEP, Home: MIN, End: MAX }[event.key];
    if (next === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    if (next === undefined) onResize(undefined);
    else resize(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: it can be moved, and an `hr` cannot
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      title={t('Width of {column}', { column: header })}
      aria-valuenow={width ?? focused}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      className="absolute inset-y-0 right-0 z-10 w-2.5 cursor-col-resize touch-none after:absolute after:inset-y-2 after:right-0 after:w-px after:bg-line hover:after:bg-accent focus-visible:after:bg-accent max-sm:hidden [th:last-child>&]:after:bg-transparent"
      onFocus={({ currentTarget }) => setFocused(widthOf(currentTarget))}
      onPointerDown={({ button, clientX, pointerId, currentTarget }) => {
        if (button !== 0) return;
        currentTarget.setPointerCapture(pointerId);
        drag.current = { x: clientX, width: widthOf(currentTarget) };
      }}
      onPointerMove={({ clientX }) => {
        const from = drag.current;
        if (from && clientX !== from.x) resize(from.width + clientX - from.x);
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
      onDoubleClick={() => onResize(undefined)}
      onKeyDown={onKeyDown}
    />
  );
};
