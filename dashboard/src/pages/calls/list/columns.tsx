import { Link } from '@tanstack/react-router';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import type { Call } from '../../../api/types.gen.ts';
import { durationText, relativeTime } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { VersionLink } from '../../agents/version-link.tsx';
import { ChannelType } from '../../channels/labels.tsx';
import { callLabel, contactLabel, statusLabels } from '../labels.ts';
import type { CallsSearch } from './url-params.ts';

export const linkClass = 'relative z-10 rounded wrap-anywhere hover:underline';

export const CallContact = ({ call }: { readonly call: Call }) =>
  call.contact_id ? (
    <Link to="/contacts/$id" params={{ id: call.contact_id }} dir="auto" className={linkClass}>
      {contactLabel(call)}
    </Link>
  ) : (
    <span className={call.number ? undefined : 'text-muted'}>{contactLabel(call)}</span>
  );

export const CallAgent = ({ call }: { readonly call: Call }) => {
  if (call.agent_id === null) return <span className="text-muted">No agent</span>;
  const name = call.agent_name ?? 'Deleted agent';
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2">
      {call.agent_deleted ? (
        <span className="text-muted">
          <bdi>{name}</bdi> (deleted)
        </span>
      ) : (
        <Link to="/agents/$id" params={{ id: call.agent_id }} dir="auto" className={linkClass}>
          {name}
        </Link>
      )}
      {call.version_label &&
        (call.agent_deleted ? (
          <Badge>{call.version_label}</Badge>
        ) : (
          <VersionLink agent={call.agent_id} label={call.version_label}>
            <Badge>{call.version_label}</Badge>
          </VersionLink>
        ))}
    </span>
  );
};

export const CallChannel = ({ call }: { readonly call: Call }) =>
  call.channel_name === null ? (
    <span className="text-muted">Deleted channel</span>
  ) : (
    <Link to="/channels" search={{ channel: call.channel_id }} dir="auto" className={linkClass}>
      {call.channel_name}
    </Link>
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
        <RowLink to="/calls" search={(now: CallsSearch) => ({ ...now, call: call.id })} resetScroll={false}>
          {callLabel(call)}
          <span className="sr-only">
            {' '}
            with {contactLabel(call)}, {relativeTime(call.started_at)}
          </span>
        </RowLink>
        <div className="text-[0.8125rem] text-muted">
          <Time at={call.started_at} />
        </div>
      </div>
    </div>
  );
};

export const columns: readonly Column<Call>[] = [
  {
    id: 'call',
    header: 'Call',
    phone: 'title',
    className: 'whitespace-nowrap',
    cell: (call) => <Direction call={call} />,
  },
  { id: 'contact', header: 'Contact', cell: (call) => <CallContact call={call} /> },
  { id: 'agent', header: 'Agent', cell: (call) => <CallAgent call={call} /> },
  {
    id: 'channel',
    header: 'Channel',
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
    header: 'Status',
    className: 'whitespace-nowrap',
    cell: ({ status }) => <Status status={status} />,
  },
  {
    id: 'duration',
    header: 'Duration',
    align: 'end',
    cell: ({ seconds, type }) =>
      seconds === null ? type === 'call' && <span className="text-muted">–</span> : durationText(seconds),
  },
];
