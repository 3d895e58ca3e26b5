import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { toast } from '../../../ui/toast.tsx';
import { CampaignField } from '../../campaigns/campaign-field.tsx';
import { offerToUnenroll } from '../../campaigns/enrollment-changes.ts';

/** Enrolls one contact in a campaign. */
const Enroll = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [campaign, setCampaign] = useState<Campaign>();
  const enroll = useMutation({
    mutationFn: ({ id: into }: Campaign) =>
      call('POST', '/campaigns/{id}/enrollments', { params: { id: into }, body: { contact_ids: [id] } }),
    onSuccess: ({ data }, { id: into, name }) => {
      if (data.enrolled > 0) offerToUnenroll({ id: into, contact: id }, t('Enrolled in {name}.', { name }));
      else toast.good(t('Already enrolled in {name}.', { name }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Enroll in a campaign')}
      width="small"
      dirty={false}
      onSubmit={() => campaign && enroll.mutate(campaign)}
      onClose={onClose}
      action={t('Enroll')}
      busy={enroll.isPending}
      disabled={!campaign}
      error={enroll.error}
    >
      <CampaignField value={campaign} onChange={setCampaign} />
    </FormDialog>
  );
};

export default Enroll;
