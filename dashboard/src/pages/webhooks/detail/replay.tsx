import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Webhook } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Input } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { toast } from '../../../ui/toast.tsx';

const modes = { failed: t('Failed events'), range: t('Time range') } as const;
/** The most that the service counts. */
const MAX_COUNT = 1_000;

/** The value of a date-time field, in the time zone of the browser. */
const localTime = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

const anHourAgo = () => localTime(new Date(Date.now() - 3_600_000));

const isoOf = (local: string): string => new Date(local).toISOString();

/** Sends failed events or a range of time again. */
export const ReplayDialog = ({
  webhook: { id, failed_deliveries: failed },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) => {
  const [mode, setMode] = useState<keyof typeof modes>(failed > 0 ? 'failed' : 'range');
  const [since, setSince] = useState(anHourAgo);
  const [until, setUntil] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const replay = useMutation({
    mutationFn: () =>
      call('POST', '/webhooks/{id}/replay', {
        params: { id },
        body:
          mode === 'failed'
            ? { failed: true }
            : { since: isoOf(since), ...(until && { until: isoOf(until) }) },
      }),
    onSuccess: ({ data: { events } }) => {
      void invalidate('/webhooks');
      if (events === 0) return;
      toast.good(plural(events, 'Replay started: # event.', 'Replay started: # events.'));
      onClose();
    },
  });
  const problems = fieldErrors(replay.error);
  const isIncomplete = mode === 'range' && since === '';
  const hasNothing = mode === 'failed' && failed === 0;
  const submit = () => {
    setSubmitted(true);
    if (!isIncomplete && !hasNothing) replay.mutate();
  };
  const change = (set: () => void) => {
    set();
    replay.reset();
  };
  return (
    <FormDialog
      title={t('Replay events')}
      description={t('Sends events to this endpoint again. They keep their IDs.')}
      width="small"
      dirty={false}
      onSubmit={submit}
      onClose={onClose}
      action={t('Replay')}
      busy={replay.isPending}
      disabled={hasNothing}
      error={replay.error}
    >
      <Segmented
        label={t('Events')}
        options={modes}
        value={mode}
        onChange={(next) => change(() => setMode(next))}
      />
      {mode === 'failed' ? (
        <p className="text-sm">
          {failed === 0
            ? t('No events have failed permanently.')
            : failed >= MAX_COUNT
              ? t('{count} or more events have failed permanently: all retries are used up.', {
                  count: failed,
                })
              : plural(
                  failed,
                  '# event has failed permanently: all retries are used up.',
                  '# events have failed permanently: all retries are used up.',
                )}
        </p>
      ) : (
        <>
          <Input
            label={t('Since')}
            type="datetime-local"
            required
            value={since}
            error={problems.since ?? (isSubmitted && isIncomplete ? t('Enter a date and time.') : undefined)}
            onChange={({ target }) => change(() => setSince(target.value))}
          />
          <Input
            label={t('Until')}
            hint={t('Leave empty for everything since then.')}
            type="datetime-local"
            value={until}
            error={problems.until}
            onChange={({ target }) => change(() => setUntil(target.value))}
          />
        </>
      )}
      {replay.data?.data.events === 0 && <Notice>{t('There are no events to replay.')}</Notice>}
    </FormDialog>
  );
};

/** The replay that is running, with a button to cancel it. */
export const ReplayProgress = ({ webhook: { id, replay } }: { readonly webhook: Webhook }) => {
  const cancel = useMutation({
    mutationFn: () => call('DELETE', '/webhooks/{id}/replay', { params: { id } }),
    onSuccess: () => {
      toast.good(t('Replay canceled.'));
      void invalidate('/webhooks');
    },
    onError: (error) => toast.failed(error),
  });
  if (!replay) return null;
  return (
    <Notice
      action={
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('Cancel replay')}
        </Button>
      }
    >
      {plural(
        replay.remaining,
        'A replay is running: # event remains.',
        'A replay is running: # events remain.',
      )}
    </Notice>
  );
};
