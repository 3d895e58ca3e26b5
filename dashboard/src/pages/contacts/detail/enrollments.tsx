import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Enrollment } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { removeEnrollment, useStatusChange } from '../../../records/campaigns/enrollment-changes.ts';
import {
  CampaignStatus,
  enrollmentOptions,
  enrollmentStatusLabels,
  reasonText,
  type SettableStatus,
} from '../../../records/campaigns/labels.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Select } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';

export const enrollmentsQuery = (id: string) => apiQuery('/contacts/{id}/enrollments', { params: { id } });

/** The campaigns that the contact is enrolled in. */
export const Enrollments = ({ id, onEnroll }: { readonly id: string; readonly onEnroll: () => void }) => {
  const list = useQuery(enrollmentsQuery(id));
  return (
    <Section
      title={t('Enrollments')}
      actions={
        <Button size="small" onClick={onEnroll}>
          <Plus aria-hidden />
          {t('Enroll')}
        </Button>
      }
    >
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <Skeleton className="h-10 w-full" />
      ) : list.data.data.length === 0 ? (
        <p className="text-sm text-muted">{t('Not enrolled in any campaign.')}</p>
      ) : (
        <ul className="flex flex-col gap-4">
          {list.data.data.map((enrollment) => (
            <Entry key={enrollment.campaign_id} enrollment={enrollment} />
          ))}
        </ul>
      )}
    </Section>
  );
};

const Entry = ({ enrollment }: { readonly enrollment: Enrollment }) => {
  const { campaign_id, campaign_name: campaign, campaign_status, status, reason } = enrollment;
  const [isConfirming, setConfirming] = useState(false);
  const change = useStatusChange(enrollment, campaign);
  return (
    <li className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-2 text-sm">
        <Link
          to="/campaigns/$id"
          params={{ id: campaign_id }}
          dir="auto"
          className="min-w-0 font-medium wrap-anywhere hover:underline"
        >
          {campaign}
        </Link>
        <CampaignStatus status={campaign_status} />
      </div>
      <div className="flex items-center gap-1">
        <Select
          label={t('Status in {campaign}', { campaign })}
          hideLabel
          className="flex-1"
          options={enrollmentOptions(status)}
          value={status}
          aria-busy={change.isPending}
          onChange={({ target }) => change.mutate(target.value as SettableStatus)}
        />
        <IconButton
          label={t('Remove from {campaign}', { campaign })}
          icon={<Trash2 aria-hidden />}
          onClick={() => setConfirming(true)}
        />
      </div>
      {reason && <p className="text-[0.8125rem] text-muted wrap-anywhere">{reasonText(reason)}</p>}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={t('Remove from {campaign}?', { campaign })}
        danger
        action={t('Remove enrollment')}
        consequences={[
          t('The enrollment status ({status}) will be lost.', {
            status: enrollmentStatusLabels[status].toLowerCase(),
          }),
          t('Its calls remain. If you enroll the contact again, it starts as pending.'),
        ]}
        onConfirm={() => removeEnrollment(enrollment, t('Removed from {campaign}.', { campaign }))}
      />
    </li>
  );
};
