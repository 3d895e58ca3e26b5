import { Check, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

export interface CheckboxProps {
  readonly checked: boolean | 'indeterminate';
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  /** Hides the label visually; screen readers still announce it. */
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

export const Checkbox = ({ checked, onChange, label, hideLabel, hint, disabled }: CheckboxProps) => {
  const id = useId();
  const icon = '-m-px size-4';
  return (
    <div className="flex items-start gap-2.5">
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={cx(
          'relative mt-0.5 grid size-4.5 shrink-0 place-items-center rounded border border-control bg-surface transition-colors',
          'after:absolute after:-inset-2.5 data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-55',
          'data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent',
        )}
      >
        <Radix.Indicator className="text-on-accent">
          {checked === 'indeterminate' ? (
            <Minus className={icon} strokeWidth={3} aria-hidden />
          ) : (
            <Check className={icon} strokeWidth={3} aria-hidden />
          )}
        </Radix.Indicator>
      </Radix.Root>
      <div className={hideLabel ? 'sr-only' : 'min-w-0 text-sm'}>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
};
