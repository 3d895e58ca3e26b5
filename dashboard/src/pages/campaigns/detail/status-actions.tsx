import { useMutation } from '@tanstack/react-query';
import { CircleStop, Pause, Play } from 'lucide-react';
import type { Campaign } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type LoadedCampaign, saveCampaign } from './save.ts';

const actionLabels = { draft: t('Start'), paused: t('Resume'), active: t('Pause'), finished: '' } as const;

const commands = {
  draft: t('Start campaign'),
  paused: t('Resume campaign'),
  active: t('Pause campaign'),
  finished: undefined,
} as const;

export const notifyStatus = ({ name, status }: Campaign) =>
  toast.good(
    {
      draft: t('{name} is now a draft.', { name }),
      active: t('{name} is now active.', { name }),
      paused: t('{name} is now paused.', { name }),
      finished: t('{name} is now finished.', { name }),
    }[status],
  );

/** Whether the next step is to start it. */
export const isReady = ({ status, enrolled }: Campaign): boolean =>
  status === 'draft' && (enrolled.pending ?? 0) > 0;

/** Pauses a campaign, and opens the dialogs that start and finish it. A draft has not begun, so it cannot be finished. */
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
  const change = () => (status === 'active' ? pause.mutate() : onStart());
  useCommand(commands[status], change);
  useCommand(status !== 'draft' && status !== 'finished' && t('Finish campaign'), onFinish);
  if (status === 'finished') return null;
  return (
    <>
      {status !== 'draft' && (
        <Button onClick={onFinish}>
          <CircleStop aria-hidden />
          {t('Finish')}
        </Button>
      )}
      <Button
        variant={isReady(loaded.data) ? 'primary' : 'secondary'}
        busy={pause.isPending}
        onClick={change}
      >
        {!pause.isPending && (status === 'active' ? <Pause aria-hidden /> : <Play aria-hidden />)}
        {actionLabels[status]}
      </Button>
    </>
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
      title={t('Finish {name}?', { name })}
      danger
      action={t('Finish campaign')}
      consequences={[
        open > 0
          ? plural(
              open,
              '# enrollment is pending or in progress. Its status stays the same.',
              '# enrollments are pending or in progress. Their status stays the same.',
            )
          : t('No enrollments are pending or in progress.'),
        t('No more contacts can be enrolled. Existing enrollments remain.'),
        t("This can't be undone: a finished campaign can't be restarted."),
      ]}
      onConfirm={async () => notifyStatus(await saveCampaign(loaded, { status: 'finished' }))}
    />
  );
};
