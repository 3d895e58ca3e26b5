import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { Dialog, type DialogProps } from '../ui/dialog.tsx';

/** A dialog with a form. While `dirty`, closing it, the back button and leaving the page ask for confirmation.
 *  Navigation by the form itself, after saving, needs `ignoreBlocker`. */
export const FormDialog = ({
  dirty,
  onOpenChange,
  children,
  ...dialog
}: DialogProps & { readonly dirty: boolean }) => {
  const [isConfirming, setConfirming] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    disabled: !dirty,
    withResolver: true,
  });
  const isBlocked = blocker.status === 'blocked';
  return (
    <Dialog {...dialog} onOpenChange={(open) => (dirty ? setConfirming(true) : onOpenChange(open))}>
      {children}
      <ConfirmDialog
        open={isConfirming || isBlocked}
        onOpenChange={() => {
          setConfirming(false);
          blocker.reset?.();
        }}
        title="Discard changes?"
        action="Discard"
        cancel="Keep editing"
        danger
        onConfirm={() => (isBlocked ? blocker.proceed() : onOpenChange(false))}
      >
        <p>Your changes haven't been saved and will be lost.</p>
      </ConfirmDialog>
    </Dialog>
  );
};
