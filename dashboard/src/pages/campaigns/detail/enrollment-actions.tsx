import { ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Enrollment } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { removeEnrollment, useStatusChange } from '../../../records/campaigns/enrollment-changes.ts';
import {
  enrollmentOptions,
  enrollmentStatusLabels,
  enrollmentStatusWords,
  enrollmentTones,
  type SettableStatus,
} from '../../../records/campaigns/labels.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/menu.tsx';

interface Props {
  readonly enrollment: Enrollment;
}

const nameOf = ({ contact_name, contact_phone_number }: Enrollment) => contact_name ?? contact_phone_number;

/** The status as a badge, which opens a menu to change it. */
export const EnrollmentStatusMenu = ({ enrollment }: Props) => {
  const { status } = enrollment;
  const name = nameOf(enrollment);
  const change = useStatusChange(enrollment, name);
  return (
    <Menu
      align="start"
      trigger={
        <Button
          variant="quiet"
          size="small"
          className="relative z-10 -ml-1.5 gap-1 px-1.5! max-sm:h-10"
          aria-label={t('Status of {name}: {status}', { name, status: enrollmentStatusLabels[status] })}
          aria-busy={change.isPending}
        >
          <Badge tone={enrollmentTones[status]}>{enrollmentStatusLabels[status]}</Badge>
          <ChevronDown aria-hidden className="text-muted" />
        </Button>
      }
      items={enrollmentOptions(status).map(({ value, label }) => ({
        label,
        chosen: value === status,
        onSelect: () => value !== status && change.mutate(value as SettableStatus),
      }))}
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
