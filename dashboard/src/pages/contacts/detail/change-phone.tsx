import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../../api/api-error.ts';
import { apiQuery } from '../../../api/query.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Phone } from '../../../ui/phone.tsx';
import { PhoneField } from '../../../ui/phone-field.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toast } from '../../../ui/toast.tsx';
import { isLegacy } from './fields.ts';
import { existingContactId, NumberInUse } from './number-in-use.tsx';
import type { Save } from './save.tsx';

/** Changes the phone number of a contact. */
const PhoneDialog = ({
  phone: currentPhone,
  save,
  onClose,
}: {
  readonly phone: string;
  readonly save: Save;
  readonly onClose: () => void;
}) => {
  const [before] = useState(currentPhone);
  const [phone, setPhone] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const country = useQuery(apiQuery('/settings')).data?.data.default_country;
  const change = useMutation({
    mutationFn: (isConfirmed: boolean) =>
      save(
        { phone_number: phone },
        { phone_number: before },
        isConfirmed ? { confirm_phone_change: true } : undefined,
      ),
    onSuccess: () => {
      toast.good(t('Phone number changed.'));
      onClose();
    },
  });
  const problems = fieldErrors(change.error);
  const mustConfirm = problems.confirm_phone_change !== undefined;
  const missing = isSubmitted && phone === '' ? t('Enter the new number.') : undefined;
  const submit = () => {
    setSubmitted(true);
    if (phone !== '') change.mutate(mustConfirm);
  };
  return (
    <FormDialog
      title={t('Change phone number')}
      width="small"
      dirty={phone !== ''}
      onSubmit={submit}
      onClose={onClose}
      action={mustConfirm ? t('Replace both numbers') : t('Change number')}
      busy={change.isPending}
    >
      <div className="flex flex-col gap-4 text-sm">
        <p>
          {isLegacy(before)
            ? rich(
                "The current number is {number}, a legacy number that can't be restored once it is changed.",
                {
                  number: <Phone number={before} className="font-medium" />,
                },
              )
            : rich('The current number is {number}.', {
                number: <Phone number={before} className="font-medium" />,
              })}{' '}
          {t('Calls and messages from the new number will be linked to this contact. Earlier ones remain.')}
        </p>
        <PhoneField
          label={t('New phone number')}
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
            {t(
              'This legacy contact displays one number, but its calls are matched by a different one. The new number replaces both.',
            )}
          </Notice>
        )}
        {change.isError &&
          Object.keys(problems).length === 0 &&
          (existingContactId(change.error) ? (
            <NumberInUse error={change.error} />
          ) : (
            <Notice tone="danger">{errorMessage(change.error)}</Notice>
          ))}
      </div>
    </FormDialog>
  );
};

export default PhoneDialog;
