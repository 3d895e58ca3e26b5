import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import type { Call } from '../../api/types.gen.ts';
import { clockTime, durationText, exactTime, relativeTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { CellLink } from '../../ui/cell-link.tsx';
import { NameOrPhone } from '../../ui/phone.tsx';
import { rich } from '../../ui/rich.tsx';
import { RowLink } from '../../ui/row-link.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { VersionLink } from '../agents/version-link.tsx';
import { ChannelType } from '../channels/labels.tsx';
import { callLabel, contactLabel, statusLabels } from './labels.ts';
import type { CallsSearch } from './url-params.ts';

export const linkClass = 'relative z-10 rounded wrap-anywhere hover:underline';

export const CallContact = ({ call }: { readonly call: Call }) =>
  call.contact_id ? (
    <CellLink href={`/contacts/${call.contact_id}`} dir="auto" className={linkClass}>
      <NameOrPhone text={contactLabel(call)} />
    </CellLink>
  ) : (
    <span className={call.number ? undefined : 'text-muted'}>
      <NameOrPhone text={contactLabel(call)} />
    </span>
  );

export const CallAgent = ({ call }: { readonly call: Call }) => {
  if (call.agent_id === null) return <span className="text-muted">{t('No agent')}</span>;
  const name = call.agent_name ?? t('Deleted agent');
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2">
      {call.agent_deleted ? (
        <span className="text-muted">{rich('{name} (deleted)', { name: <bdi>{name}</bdi> })}</span>
      ) : (
        <CellLink href={`/agents/${call.agent_id}`} dir="auto" className={linkClass}>
          {name}
        </CellLink>
      )}
      {call.version_label && (
        <VersionLink
          agent={call.agent_id}
          label={call.version_label}
          at={call.started_at}
          isDeleted={call.agent_deleted}
        >
          <Badge>{call.version_label}</Badge>
        </VersionLink>
      )}
    </span>
  );
};

export const CallChannel = ({ call }: { readonly call: Call }) =>
  call.channel_name === null ? (
    <span className="text-muted">{t('Deleted channel')}</span>
  ) : (
    <CellLink href={`/channels?channel=${call.channel_id}`} dir="auto" className={linkClass}>
      {call.channel_name}
    </CellLink>
  );

export const Status = ({ status }: Pick<Call, 'status'>) => (
  <Badge tone={statusLabels[status].tone} dot>
    {statusLabels[status].label}
  </Badge>
);

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
    id: 'duration',
    header: t('Duration'),
    align: 'end',
    cell: ({ seconds, type }) =>
      seconds === null ? type === 'call' && <span className="text-muted">–</span> : durationText(seconds),
  },
  {
    id: 'started',
    header: t('Started'),
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
