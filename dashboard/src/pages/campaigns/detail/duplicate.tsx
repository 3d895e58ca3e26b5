import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { startBulkJob } from '../../../app/bulk-jobs/start.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { enrolledTotal } from '../../../records/campaigns/labels.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Input } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

const MAX_NAME = 100;

/** Copies a campaign as a draft, if wanted with its contacts. */
const DuplicateCampaign = ({
  campaign,
  onClose,
}: {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}) => {
  const suggested = t('{name} (copy)', { name: campaign.name }).slice(0, MAX_NAME);
  const [name, setName] = useState(suggested);
  const [withContacts, setWithContacts] = useState(false);
  const navigate = useNavigate();
  const total = enrolledTotal(campaign.enrolled);
  const enroll = (into: Campaign): Promise<unknown> =>
    startBulkJob(
      { action: 'enroll', selection: { filter: { campaign: campaign.id } }, campaign_id: into.id },
      { campaignName: into.name },
    ).catch((error: unknown) => toast.failed(error, { label: t('Try again'), run: () => void enroll(into) }));
  const copy = useMutation({
    mutationFn: async () =>
      (await call('POST', '/campaigns/{id}/duplicate', { params: { id: campaign.id }, body: { name } })).data,
    onSuccess: (data) => {
      void invalidate('/campaigns', '/figures');
      toast.good(t('{name} created.', { name: data.name }));
      if (withContacts) void enroll(data);
      void navigate({ to: '/campaigns/$id', params: { id: data.id }, ignoreBlocker: true });
    },
  });
  return (
    <FormDialog
      title={t('Duplicate {name}', { name: campaign.name })}
      dirty={name !== suggested}
      preventDismiss={copy.isPending}
      onSubmit={() => name !== '' && copy.mutate()}
      onClose={onClose}
      action={t('Duplicate campaign')}
      busy={copy.isPending}
      error={copy.error}
    >
      <Input
        label={t('Name')}
        hint={t('The copy is a draft with the same agent, call window and attempts.')}
        required
        autoFocus
        maxLength={MAX_NAME}
        autoComplete="off"
        value={name}
        error={fieldErrors(copy.error).name ?? (name === '' ? t('Enter a name.') : undefined)}
        onChange={({ target }) => setName(target.value)}
      />
      {total > 0 && (
        <Checkbox
          checked={withContacts}
          onChange={setWithContacts}
          label={plural(
            total,
            'Enroll the same # contact as pending',
            'Enroll the same # contacts as pending',
          )}
        />
      )}
    </FormDialog>
  );
};

export default DuplicateCampaign;
