import { useMutation } from '@tanstack/react-query';
import { CircleStop, Pause, Play } from 'lucide-react';
import type { Campaign } from '../../api/types.gen.ts';
import { campaignNames } from '../../app/campaign-words.tsx';
import { countText } from '../../app/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Known, saveCampaign } from './record.ts';

const words = { draft: 'Start', paused: 'Resume', active: 'Pause' } as const;

const say = ({ name, status }: Campaign) =>
  toast.good(`${name} is now ${campaignNames[status].toLowerCase()}.`);

/** Starts, pauses and finishes a campaign. What is finished stays so, and has no buttons. */
export const StatusButtons = ({
  known,
  onFinish,
}: {
  readonly known: Known;
  readonly onFinish: () => void;
}) => {
  const { status } = known.data;
  const change = useMutation({
    mutationFn: () => saveCampaign(known, { status: status === 'active' ? 'paused' : 'active' }),
    onSuccess: say,
    onError: (error) => toast.failed(error),
  });
  if (status === 'finished') return null;
  return (
    <>
      <Button onClick={onFinish}>
        <CircleStop aria-hidden />
        Finish
      </Button>
      <Button busy={change.isPending} onClick={() => change.mutate()}>
        {!change.isPending && (status === 'active' ? <Pause aria-hidden /> : <Play aria-hidden />)}
        {words[status]}
      </Button>
    </>
  );
};

export const FinishCampaign = ({
  known,
  onClose,
}: {
  readonly known: Known;
  readonly onClose: () => void;
}) => {
  const { name, enrolled } = known.data;
  const open = (enrolled.pending ?? 0) + (enrolled.in_progress ?? 0);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Finish ${name}?`}
      danger
      action="Finish campaign"
      consequences={[
        open > 0
          ? `${countText(open, 'enrollment is', 'enrollments are')} pending or in progress. Their status is kept.`
          : 'No enrollments are pending or in progress.',
        'No one else can be enrolled. Its enrollments are kept.',
        "This can't be undone: a finished campaign can't become active again.",
      ]}
      onConfirm={async () => say(await saveCampaign(known, { status: 'finished' }))}
    />
  );
};
