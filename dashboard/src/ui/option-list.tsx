import { Check } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { cx } from './cx.ts';
import { isComposing } from './keyboard.tsx';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** A second text, such as a count. */
  readonly detail?: string | undefined;
}

/** A combobox whose list is always open, for use in a popover. Arrow keys move, Enter chooses. */
export const OptionList = ({
  label,
  placeholder,
  typed,
  onTyped,
  options,
  selected,
  onChoose,
  isMultiple = false,
  isLoading = false,
  empty = t('No matches'),
}: {
  readonly label: string;
  readonly placeholder?: string | undefined;
  readonly typed: string;
  readonly onTyped: (text: string) => void;
  readonly options: readonly Option[];
  readonly selected: ReadonlySet<string>;
  readonly onChoose: (value: string) => void;
  readonly isMultiple?: boolean;
  readonly isLoading?: boolean;
  readonly empty?: string;
}) => {
  const list = useId();
  const [active, setActive] = useState(0);
  const at = Math.min(active, options.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = (at + step + options.length) % Math.max(1, options.length);
      setActive(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    const chosen = options[at];
    if (event.key === 'Enter') {
      event.preventDefault();
      if (chosen) onChoose(chosen.value);
    }
  };
  return (
    <>
      <input
        role="combobox"
        type="text"
        // biome-ignore lint/a11y/noAutofocus: the popover was opened to use it
        autoFocus
        aria-label={label}
        aria-expanded={options.length > 0}
        aria-controls={options.length > 0 ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={options[at] ? `${list}-${at}` : undefined}
        placeholder={placeholder}
        autoComplete="off"
        dir="auto"
        className="control mb-1"
        value={typed}
        onChange={({ target }) => {
          onTyped(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {options.length > 0 && (
        <div
          id={list}
          role="listbox"
          aria-label={label}
          aria-multiselectable={isMultiple}
          className="max-h-64 overflow-y-auto"
        >
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the combobox
            // biome-ignore lint/a11y/useFocusableInteractive: the combobox has the focus
            <div
              key={option.value}
              id={`${list}-${index}`}
              role="option"
              aria-selected={selected.has(option.value)}
              className={cx(
                'flex cursor-pointer items-center gap-2 rounded-lg px-2.5 py-2 select-none',
                index === at && 'bg-sunken',
              )}
              onMouseMove={() => setActive(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(option.value)}
            >
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {option.label}
              </span>
              {option.detail && <span className="figure shrink-0 text-xs text-muted">{option.detail}</span>}
              <Check
                aria-hidden
                className={cx('size-4 shrink-0 text-accent-ink', !selected.has(option.value) && 'invisible')}
              />
            </div>
          ))}
        </div>
      )}
      {options.length === 0 && (
        <p className="px-2.5 py-2 text-muted" aria-live="polite">
          {isLoading ? t('Loading…') : empty}
        </p>
      )}
    </>
  );
};
