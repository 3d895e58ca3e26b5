import { type ReactNode, useEffect, useState } from 'react';
import { errorMessage } from '../api/api-error.ts';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Input } from './field.tsx';
import { Notice } from './notice.tsx';
import { rich } from './rich.tsx';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  /** What will happen, one entry for each consequence. */
  readonly consequences?: readonly ReactNode[];
  readonly children?: ReactNode;
  /** The label of the confirm button: a verb, never "OK". */
  readonly action: string;
  /** The label of the cancel button. */
  readonly cancel?: string;
  readonly danger?: boolean;
  /** A text that must be typed to enable the button, for destructive actions. */
  readonly typeToConfirm?: string;
  /** The dialog stays open until this resolves. On failure it shows the error and allows a retry. */
  readonly onConfirm: () => Promise<unknown> | unknown;
}

export const ConfirmDialog = ({
  open,
  onOpenChange,
  title,
  consequences,
  children,
  action,
  cancel = t('Cancel'),
  danger = false,
  typeToConfirm,
  onConfirm,
}: ConfirmDialogProps) => {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!open) return;
    setTyped('');
    setError(undefined);
  }, [open]);
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      width="small"
      preventDismiss={busy}
      onSubmit={() => ready && void confirm()}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)} disabled={busy}>
            {cancel}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} disabled={!ready}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {consequences && (
          <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-muted">
            {consequences.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is shown
              <li key={index}>{each}</li>
            ))}
          </ul>
        )}
        {children}
        {typeToConfirm !== undefined && (
          <Input
            label={rich('Type {text} to confirm', {
              text: <strong className="font-semibold">{typeToConfirm}</strong>,
            })}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {error !== undefined && <Notice tone="danger">{errorMessage(error)}</Notice>}
      </div>
    </Dialog>
  );
};

/** Asks for confirmation before unsaved changes are discarded. */
export const DiscardDialog = ({
  children = t("Your changes haven't been saved and will be lost."),
  ...dialog
}: Pick<ConfirmDialogProps, 'open' | 'onOpenChange' | 'onConfirm' | 'children'>) => (
  <ConfirmDialog
    {...dialog}
    title={t('Discard changes?')}
    action={t('Discard')}
    cancel={t('Keep editing')}
    danger
  >
    <p>{children}</p>
  </ConfirmDialog>
);
