import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { plural, t } from '../lib/i18n.ts';
import { cx } from './cx.ts';
import { isComposing } from './keyboard.tsx';
import type { Option } from './option-list.tsx';

const MAX_HEIGHT_PX = 240;
const GAP_PX = 4;

/** Shows the list below the field, or above it if there is more space. It is in the top layer, because a dialog would clip it. */
const place = (list: HTMLElement, field: Element): void => {
  const { top, bottom, left, width } = field.getBoundingClientRect();
  const height = window.visualViewport?.height ?? window.innerHeight;
  const [above, below] = [top - 2 * GAP_PX, height - bottom - 2 * GAP_PX];
  const isBelow = below >= Math.min(MAX_HEIGHT_PX, list.scrollHeight) || below >= above;
  list.style.maxHeight = `${Math.min(MAX_HEIGHT_PX, isBelow ? below : above)}px`;
  list.style.left = `${left}px`;
  list.style.width = `${width}px`;
  list.style.top = isBelow ? `${bottom + GAP_PX}px` : `${top - GAP_PX - list.offsetHeight}px`;
};

/** Makes a text field a combobox: suggestions open on a click, with the arrow keys and with `open`, and the focus stays in the field.
 *  No suggestion is active at first, so that Enter accepts what was typed. */
export const useSuggestions = (options: readonly Option[], onChoose: (value: string) => void) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<string>();
  const shows = isOpen && options.length > 0;
  const at = shows ? options.findIndex(({ value }) => value === active) : -1;
  const close = () => {
    setOpen(false);
    setActive(undefined);
  };
  const open = () => {
    setOpen(true);
    setActive(undefined);
  };
  const choose = (value: string) => {
    close();
    onChoose(value);
  };
  // The list follows the field while the field moves, and its size changes with the options.
  useLayoutEffect(() => {
    const element = list.current;
    const field = element?.closest('[data-suggests]')?.querySelector('.control');
    if (!shows || !element || !field || options.length === 0) return;
    if (!element.matches(':popover-open')) element.showPopover();
    const update = () => place(element, field);
    update();
    window.addEventListener('scroll', update, true);
    window.addEventListener('resize', update);
    window.visualViewport?.addEventListener('resize', update);
    return () => {
      window.removeEventListener('scroll', update, true);
      window.removeEventListener('resize', update);
      window.visualViewport?.removeEventListener('resize', update);
    };
  }, [shows, options]);
  const move = (step: number) => {
    const from = at === -1 && step < 0 ? options.length : at;
    const next = (from + step + options.length) % Math.max(1, options.length);
    setOpen(true);
    setActive(options[next]?.value);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return;
    const chosen = options[at];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape' && shows) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter' && chosen && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      choose(chosen.value);
    } else if (event.key === 'Tab' && chosen) choose(chosen.value);
  };
  const control = {
    role: 'combobox',
    autoComplete: 'off',
    'aria-expanded': shows,
    'aria-controls': shows ? id : undefined,
    'aria-autocomplete': 'list',
    'aria-activedescendant': at === -1 ? undefined : `${id}-${at}`,
    onClick: open,
    onBlur: close,
    onKeyDown,
  } as const;
  const element: ReactNode = (
    <>
      <span className="sr-only" aria-live="polite">
        {shows && plural(options.length, '# suggestion', '# suggestions')}
      </span>
      {shows && (
        <div
          ref={list}
          id={id}
          role="listbox"
          aria-label={t('Suggestions')}
          popover="manual"
          className="fixed m-0 overflow-y-auto overscroll-contain rounded-xl border border-line bg-surface p-1.5 text-sm text-ink shadow-float"
        >
          {options.map(({ value, label, detail }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the combobox
            <div
              key={value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={cx(
                'flex cursor-pointer items-center gap-2 rounded-lg px-2.5 py-2 select-none',
                index === at && 'bg-sunken',
              )}
              onMouseMove={() => setActive(value)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(value)}
            >
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {label}
              </span>
              {detail && <span className="figure shrink-0 text-xs text-muted">{detail}</span>}
            </div>
          ))}
        </div>
      )}
    </>
  );
  return { control, list: element, open, close };
};
