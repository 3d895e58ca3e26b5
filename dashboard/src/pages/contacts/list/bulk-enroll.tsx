import { useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { countText, numberText } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CampaignField } from '../../campaigns/campaign-field.tsx';
import { type ProcessBatch, useBulkJob } from './bulk-job.ts';
import { BulkButtons, BulkProgress } from './bulk-progress.tsx';
import { countOf, type Selection } from './selection.ts';

/** Enrolls the selected contacts in a campaign. */
export const BulkEnroll = ({
  selection,
  onClose,
}: {
  readonly selection: Selection;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone: boolean) => void;
}) => {
  const [campaign, setCampaign] = useState<Campaign>();
  const job = useBulkJob(selection);
  const sum = useRef({ enrolled: 0, already: 0 });
  const isIdle = job.phase === 'idle';

  const processBatch: ProcessBatch = async (contact_ids) => {
    const { data } = await call('POST', '/campaigns/{id}/enrollments', {
      params: { id: campaign?.id ?? '' },
      body: { contact_ids },
    });
    sum.current.enrolled += data.enrolled;
    sum.current.already += data.already_enrolled;
    return 0;
  };
  const run = async () => {
    const isDone = await job.run(processBatch);
    void invalidate('/campaigns', '/contacts/{id}/enrollments');
    if (!isDone) return;
    const { enrolled, already } = sum.current;
    const rest =
      already > 0 ? `. ${numberText(already)} ${already === 1 ? 'was' : 'were'} already enrolled` : '';
    toast.good(`${countText(enrolled, 'contact')} enrolled in ${campaign?.name}${rest}.`);
    onClose(true);
  };
  const close = () => (job.phase === 'running' ? job.stop() : onClose(!isIdle));
  return (
    <Dialog
      open
      onOpenChange={close}
      title={`Enroll ${countText(countOf(selection), 'contact')}`}
      width="small"
      preventDismiss={!isIdle}
      onSubmit={() => isIdle && campaign && void run()}
      footer={
        <BulkButtons
          job={job}
          onRun={() => void run()}
          onClose={close}
          begin={
            <Button type="submit" variant="primary" disabled={!campaign}>
              Enroll
            </Button>
          }
        />
      }
    >
      {isIdle && <CampaignField value={campaign} onChange={setCampaign} />}
      <BulkProgress job={job} label={`Enrolling in ${campaign?.name}`} />
    </Dialog>
  );
};
