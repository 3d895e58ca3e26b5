import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import type { Call } from '../../api/types.gen.ts';
import { clockTime, durationText, exactTime, relativeTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { RowLink } from '../../ui/row-link.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ChannelType } from '../channels/labels.tsx';
import { CallAgent, CallChannel, CallContact, Status } from './cells.tsx';
import { callLabel, contactLabel } from './labels.ts';
import { CallResult } from './results.tsx';
import { CallTags } from './tags.tsx';
import type { CallsSearch } from './url-params.ts';

const Direction = ({ call }: { readonly call: Call }) => {
  const Icon = call.direction === 'inbound' ? ArrowDownLeft : ArrowUpRight;
  return (
    <div className="flex min-w-0 items-start gap-2.5">
      <Icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0">
        <RowLink
          to="/calls"
          search={(now: object): CallsSearch => ({ ...now, call: call.id })}
          resetScroll={false}
        >
          {callLabel(call)}
          <span className="sr-only">
            {' '}
            {t('with {contact}, {time}', {
              contact: contactLabel(call),
              time: `${relativeTime(call.started_at)}, ${clockTime(call.started_at)}`,
            })}
          </span>
        </RowLink>
        <div className="text-[0.8125rem] text-muted">
          <Time at={call.started_at} withClock />
        </div>
      </div>
    </div>
  );
};

export const columns: readonly Column<Call>[] = [
  {
    id: 'call',
    header: t('Call'),
    sort: 'started_at',
    sortFirst: 'descending',
    phone: 'title',
    className: 'whitespace-nowrap',
    cell: (call) => <Direction call={call} />,
  },
  { id: 'contact', header: t('Contact'), cell: (call) => <CallContact call={call} /> },
  { id: 'agent', header: t('Agent'), cell: (call) => <CallAgent call={call} /> },
  {
    id: 'channel',
    header: t('Channel'),
    hideBelow: 'wide',
    cell: (call) => (
      <div className="min-w-0">
        <CallChannel call={call} />
        {call.channel_kind && (
          <div className="text-[0.8125rem] text-muted">
            <ChannelType kind={call.channel_kind} />
          </div>
        )}
      </div>
    ),
  },
  {
    id: 'status',
    header: t('Status'),
    className: 'whitespace-nowrap',
    cell: ({ status }) => <Status status={status} />,
  },
  {
    id: 'result',
    header: t('Result'),
    cell: (call) => (call.disposition || Object.keys(call.goals).length > 0) && <CallResult call={call} />,
  },
  {
    id: 'duration',
    header: t('Duration'),
    align: 'end',
    cell: ({ seconds, type }) =>
      seconds === null ? type === 'call' && <span className="text-muted">–</span> : durationText(seconds),
  },
  {
    id: 'summary',
    header: t('Summary'),
    isExtra: true,
    cell: ({ summary }) =>
      summary && (
        <span dir="auto" className="line-clamp-3 min-w-48 wrap-anywhere" title={summary}>
          {summary}
        </span>
      ),
  },
  {
    id: 'note',
    header: t('Note'),
    isExtra: true,
    cell: ({ note }) =>
      note && (
        <span dir="auto" className="line-clamp-3 min-w-48 wrap-anywhere" title={note}>
          {note}
        </span>
      ),
  },
  {
    id: 'tags',
    header: t('Tags'),
    isExtra: true,
    cell: ({ tags }) => <CallTags tags={tags} />,
  },
  {
    id: 'started',
    header: t('Started'),
    sort: 'started_at',
    sortFirst: 'descending',
    isExtra: true,
    className: 'whitespace-nowrap',
    cell: ({ started_at }) => exactTime(started_at),
  },
  {
    id: 'ended',
    header: t('Ended'),
    isExtra: true,
    className: 'whitespace-nowrap',
    cell: ({ ended_at }) => ended_at && exactTime(ended_at),
  },
  { id: 'number', header: t('Phone number'), isExtra: true, cell: ({ number }) => number },
  {
    id: 'provider_id',
    header: t('Provider ID'),
    isExtra: true,
    cell: ({ provider_id }) => <span className="wrap-anywhere">{provider_id}</span>,
  },
];
