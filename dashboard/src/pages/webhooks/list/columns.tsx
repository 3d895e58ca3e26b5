import type { Webhook } from '../../../api/types.gen.ts';
import { numberText } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { rich } from '../../../ui/rich.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { disabledReason, eventsText, WebhookStatus } from '../labels.tsx';

const small = 'text-[0.8125rem] text-muted';

/** The reason of a status that needs attention. */
const StatusReason = ({ webhook }: { readonly webhook: Webhook }) => {
  const { status, failing_since } = webhook;
  if (status === 'disabled') return <div className={small}>{disabledReason(webhook)}</div>;
  if (status !== 'active' || !failing_since) return null;
  return <div className={small}>{rich('since {time}', { time: <Time at={failing_since} /> })}</div>;
};

const filterText = ({ tag, agent_id, campaign_id }: Webhook): string => {
  const filters = [tag && t('tag'), agent_id && t('agent'), campaign_id && t('campaign')].filter(Boolean);
  return filters.length === 0 ? '' : t('Filtered by {filters}', { filters: filters.join(', ') });
};

export const columns: readonly Column<Webhook>[] = [
  {
    id: 'endpoint',
    header: t('Endpoint'),
    phone: 'title',
    cell: ({ id, url, description }) => (
      <>
        <RowLink href={`/webhooks/${id}`}>
          <span className="wrap-anywhere">{url}</span>
        </RowLink>
        {description && (
          <div dir="auto" className={`${small} wrap-anywhere`}>
            {description}
          </div>
        )}
      </>
    ),
  },
  {
    id: 'status',
    header: t('Status'),
    cell: (webhook) => (
      <div className="min-w-0">
        <WebhookStatus webhook={webhook} />
        <StatusReason webhook={webhook} />
      </div>
    ),
  },
  {
    id: 'events',
    header: t('Events'),
    cell: (webhook) => (
      <div className="min-w-0">
        <span className="wrap-anywhere">{eventsText(webhook)}</span>
        {filterText(webhook) && <div className={small}>{filterText(webhook)}</div>}
      </div>
    ),
  },
  {
    id: 'queue',
    header: t('Queued'),
    align: 'end',
    hideBelow: 'medium',
    cell: ({ pending_deliveries, failed_deliveries }) => (
      <div>
        {numberText(pending_deliveries)}
        {failed_deliveries > 0 && (
          <div className="text-[0.8125rem] text-danger-ink">
            {plural(failed_deliveries, '# failed', '# failed')}
          </div>
        )}
      </div>
    ),
  },
  {
    id: 'delivery',
    header: t('Delivered'),
    align: 'end',
    className: 'whitespace-nowrap text-muted',
    cell: ({ last_delivery_at }) => (last_delivery_at ? <Time at={last_delivery_at} /> : t('Never')),
  },
];
