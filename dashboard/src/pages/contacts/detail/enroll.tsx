import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CampaignField } from '../../campaigns/campaign-field.tsx';

/** Enrolls one contact in a campaign. */
export const Enroll = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [campaign, setCampaign] = useState<Campaign>();
  const enroll = useMutation({
    mutationFn: ({ id: into }: Campaign) =>
      call('POST', '/campaigns/{id}/enrollments', { params: { id: into }, body: { contact_ids: [id] } }),
    onSuccess: ({ data }, { name }) => {
      void invalidate('/contacts/{id}/enrollments', '/campaigns');
      toast.good(data.enrolled > 0 ? `Enrolled in ${name}.` : `Already enrolled in ${name}.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title="Enroll in a campaign"
      width="small"
      dirty={false}
      onSubmit={() => campaign && enroll.mutate(campaign)}
      onClose={onClose}
      action="Enroll"
      busy={enroll.isPending}
      disabled={!campaign}
      error={enroll.error}
    >
      <CampaignField value={campaign} onChange={setCampaign} />
    </FormDialog>
  );
};
