import type { ReactNode } from 'react';
import { cx } from '../../../ui/cx.ts';
import { NameOrPhone } from '../../../ui/phone.tsx';

export type Choice = 'normalized' | 'displayed' | 'other';

/** One of the numbers to choose from. */
export const ResolveConflictOption = ({
  value,
  choice,
  onChoose,
  title,
  number,
  badge,
  disabled,
  children,
}: {
  readonly value: Choice;
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
  readonly title: string;
  readonly number?: string;
  readonly badge?: ReactNode;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}) => (
  <label
    className={cx(
      'flex h-full items-start gap-3 rounded-lg border p-3 text-sm',
      choice === value ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
    )}
  >
    <input
      type="radio"
      name="repair"
      className="mt-1 size-4 shrink-0 accent-accent"
      checked={choice === value}
      disabled={disabled}
      onChange={() => onChoose(value)}
    />
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{title}</span>
        {badge}
      </span>
      {number !== undefined && (
        <span className="block text-base/7 font-semibold wrap-anywhere">
          <NameOrPhone text={number} />
        </span>
      )}
      <span className={cx('block', choice === value ? 'text-accent-ink' : 'text-muted')}>{children}</span>
    </span>
  </label>
);
