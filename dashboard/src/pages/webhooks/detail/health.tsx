import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Webhook } from '../../../api/types.gen.ts';
import { exactTime, numberText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { disabledReason } from '../labels.tsx';
import { setWebhookStatus } from './save.ts';

/** Pauses, resumes or enables an endpoint. */
export const useStatusChange = (id: string) =>
  useMutation({
    mutationFn: (status: 'active' | 'paused') => setWebhookStatus(id, status),
    onSuccess: ({ status }) =>
      toast.good(status === 'paused' ? t('Endpoint paused. Events are queued.') : t('Endpoint active.')),
    onError: (error) => toast.failed(error),
  });

/** Explains a status that needs attention. */
export const StatusNotice = ({ webhook }: { readonly webhook: Webhook }) => {
  const change = useStatusChange(webhook.id);
  const activate = (label: string) => (
    <Button size="small" busy={change.isPending} onClick={() => change.mutate('active')}>
      {label}
    </Button>
  );
  if (webhook.status === 'disabled')
    return (
      <Notice tone="danger" action={activate(t('Enable endpoint'))}>
        <strong className="font-semibold">{t('Roster disabled this endpoint.')}</strong>{' '}
        {disabledReason(webhook)}{' '}
        {t('Fix the receiver, then enable the endpoint to receive all events since.')}
      </Notice>
    );
  if (webhook.status === 'paused')
    return (
      <Notice tone="warn" action={activate(t('Resume'))}>
        {t('This endpoint is paused. Events are queued until you resume it.')}
      </Notice>
    );
  if (!webhook.failing_since) return null;
  return (
    <Notice tone="warn">
      {t(
        'Deliveries have failed since {time}. Roster retries them, and disables the endpoint after five days of failures.',
        { time: exactTime(webhook.failing_since) },
      )}
    </Notice>
  );
};

const Figure = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="card min-w-0 px-3.5 py-2.5">
    <dt className="text-[0.8125rem] text-muted">{name}</dt>
    <dd className="figure font-semibold">{children}</dd>
  </div>
);

const MAX_COUNT = 1_000;
const countedText = (count: number) => `${numberText(count)}${count >= MAX_COUNT ? '+' : ''}`;

/** The figures of the deliveries. */
export const Health = ({ webhook }: { readonly webhook: Webhook }) => (
  <dl className="mb-5 grid grid-cols-2 gap-2 lg:grid-cols-4">
    <Figure name={t('Last delivery')}>
      {webhook.last_delivery_at ? <Time at={webhook.last_delivery_at} /> : t('Never')}
    </Figure>
    <Figure name={t('Failing since')}>
      {webhook.failing_since ? <Time at={webhook.failing_since} /> : t('Not failing')}
    </Figure>
    <Figure name={t('Queued events')}>{countedText(webhook.pending_deliveries)}</Figure>
    <Figure name={t('Failed events')}>{countedText(webhook.failed_deliveries)}</Figure>
  </dl>
);
