import { useState } from 'react';
import type { PhoneConflict } from '../../../api/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
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
      toast.good('Phone number updated.');
    } catch (failure) {
      setError(failure);
      throw failure;
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Use ${number} as the only number?`}
      action="Use this number"
      consequences={[
        `${number} becomes the contact's only number.`,
        ...(number === normalized
          ? []
          : [`Calls and messages from ${normalized} are no longer linked to this contact.`]),
        `${contact.phone_number} is no longer shown and can't be restored in this format.`,
      ]}
      onConfirm={repair}
    >
      <NumberInUse error={error} />
    </ConfirmDialog>
  );
};
