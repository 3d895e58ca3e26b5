import type { WebhookAttempt } from '../../../api/types.gen.ts';
import { numberText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { AttemptResult, millisecondsText } from '../labels.tsx';

export const columns: readonly Column<WebhookAttempt>[] = [
  {
    id: 'event',
    header: t('Event'),
    phone: 'title',
    cell: ({ number, event_type, event_id }) => (
      <>
        <RowLink to="." search={(now: object) => ({ ...now, attempt: number })} resetScroll={false}>
          {event_type}
        </RowLink>
        <div className="font-mono text-xs text-muted wrap-anywhere">{event_id}</div>
      </>
    ),
  },
  {
    id: 'result',
    header: t('Result'),
    cell: ({ result, error }) => (
      <div className="min-w-0">
        <AttemptResult result={result} />
        {error && <div className="text-[0.8125rem] text-muted">{error}</div>}
      </div>
    ),
  },
  {
    id: 'status',
    header: t('Status code'),
    align: 'end',
    hideBelow: 'medium',
    cell: ({ status }) => status ?? <span className="text-muted">–</span>,
  },
  {
    id: 'attempt',
    header: t('Attempt'),
    align: 'end',
    hideBelow: 'medium',
    cell: ({ attempt }) => numberText(attempt),
  },
  {
    id: 'duration',
    header: t('Duration'),
    align: 'end',
    className: 'whitespace-nowrap',
    cell: ({ duration_ms }) => millisecondsText(duration_ms),
  },
  {
    id: 'at',
    header: t('Time'),
    align: 'end',
    className: 'whitespace-nowrap text-muted',
    cell: ({ at }) => <Time at={at} />,
  },
];
