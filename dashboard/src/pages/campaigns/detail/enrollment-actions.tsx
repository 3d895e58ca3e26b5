import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Enrollment } from '../../../api/types.gen.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Select } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { enrollmentOptions, enrollmentStatusLabels } from '../labels.tsx';

interface Props {
  readonly enrollment: Enrollment;
}

const nameOf = ({ contact_name, contact_phone_number }: Enrollment) => contact_name ?? contact_phone_number;
const paramsOf = ({ campaign_id, contact_id }: Enrollment) => ({ id: campaign_id, contact: contact_id });
const invalidateEnrollments = () => invalidate('/campaigns', '/contacts/{id}/enrollments');

export const EnrollmentStatusSelect = ({ enrollment }: Props) => {
  const name = nameOf(enrollment);
  const change = useMutation({
    mutationFn: (status: Enrollment['status']) =>
      call('PATCH', '/campaigns/{id}/enrollments/{contact}', {
        params: paramsOf(enrollment),
        body: { status },
      }),
    onSuccess: ({ data }) => {
      toast.good(`${name} marked as ${enrollmentStatusLabels[data.status].toLowerCase()}.`);
      return invalidateEnrollments();
    },
    onError: (error) => {
      toast.failed(error);
      void invalidateEnrollments();
    },
  });
  return (
    <Select
      label={`Status of ${name}`}
      hideLabel
      className="relative z-10 max-sm:flex-1"
      options={enrollmentOptions}
      value={change.isPending ? change.variables : enrollment.status}
      disabled={change.isPending}
      onChange={({ target }) => change.mutate(target.value as Enrollment['status'])}
    />
  );
};

export const RemoveEnrollment = ({ enrollment }: Props) => {
  const [isConfirming, setConfirming] = useState(false);
  const name = nameOf(enrollment);
  const remove = async () => {
    await call('DELETE', '/campaigns/{id}/enrollments/{contact}', { params: paramsOf(enrollment) });
    toast.good(`${name} removed from the campaign.`);
    void invalidateEnrollments();
  };
  return (
    <>
      <IconButton
        label={`Remove ${name}`}
        icon={<Trash2 aria-hidden />}
        className="relative z-10"
        onClick={() => setConfirming(true)}
      />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Remove ${name} from ${enrollment.campaign_name}?`}
        danger
        action="Remove enrollment"
        consequences={[
          `The enrollment status (${enrollmentStatusLabels[enrollment.status].toLowerCase()}) will be lost.`,
          enrollment.campaign_status === 'finished'
            ? "The contact and its calls are kept. The campaign has finished, so the contact can't be enrolled again."
            : 'The contact and its calls are kept. If you enroll it again, it starts as pending.',
        ]}
        onConfirm={remove}
      />
    </>
  );
};
