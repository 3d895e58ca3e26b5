import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../../../ui/cx.ts';
import { isComposing } from '../../../ui/keyboard.tsx';

/** What is beside an element and would stay reachable behind it. Children of `main` include the tooltips of the editor. */
const around = (element: HTMLElement): HTMLElement[] => {
  const found: HTMLElement[] = [];
  for (let at = element; at.parentElement && at.id !== 'root'; at = at.parentElement)
    if (at.parentElement.tagName !== 'MAIN')
      found.push(...[...at.parentElement.children].filter((each): each is HTMLElement => each !== at));
  return found.filter((each) => !each.inert && !each.matches('[role=status], [aria-live]'));
};

/** Covers the page with a section, which stays mounted. `theme.css` gives its editor the height that its other parts leave. Escape leaves unless something inside needs it. */
export const FullScreen = ({
  on,
  onLeave,
  children,
}: {
  readonly on: boolean;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!on || !box.current) return;
    const behind = around(box.current);
    const { style } = document.documentElement;
    for (const each of behind) each.inert = true;
    style.overflow = 'hidden';
    return () => {
      for (const each of behind) each.inert = false;
      style.overflow = '';
    };
  }, [on]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works from every control inside
    <div
      ref={box}
      data-full-screen={on || undefined}
      className={cx(on && 'fixed inset-0 z-40 overflow-y-auto bg-surface')}
      onKeyDown={(event) => {
        const isInside = event.currentTarget.contains(event.target as Node);
        if (on && isInside && event.key === 'Escape' && !event.defaultPrevented && !isComposing(event))
          onLeave();
      }}
    >
      {children}
    </div>
  );
};
