import { useState } from 'react';
import type { PhoneConflict } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Phone } from '../../../ui/phone.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toast } from '../../../ui/toast.tsx';
import { NumberInUse } from './number-in-use.tsx';
import type { Save } from './save.tsx';

/** Asks for confirmation, because the former numbers cannot be restored. */
export const ResolveConflictConfirm = ({
  conflict: { contact, normalized_phone: normalized },
  number,
  save,
  onClose,
}: {
  readonly conflict: PhoneConflict;
  readonly number: string;
  readonly save: Save;
  readonly onClose: () => void;
}) => {
  const [error, setError] = useState<unknown>();
  const repair = async () => {
    setError(undefined);
    try {
      const { phone_number } = contact;
      await save({ phone_number: number }, { phone_number }, { confirm_phone_change: true });
      toast.good(t('Phone number updated.'));
    } catch (failure) {
      setError(failure);
      throw failure;
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={rich('Use {number} as the only number?', { number: <Phone number={number} /> })}
      action={t('Use this number')}
      consequences={[
        t("{number} becomes the contact's only number.", { number }),
        ...(number === normalized
          ? []
          : [
              t('Calls and messages from {number} are no longer linked to this contact.', {
                number: normalized ?? '',
              }),
            ]),
        t("{number} is no longer shown and can't be restored in this format.", {
          number: contact.phone_number,
        }),
      ]}
      onConfirm={repair}
    >
      <NumberInUse error={error} />
    </ConfirmDialog>
  );
};
