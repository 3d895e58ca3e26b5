import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf, problemsOf } from '../../api/failure.ts';
import { reading } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PhoneField } from '../../ui/phone-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { isLegacy } from './record.ts';
import type { Save } from './save.tsx';
import { TakenNumber, takenBy } from './taken-number.tsx';

/** Gives the contact another number. Mounted when it opens. */
export const PhoneDialog = ({
  phone: former,
  save,
  onClose,
}: {
  readonly phone: string;
  readonly save: Save;
  readonly onClose: () => void;
}) => {
  const [before] = useState(former);
  const [phone, setPhone] = useState('');
  const [tried, setTried] = useState(false);
  const country = useQuery(reading('/settings')).data?.data.default_country;
  const change = useMutation({
    mutationFn: (isConfirmed: boolean) =>
      save(
        { phone_number: phone },
        { phone_number: before },
        isConfirmed ? { confirm_phone_change: true } : undefined,
      ),
    onSuccess: () => {
      toast.good('The phone number is changed.');
      onClose();
    },
  });
  const problems = problemsOf(change.error);
  const mustConfirm = problems.confirm_phone_change !== undefined;
  const missing = tried && phone === '' ? 'Type the new number.' : undefined;
  const submit = () => {
    setTried(true);
    if (phone !== '') change.mutate(mustConfirm);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Change the phone number"
      width="small"
      keep={phone !== ''}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={change.isPending}>
            {mustConfirm ? 'Replace both numbers' : 'Change number'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <p>
          Now it is <span className="figure font-medium">{before}</span>
          {isLegacy(before) && ', a legacy number, which cannot be put back once it is changed'}. Calls and
          messages from the new number will belong to this contact; those that are here stay.
        </p>
        <PhoneField
          label="New phone number"
          required
          autoFocus
          country={country}
          value={phone}
          onChange={(next) => {
            setPhone(next);
            change.reset();
          }}
          error={problems.phone_number ?? missing}
        />
        {mustConfirm && (
          <Notice tone="warn">
            This legacy contact shows one number and is known by another. The new number replaces both.
          </Notice>
        )}
        {change.isError &&
          Object.keys(problems).length === 0 &&
          (takenBy(change.error) ? (
            <TakenNumber error={change.error} />
          ) : (
            <Notice tone="danger">{messageOf(change.error)}</Notice>
          ))}
      </div>
    </Dialog>
  );
};
