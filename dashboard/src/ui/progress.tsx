import { Progress } from 'radix-ui';
import { t } from '../lib/i18n.ts';

/** A progress bar; indeterminate without `value`. */
export const ProgressBar = ({
  label,
  value,
  max,
  detail,
}: {
  readonly label: string;
  readonly value?: number;
  readonly max: number;
  /** Replaces the two numbers. */
  readonly detail?: string | undefined;
}) => {
  const share = value === undefined || max === 0 ? undefined : Math.min(1, value / max);
  return (
    <div className="flex flex-col gap-1.5">
      <div className="figure flex justify-between gap-4 text-sm">
        <span>{label}</span>
        {(detail !== undefined || value !== undefined) && (
          <span className="text-muted">{detail ?? t('{value} of {max}', { value, max })}</span>
        )}
      </div>
      <Progress.Root
        value={share === undefined ? null : Math.round(share * 100)}
        aria-label={label}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <Progress.Indicator
          className="h-full rounded-full bg-accent transition-[width] duration-300 data-[state=indeterminate]:w-1/3 data-[state=indeterminate]:animate-pulse"
          style={share === undefined ? undefined : { width: `${share * 100}%` }}
        />
      </Progress.Root>
    </div>
  );
};
