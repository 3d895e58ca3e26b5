import { LoaderCircle } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

const variants = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong shadow-lift',
  secondary: 'bg-surface text-ink border border-control/50 hover:bg-sunken shadow-lift',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong shadow-lift',
} as const;

const base =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors select-none disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0';
const sizes = {
  small: 'h-8 px-2.5 text-[0.8125rem]',
  medium: 'h-9 max-sm:h-10 px-3.5 text-sm',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: keyof typeof variants;
  readonly size?: keyof typeof sizes;
  /** Shows a spinner and disables the button. */
  readonly busy?: boolean;
  /** Styles the child, such as a `Link`, instead of rendering a `<button>`. */
  readonly asChild?: boolean;
}

export const Button = ({
  variant = 'secondary',
  size = 'medium',
  busy = false,
  asChild = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) => {
  const classes = cx(base, variants[variant], sizes[size], className);
  if (asChild)
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  return (
    <button
      type="button"
      className={classes}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <LoaderCircle className="animate-spin" aria-hidden />}
      {children}
    </button>
  );
};

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'asChild'> {
  /** The tooltip and accessible name. */
  readonly label: string;
  readonly icon: ReactNode;
}

export const IconButton = ({
  label,
  icon,
  variant = 'quiet',
  size = 'medium',
  className,
  ...rest
}: IconButtonProps) => (
  <Tooltip text={label}>
    <Button
      variant={variant}
      size={size}
      aria-label={label}
      className={cx(size === 'small' ? 'w-8' : 'w-9 max-sm:w-10', 'px-0!', className)}
      {...rest}
    >
      {icon}
    </Button>
  </Tooltip>
);
