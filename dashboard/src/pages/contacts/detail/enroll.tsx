import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { CampaignField } from '../../../records/campaigns/campaign-field.tsx';
import { offerToUnenroll } from '../../../records/campaigns/enrollment-changes.ts';
import { rich } from '../../../ui/rich.tsx';
import { toast } from '../../../ui/toast.tsx';

const CampaignLink = ({ id, children }: { readonly id: string; readonly children: string }) => (
  <Link to="/campaigns/$id" params={{ id }} dir="auto" className="font-medium underline">
    {children}
  </Link>
);

/** Enrolls one contact in a campaign. */
const Enroll = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [campaign, setCampaign] = useState<Campaign>();
  const enroll = useMutation({
    mutationFn: ({ id: into }: Campaign) =>
      call('POST', '/campaigns/{id}/enrollments', { params: { id: into }, body: { contact_ids: [id] } }),
    onSuccess: ({ data }, { id: into, name }) => {
      const link = <CampaignLink id={into}>{name}</CampaignLink>;
      if (data.enrolled > 0)
        offerToUnenroll({ id: into, contact: id }, rich('Enrolled in {name}.', { name: link }));
      else toast.good(rich('Already enrolled in {name}.', { name: link }));
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
