import { useId } from 'react';
import { cx } from './cx.ts';

/** Selects one of a few options that are all visible. */
export const Segmented = <T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChange: (value: T) => void;
}) => {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-lg bg-sunken p-1">
        {(Object.entries(options) as [T, string][]).map(([option, text]) => (
          <label
            key={option}
            className={cx(
              'flex h-8 cursor-pointer items-center justify-center rounded-md px-2 text-center text-[0.8125rem] font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent max-sm:h-10',
              option === value ? 'bg-surface text-ink shadow-lift dark:bg-line' : 'text-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option === value}
              onChange={() => onChange(option)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
