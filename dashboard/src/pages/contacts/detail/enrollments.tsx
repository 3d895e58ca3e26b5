import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Enrollment } from '../../../api/types.gen.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Select } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CampaignStatus, enrollmentOptions, enrollmentStatusLabels } from '../../campaigns/labels.tsx';

export const enrollmentsQuery = (id: string) => apiQuery('/contacts/{id}/enrollments', { params: { id } });

/** The campaigns that the contact is enrolled in. */
export const Enrollments = ({ id, onEnroll }: { readonly id: string; readonly onEnroll: () => void }) => {
  const list = useQuery(enrollmentsQuery(id));
  return (
    <Section
      title="Enrollments"
      actions={
        <Button size="small" onClick={onEnroll}>
          <Plus aria-hidden />
          Enroll
        </Button>
      }
    >
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <Skeleton className="h-10 w-full" />
      ) : list.data.data.length === 0 ? (
        <p className="text-sm text-muted">Not enrolled in any campaign.</p>
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
  const { campaign_id, campaign_name, campaign_status, contact_id, status } = enrollment;
  const [isConfirming, setConfirming] = useState(false);
  const params = { id: campaign_id, contact: contact_id };
  const invalidateEnrollments = () => invalidate('/contacts/{id}/enrollments', '/campaigns');
  const change = useMutation({
    mutationFn: (next: Enrollment['status']) =>
      call('PATCH', '/campaigns/{id}/enrollments/{contact}', { params, body: { status: next } }),
    onSuccess: () => invalidateEnrollments(),
    onError: (error) => toast.failed(error),
  });
  const remove = async () => {
    await call('DELETE', '/campaigns/{id}/enrollments/{contact}', { params });
    toast.good(`Removed from ${campaign_name}.`);
    void invalidateEnrollments();
  };
  return (
    <li className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-2 text-sm">
        <Link
          to="/campaigns/$id"
          params={{ id: campaign_id }}
          dir="auto"
          className="min-w-0 font-medium wrap-anywhere hover:underline"
        >
          {campaign_name}
        </Link>
        <CampaignStatus status={campaign_status} />
      </div>
      <div className="flex items-center gap-1">
        <Select
          label={`Status in ${campaign_name}`}
          hideLabel
          className="flex-1"
          options={enrollmentOptions}
          value={change.isPending ? change.variables : status}
          disabled={change.isPending}
          onChange={({ target }) => change.mutate(target.value as Enrollment['status'])}
        />
        <IconButton
          label={`Remove from ${campaign_name}`}
          icon={<Trash2 aria-hidden />}
          onClick={() => setConfirming(true)}
        />
      </div>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Remove from ${campaign_name}?`}
        danger
        action="Remove enrollment"
        consequences={[
          `The enrollment status (${enrollmentStatusLabels[status].toLowerCase()}) will be lost.`,
          'Its calls are kept. If you enroll the contact again, it starts as pending.',
        ]}
        onConfirm={remove}
      />
    </li>
  );
};
