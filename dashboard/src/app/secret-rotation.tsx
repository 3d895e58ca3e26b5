import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { exactTime } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { rich } from '../ui/rich.tsx';
import { toast } from '../ui/toast.tsx';
import { FormDialog } from './form-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

export interface RotationRequest {
  readonly grace_hours: number;
  readonly replace_new: boolean;
}

export interface Rotated {
  readonly secret: string;
  readonly old_secret_expires_at: string | null;
}

/** A webhook signs requests with its secret; the others accept requests with it. */
const texts = {
  channel: {
    usage: t('Use it in every program that calls this channel.'),
    revoked: t('Requests that use the old secret will be rejected immediately.'),
  },
  integration: {
    usage: t('Use it in every program that calls this integration.'),
    revoked: t('Requests that use the old secret will be rejected immediately.'),
  },
  webhook: {
    usage: t('Use it in every program that verifies events of this endpoint.'),
    revoked: t('Events are no longer signed with the old secret, so programs that still use it reject them.'),
  },
} as const;

interface RotationProps {
  /** The name and kind of the record that the secret belongs to. */
  readonly name: string;
  readonly kind: keyof typeof texts;
  readonly oldExpiresAt: string | null;
  readonly rotate: (request: RotationRequest) => Promise<Rotated>;
  readonly revoke: () => Promise<unknown>;
  /** Further notes on the grace period. */
  readonly children?: ReactNode;
}

export const isInFuture = (time: string | null): time is string =>
  time !== null && Date.parse(time) > Date.now();

export const Until = ({ at }: { readonly at: string }) => <time dateTime={at}>{exactTime(at)}</time>;

/** Rotates the secret of a record with a grace period, and revokes the old secret early. */
export const SecretRotation = ({ name, kind, oldExpiresAt, rotate, revoke, children }: RotationProps) => {
  const [open, setOpen] = useState<'rotate' | 'revoke'>();
  const isRotated = isInFuture(oldExpiresAt);
  const revokeNow = async () => {
    await revoke();
    toast.good(t('Old secret revoked.'));
  };
  return (
    <section aria-labelledby="secret-rotation" className="text-sm">
      <h3 id="secret-rotation" className="font-semibold">
        {t('Secret')}
      </h3>
      {isRotated ? (
        <p>
          {rich('This secret was rotated. The old secret works until {time}.', {
            time: <Until at={oldExpiresAt} />,
          })}
        </p>
      ) : (
        <p className="text-muted">
          {t(
            'Rotate the secret if it may have been exposed. The old one keeps working while you switch to the new one.',
          )}
        </p>
      )}
      {children}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => setOpen('rotate')}>
          <KeyRound aria-hidden />
          {isRotated ? t('Replace new secret') : t('Rotate secret')}
        </Button>
        {(isRotated || children) && (
          <Button onClick={() => setOpen('revoke')}>{t('Revoke old secret now')}</Button>
        )}
      </div>
      {open === 'rotate' && (
        <RotateDialog kind={kind} isRotated={isRotated} rotate={rotate} onClose={() => setOpen(undefined)} />
      )}
      <ConfirmDialog
        open={open === 'revoke'}
        onOpenChange={() => setOpen(undefined)}
        title={t('Revoke the old secret for {name}?', { name })}
        danger
        action={t('Revoke old secret')}
        consequences={[texts[kind].revoked, t('The new secret keeps working.')]}
        onConfirm={revokeNow}
      />
    </section>
  );
};

const periods = [
  { value: '0', label: t('Immediately') },
  { value: '1', label: t('In 1 hour') },
  { value: '24', label: t('In 24 hours') },
  { value: '168', label: t('In 7 days') },
];

/** Asks when the old secret expires, then shows the new secret once. */
const RotateDialog = ({
  kind,
  isRotated,
  rotate,
  onClose,
}: Pick<RotationProps, 'kind' | 'rotate'> & {
  readonly isRotated: boolean;
  readonly onClose: () => void;
}) => {
  const [hours, setHours] = useState('24');
  const rotation = useMutation({
    mutationFn: () => rotate({ grace_hours: Number(hours), replace_new: isRotated }),
  });
  if (rotation.data) {
    const { secret, old_secret_expires_at: expiresAt } = rotation.data;
    return (
      <SecretDialog title={t('New secret')} secret={secret} explanation={texts[kind].usage} onClose={onClose}>
        <p className="text-sm">
          {expiresAt
            ? t('The old secret works until {time}.', { time: exactTime(expiresAt) })
            : t('The old secret no longer works.')}
        </p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={isRotated ? t('Replace new secret') : t('Rotate secret')}
      width="small"
      dirty={false}
      preventDismiss={rotation.isPending}
      onSubmit={() => rotation.mutate()}
      onClose={onClose}
      action={isRotated ? t('Replace secret') : t('Rotate secret')}
      busy={rotation.isPending}
      error={rotation.error}
    >
      {isRotated && (
        <Notice tone="warn">
          {t(
            'The most recent secret stops working immediately. Replace it only if it was lost before anything used it.',
          )}
        </Notice>
      )}
      <Select
        label={t('Old secret expires')}
        options={periods}
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      />
    </FormDialog>
  );
};
