import { type ReactNode, useEffect, useState } from 'react';
import { errorMessage } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Input } from './field.tsx';
import { Notice } from './notice.tsx';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  /** What will happen, spelled out: one entry for each consequence. */
  readonly consequences?: readonly ReactNode[];
  readonly children?: ReactNode;
  /** What the button says: the deed, never "OK". */
  readonly action: string;
  /** What the button that does nothing says. */
  readonly cancel?: string;
  readonly danger?: boolean;
  /** A word that must be typed before the button works, for what can't be undone. */
  readonly typeToConfirm?: string;
  /** The dialog stays open until this resolves; when it fails, it says so and can be tried again. */
  readonly onConfirm: () => Promise<unknown> | unknown;
}

export const ConfirmDialog = ({
  open,
  onOpenChange,
  title,
  consequences,
  children,
  action,
  cancel = 'Cancel',
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
      keep={busy}
      onSubmit={() => ready && void confirm()}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)} disabled={busy}>
            {cancel}
          </Button>
          <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy} disabled={!ready}>
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
            label={
              <>
                Type <strong className="font-semibold">{typeToConfirm}</strong> to confirm
              </>
            }
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
