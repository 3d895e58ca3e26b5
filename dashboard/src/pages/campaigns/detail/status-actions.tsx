import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleStop, Pause, Play } from 'lucide-react';
import type { Campaign } from '../../../api/types.gen.ts';
import { countText, numberText } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useDeployedLabel } from '../../agents/agent-options.tsx';
import { campaignStatusLabels, enrolledTotal } from '../labels.tsx';
import { type LoadedCampaign, saveCampaign } from './save.ts';

const actionLabels = { draft: 'Start', paused: 'Resume', active: 'Pause', finished: '' } as const;

const notifyStatus = ({ name, status }: Campaign) =>
  toast.good(`${name} is now ${campaignStatusLabels[status].toLowerCase()}.`);

/** Pauses a campaign, and opens the dialogs that start and finish it. A finished campaign has no actions. */
export const StatusButtons = ({
  loaded,
  onStart,
  onFinish,
}: {
  readonly loaded: LoadedCampaign;
  readonly onStart: () => void;
  readonly onFinish: () => void;
}) => {
  const { status } = loaded.data;
  const pause = useMutation({
    mutationFn: () => saveCampaign(loaded, { status: 'paused' }),
    onSuccess: notifyStatus,
    onError: (error) => toast.failed(error),
  });
  if (status === 'finished') return null;
  return (
    <>
      <Button onClick={onFinish}>
        <CircleStop aria-hidden />
        Finish
      </Button>
      <Button busy={pause.isPending} onClick={() => (status === 'active' ? pause.mutate() : onStart())}>
        {!pause.isPending && (status === 'active' ? <Pause aria-hidden /> : <Play aria-hidden />)}
        {actionLabels[status]}
      </Button>
    </>
  );
};

/** Asks for confirmation before a campaign starts. The service allows an agent without a deployed version, so this
 *  dialog only warns. */
export const StartCampaign = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedCampaign;
  readonly onClose: () => void;
}) => {
  const { name, status, enrolled, agent } = loaded.data;
  const label = useDeployedLabel(agent.deleted ? undefined : agent.id);
  const total = enrolledTotal(enrolled);
  const pending = enrolled.pending ?? 0;
  const verb = actionLabels[status];
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`${verb} ${name}?`}
      action={label === null ? `${verb} anyway` : `${verb} campaign`}
      consequences={[
        total === 0
          ? 'No contacts are enrolled yet.'
          : `${countText(total, 'contact is', 'contacts are')} enrolled, ${numberText(pending)} of them pending.`,
        ...(label ? [`${agent.name} talks to them using ${label}.`] : []),
        'You can pause it at any time.',
      ]}
      onConfirm={async () => notifyStatus(await saveCampaign(loaded, { status: 'active' }))}
    >
      {label === null && (
        <Notice
          tone="warn"
          action={
            <Link to="/agents/$id" params={{ id: agent.id }} className="font-medium underline">
              Open {agent.name}
            </Link>
          }
        >
          {agent.name} has no deployed version, so it can't talk to anyone. Deploy one first.
        </Notice>
      )}
    </ConfirmDialog>
  );
};

export const FinishCampaign = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedCampaign;
  readonly onClose: () => void;
}) => {
  const { name, enrolled } = loaded.data;
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
        'No more contacts can be enrolled. Existing enrollments are kept.',
        "This can't be undone: a finished campaign can't be restarted.",
      ]}
      onConfirm={async () => notifyStatus(await saveCampaign(loaded, { status: 'finished' }))}
    />
  );
};
