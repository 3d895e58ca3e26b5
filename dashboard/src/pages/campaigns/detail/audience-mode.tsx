import { cx } from '../../../ui/cx.ts';

const modes = { tag: 'By tag', search: 'By search', contacts: 'One by one' } as const;
export type AudienceMode = keyof typeof modes;

/** Selects how the contacts to enroll are specified. */
export const AudienceModeField = ({
  value,
  onChange,
}: {
  readonly value: AudienceMode;
  readonly onChange: (mode: AudienceMode) => void;
}) => (
  <fieldset>
    <legend className="mb-1.5 text-sm font-medium">Who to enroll</legend>
    <div className="grid grid-cols-3 gap-1 rounded-lg bg-sunken p-1">
      {(Object.entries(modes) as [AudienceMode, string][]).map(([mode, label]) => (
        <label
          key={mode}
          className={cx(
            'flex h-8 cursor-pointer items-center justify-center rounded-md px-2 text-center text-[0.8125rem] font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent max-sm:h-10',
            mode === value ? 'bg-surface text-ink shadow-lift dark:bg-line' : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="mode"
            className="sr-only"
            checked={mode === value}
            onChange={() => onChange(mode)}
          />
          {label}
        </label>
      ))}
    </div>
  </fieldset>
);
