import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '../../../api/types.gen.ts';
import { startBulkJob } from '../../../app/bulk-jobs/start.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { CampaignField } from '../../../records/campaigns/campaign-field.tsx';
import { bulkSelectionOf, countOf, type Selection } from './selection.ts';
import { SelectionText } from './selection-text.tsx';

/** Enrolls the selected contacts in a campaign. */
const BulkEnroll = ({
  selection,
  onClose,
}: {
  readonly selection: Selection;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone?: boolean) => void;
}) => {
  const [campaign, setCampaign] = useState<Campaign>();
  const start = useMutation({
    mutationFn: ({ id, name }: Campaign) =>
      startBulkJob(
        { action: 'enroll', selection: bulkSelectionOf(selection), campaign_id: id },
        { campaignName: name },
      ),
    onSuccess: () => onClose(true),
  });
  return (
    <FormDialog
      onClose={() => onClose(false)}
      title={plural(countOf(selection), 'Enroll # contact', 'Enroll # contacts')}
      width="small"
      dirty={false}
      busy={start.isPending}
      disabled={!campaign}
      error={start.error}
      onSubmit={() => campaign && start.mutate(campaign)}
      action={t('Enroll')}
    >
      <SelectionText selection={selection} />
      <CampaignField value={campaign} onChange={setCampaign} />
    </FormDialog>
  );
};

export default BulkEnroll;
