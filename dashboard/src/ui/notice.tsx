import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const tones = {
  info: ['bg-info-soft text-info-ink', Info],
  good: ['bg-accent-soft text-accent-ink', CircleCheck],
  warn: ['bg-warn-soft text-warn-ink', TriangleAlert],
  danger: ['bg-danger-soft text-danger-ink', TriangleAlert],
} as const;

/** A message on the page. Errors are announced by screen readers immediately. */
export const Notice = ({
  tone = 'info',
  action,
  className,
  children,
}: {
  readonly tone?: keyof typeof tones;
  readonly action?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}) => {
  const [classes, Icon] = tones[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className={cx(
        'flex flex-wrap gap-x-3 gap-y-2 rounded-lg px-3 py-2.5 text-sm',
        action ? 'items-center' : 'items-start',
        classes,
        className,
      )}
    >
      <Icon className={cx('size-4 shrink-0', !action && 'mt-0.5')} aria-hidden />
      <div className="min-w-0 flex-1 basis-48">{children}</div>
      {action}
    </div>
  );
};
