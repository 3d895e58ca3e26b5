import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Enrollment } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { removeEnrollment, useStatusChange } from '../../../records/campaigns/enrollment-changes.ts';
import {
  enrollmentOptions,
  enrollmentStatusWords,
  type SettableStatus,
} from '../../../records/campaigns/labels.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Select } from '../../../ui/field.tsx';

interface Props {
  readonly enrollment: Enrollment;
}

const nameOf = ({ contact_name, contact_phone_number }: Enrollment) => contact_name ?? contact_phone_number;

export const EnrollmentStatusSelect = ({ enrollment }: Props) => {
  const name = nameOf(enrollment);
  const change = useStatusChange(enrollment, name);
  return (
    <Select
      label={t('Status of {name}', { name })}
      hideLabel
      className="relative z-10 max-sm:flex-1"
      options={enrollmentOptions(enrollment.status)}
      value={enrollment.status}
      aria-busy={change.isPending}
      onChange={({ target }) => change.mutate(target.value as SettableStatus)}
    />
  );
};

export const RemoveEnrollment = ({ enrollment }: Props) => {
  const [isConfirming, setConfirming] = useState(false);
  const name = nameOf(enrollment);
  const remove = () => removeEnrollment(enrollment, t('{name} removed from the campaign.', { name }));
  return (
    <>
      <IconButton
        label={t('Remove {name}', { name })}
        icon={<Trash2 aria-hidden />}
        className="relative z-10"
        onClick={() => setConfirming(true)}
      />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={t('Remove {name} from {campaign}?', { name, campaign: enrollment.campaign_name })}
        danger
        action={t('Remove enrollment')}
        consequences={[
          t('The enrollment status ({status}) will be lost.', {
            status: enrollmentStatusWords[enrollment.status],
          }),
          enrollment.campaign_status === 'finished'
            ? t(
                "The contact and its calls remain. The campaign has finished, so the contact can't be enrolled again.",
              )
            : t('The contact and its calls remain. If you enroll it again, it starts as pending.'),
        ]}
        onConfirm={remove}
      />
    </>
  );
};
