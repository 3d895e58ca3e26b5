import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
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
    <Dialog
      open
      onOpenChange={onClose}
      title="Enroll in a campaign"
      width="small"
      onSubmit={() => campaign && enroll.mutate(campaign)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!campaign} busy={enroll.isPending}>
            Enroll
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <CampaignField value={campaign} onChange={setCampaign} />
        {enroll.isError && <Notice tone="danger">{errorMessage(enroll.error)}</Notice>}
      </div>
    </Dialog>
  );
};
