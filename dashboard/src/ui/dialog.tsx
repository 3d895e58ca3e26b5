import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { Button, type ButtonProps } from './button.tsx';
import { cx } from './cx.ts';
import { DialogContent } from './dialog-content.tsx';
import { Form, submitOnCtrlEnter } from './form.tsx';
import { Overlay } from './overlay.tsx';

const centered = 'sm:top-[max(1rem,12vh)] sm:left-1/2 sm:max-h-[80vh] sm:-translate-x-1/2 sm:rounded-2xl';
const widths = {
  small: cx(centered, 'sm:max-w-md'),
  medium: cx(centered, 'sm:max-w-xl'),
  large: cx(centered, 'sm:max-w-4xl'),
  /** A panel at the side, as high as the window. */
  side: 'sm:inset-y-0 sm:right-0 sm:max-h-none sm:max-w-lg sm:rounded-l-2xl',
} as const;

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly width?: keyof typeof widths;
  /** The buttons at the bottom; they stay visible while the content scrolls. */
  readonly footer?: ReactNode;
  /** Makes the content and footer a form: called by a `type="submit"` button, and by Enter or Ctrl Enter
   *  in a field. */
  readonly onSubmit?: () => void;
  /** Ignores Escape and clicks outside, while a request is running or a value is shown only once. */
  readonly preventDismiss?: boolean;
  readonly children?: ReactNode;
}

/** Escape closes the suggestions of a field first. */
const suggests = (): boolean =>
  document.activeElement?.matches(
    '[data-suggests] [role=combobox][aria-expanded=true], .cm-content[aria-activedescendant]',
  ) === true;

export const Dialog = ({
  open,
  onOpenChange,
  title,
  description,
  width = 'medium',
  footer,
  onSubmit,
  preventDismiss,
  children,
}: DialogProps) => (
  <Radix.Root open={open} onOpenChange={onOpenChange}>
    <Radix.Portal>
      <Overlay />
      <DialogContent
        onInteractOutside={(event) => preventDismiss && event.preventDefault()}
        onEscapeKeyDown={(event) => (preventDismiss || suggests()) && event.preventDefault()}
        onKeyDown={submitOnCtrlEnter}
        {...(description ? {} : { 'aria-describedby': undefined })}
        className={cx(
          'fixed z-50 flex max-h-[calc(100dvh-1rem)] w-full flex-col bg-surface shadow-float animate-appear focus:outline-none',
          'max-sm:bottom-0 max-sm:left-0 max-sm:rounded-t-2xl',
          widths[width],
        )}
      >
        <header className="flex items-start gap-4 px-5 pt-5 pb-3">
          <div className="min-w-0 flex-1 pr-8">
            <Radix.Title className="text-lg/6 font-semibold">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>
            )}
          </div>
        </header>
        <Body onSubmit={onSubmit}>
          {children && (
            <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-1">{children}</div>
          )}
          {footer ? <Footer>{footer}</Footer> : <div className="h-5 shrink-0" />}
        </Body>
        {/* Last in the tab order, so that the dialog's own controls come first. */}
        <Radix.Close asChild>
          <Button
            variant="quiet"
            size="small"
            aria-label={t('Close')}
            className="absolute! top-4 right-3.5 w-8 px-0!"
          >
            <X aria-hidden />
          </Button>
        </Radix.Close>
      </DialogContent>
    </Radix.Portal>
  </Radix.Root>
);

/** A button that closes the dialog like Escape does. */
export const DialogClose = (props: ButtonProps) => (
  <Radix.Close asChild>
    <Button {...props} />
  </Radix.Close>
);

const Body = ({
  onSubmit,
  children,
}: {
  readonly onSubmit?: (() => void) | undefined;
  readonly children: ReactNode;
}) => {
  const layout = 'flex min-h-0 flex-1 flex-col';
  if (!onSubmit) return <div className={layout}>{children}</div>;
  return (
    <Form className={layout} onSubmit={onSubmit}>
      {children}
    </Form>
  );
};

const Footer = ({ children }: { readonly children: ReactNode }) => (
  <footer className="mt-3 flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4 max-sm:[&>button]:flex-1">
    {children}
  </footer>
);
