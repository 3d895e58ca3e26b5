import { cx } from '../../../ui/cx.ts';

const ways = { tag: 'By tag', search: 'By search', contacts: 'One by one' } as const;
export type Way = keyof typeof ways;

/** Selects how the contacts to enroll are specified. */
export const Ways = ({ value, onChange }: { readonly value: Way; readonly onChange: (way: Way) => void }) => (
  <fieldset>
    <legend className="mb-1.5 text-sm font-medium">Who to enroll</legend>
    <div className="grid grid-cols-3 gap-1 rounded-lg bg-sunken p-1">
      {(Object.entries(ways) as [Way, string][]).map(([way, label]) => (
        <label
          key={way}
          className={cx(
            'flex h-8 cursor-pointer items-center justify-center rounded-md px-2 text-center text-[0.8125rem] font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent max-sm:h-10',
            way === value ? 'bg-surface text-ink shadow-lift dark:bg-line' : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="way"
            className="sr-only"
            checked={way === value}
            onChange={() => onChange(way)}
          />
          {label}
        </label>
      ))}
    </div>
  </fieldset>
);
