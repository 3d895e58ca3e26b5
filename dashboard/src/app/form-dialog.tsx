import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../api/api-error.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { DiscardDialog } from '../ui/confirm.tsx';
import { Dialog, DialogClose, type DialogProps } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

export interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange'> {
  readonly dirty: boolean;
  readonly onClose: () => void;
  /** The label of the submit button. Not needed with a `footer`, which replaces both buttons. */
  readonly action?: string;
  readonly busy?: boolean;
  /** Disables the submit button. */
  readonly disabled?: boolean;
  /** Shown below the fields, unless it consists of field errors. */
  readonly error?: unknown;
}

/** A dialog with a form. Mount it when it opens, so that it starts with empty fields. While `dirty`, closing it, the
 *  back button and leaving the page ask for confirmation. Navigation by the form itself, after saving, needs
 *  `ignoreBlocker`. */
export const FormDialog = ({
  dirty,
  onClose,
  action,
  busy = false,
  disabled,
  error,
  footer,
  children,
  ...dialog
}: FormDialogProps) => {
  const [isConfirming, setConfirming] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    disabled: !dirty,
    withResolver: true,
  });
  const isBlocked = blocker.status === 'blocked';
  const hasMessage = error !== undefined && error !== null && Object.keys(fieldErrors(error)).length === 0;
  return (
    <Dialog
      open
      {...dialog}
      onOpenChange={() => (dirty ? setConfirming(true) : onClose())}
      footer={
        footer ?? (
          <>
            <DialogClose disabled={busy && dialog.preventDismiss}>{t('Cancel')}</DialogClose>
            <Button type="submit" variant="primary" busy={busy} disabled={disabled}>
              {action}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {children}
        {hasMessage && <Notice tone="danger">{errorMessage(error)}</Notice>}
      </div>
      <DiscardDialog
        open={isConfirming || isBlocked}
        onOpenChange={() => {
          setConfirming(false);
          blocker.reset?.();
        }}
        onConfirm={() => (isBlocked ? blocker.proceed() : onClose())}
      />
    </Dialog>
  );
};
