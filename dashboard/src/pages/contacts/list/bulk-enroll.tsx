import { useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { countText, numberText } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CampaignField } from '../../campaigns/campaign-field.tsx';
import { type Step, useWork } from './bulk-job.ts';
import { WorkButtons, WorkState } from './bulk-progress.tsx';
import { type Chosen, countOf } from './selection.ts';

/** Enrolls the selected contacts in a campaign. */
export const EnrollMany = ({
  chosen,
  onClose,
}: {
  readonly chosen: Chosen;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone: boolean) => void;
}) => {
  const [campaign, setCampaign] = useState<Campaign>();
  const work = useWork(chosen);
  const sum = useRef({ enrolled: 0, already: 0 });
  const isWaiting = work.phase === 'waiting';

  const step: Step = async (contact_ids) => {
    const { data } = await call('POST', '/campaigns/{id}/enrollments', {
      params: { id: campaign?.id ?? '' },
      body: { contact_ids },
    });
    sum.current.enrolled += data.enrolled;
    sum.current.already += data.already_enrolled;
    return 0;
  };
  const run = async () => {
    const isDone = await work.run(step);
    void invalidate('/campaigns', '/contacts/{id}/enrollments');
    if (!isDone) return;
    const { enrolled, already } = sum.current;
    const rest =
      already > 0 ? `. ${numberText(already)} ${already === 1 ? 'was' : 'were'} already enrolled` : '';
    toast.good(`${countText(enrolled, 'contact')} enrolled in ${campaign?.name}${rest}.`);
    onClose(true);
  };
  const close = () => (work.phase === 'working' ? work.stop() : onClose(!isWaiting));
  return (
    <Dialog
      open
      onOpenChange={close}
      title={`Enroll ${countText(countOf(chosen), 'contact')}`}
      width="small"
      keep={!isWaiting}
      onSubmit={() => isWaiting && campaign && void run()}
      footer={
        <WorkButtons
          work={work}
          onRun={() => void run()}
          onClose={close}
          begin={
            <Button type="submit" look="primary" disabled={!campaign}>
              Enroll
            </Button>
          }
        />
      }
    >
      {isWaiting && <CampaignField value={campaign} onChange={setCampaign} />}
      <WorkState work={work} label={`Enrolling in ${campaign?.name}`} />
    </Dialog>
  );
};
