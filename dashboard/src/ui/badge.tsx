import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const tones = {
  plain: 'bg-sunken text-muted',
  good: 'bg-accent-soft text-accent-ink',
  info: 'bg-info-soft text-info-ink',
  warn: 'bg-warn-soft text-warn-ink',
  danger: 'bg-danger-soft text-danger-ink',
} as const;

export type Tone = keyof typeof tones;

/** A status label. The color only repeats what the text says. */
export const Badge = ({
  tone = 'plain',
  dot,
  children,
}: {
  readonly tone?: Tone;
  readonly dot?: boolean;
  readonly children: ReactNode;
}) => (
  <span
    className={cx(
      'inline-flex max-w-full items-center gap-1.5 rounded-md px-1.5 py-0.5 text-xs font-medium',
      tones[tone],
    )}
  >
    {dot && <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-current" />}
    <span dir="auto" className="truncate">
      {children}
    </span>
  </span>
);
