import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { RefObject } from 'react';

/** Space between the caret and what would cover it. */
const GAP_PX = 8;

/** Scrolls the page, or the full screen, until neither a header nor the bar below the editor covers the caret. CodeMirror scrolls
 *  only as far as the ends of the editor and of the window, and the bar is in front of both. */
const reveal = (view: EditorView, bar: HTMLElement | null): void => {
  const caret = view.coordsAtPos(view.state.selection.main.head);
  if (!caret || !bar) return;
  const scroller = view.dom.closest('[data-full-screen]') ?? document.documentElement;
  const top = Number.parseFloat(getComputedStyle(scroller).scrollPaddingTop) || 0;
  const below = caret.bottom + GAP_PX - Math.min(bar.getBoundingClientRect().top, innerHeight);
  const above = caret.top - GAP_PX - top;
  if (below > 0) scroller.scrollBy(0, below);
  else if (above < 0) scroller.scrollBy(0, above);
};

/** Whenever the editor scrolls to its selection, the caret is visible above the bar. */
export const caretAbove = (bar: RefObject<HTMLElement | null>): Extension =>
  EditorView.scrollHandler.of((view) => {
    // After CodeMirror has scrolled, and before the browser paints.
    queueMicrotask(() => reveal(view, bar.current));
    return false;
  });

/** Reveals the caret again when the bar grows, because typing adds a button or a message to it. */
export const followBar = (view: EditorView, bar: HTMLElement | null): (() => void) => {
  const observer = new ResizeObserver(() => view.hasFocus && reveal(view, bar));
  if (bar) observer.observe(bar);
  return () => observer.disconnect();
};
