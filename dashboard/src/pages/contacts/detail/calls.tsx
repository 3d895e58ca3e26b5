import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquare, PhoneIncoming, PhoneOutgoing } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import type { Call } from '../../../api/types.gen.ts';
import { durationText } from '../../../lib/format.ts';
import { pageQuery } from '../../../lib/search-params.ts';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { Section } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { callLabel, statusLabels } from '../../calls/labels.ts';

const PAGE_SIZE = 20;

export const callsQuery = (contact_id: string, page = 1) =>
  apiQuery('/calls', { query: { contact_id, ...pageQuery(page, PAGE_SIZE) } });

/** The calls and messages of a contact, newest first, with the agent version that each used. */
export const Calls = ({
  id,
  page,
  onPage,
}: {
  readonly id: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}) => {
  const list = useQuery({ ...callsQuery(id, page), placeholderData: keepPreviousData });
  const total = list.data?.pagination.total ?? 0;
  return (
    <Section title="Calls and messages">
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <div className="flex flex-col gap-3" aria-busy>
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-2/3" />
        </div>
      ) : total === 0 ? (
        <p className="text-sm text-muted">
          No calls or messages yet. They appear here once this contact calls or messages on one of your
          channels.
        </p>
      ) : (
        <>
          <ol
            aria-label="Calls and messages"
            className={cx('transition-opacity', list.isPlaceholderData && 'opacity-60')}
          >
            {list.data.data.map((call) => (
              <Entry key={call.id} call={call} />
            ))}
          </ol>
          <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={onPage} />
        </>
      )}
    </Section>
  );
};

const Entry = ({ call }: { readonly call: Call }) => {
  const { label, tone } = statusLabels[call.status];
  const Icon =
    call.type === 'message' ? MessageSquare : call.direction === 'inbound' ? PhoneIncoming : PhoneOutgoing;
  return (
    <li className="relative flex gap-3 pb-4 before:absolute before:top-8 before:bottom-0 before:left-4 before:w-px before:bg-line last:pb-1 last:before:hidden">
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-muted">
        <Icon className="size-4" aria-hidden />
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="font-medium">{callLabel(call)}</span>
          <Badge tone={tone}>{label}</Badge>
          {call.type === 'call' && Boolean(call.seconds) && (
            <span className="figure text-muted">{durationText(call.seconds ?? 0)}</span>
          )}
          <Time at={call.started_at} className="ml-auto text-[0.8125rem] text-muted max-sm:ml-0" />
        </div>
        <p className="text-muted wrap-anywhere">
          <Speaker call={call} />
          {call.channel_name ? ` on ${call.channel_name}` : ' on a deleted channel'}
        </p>
      </div>
    </li>
  );
};

const Speaker = ({
  call: { agent_id, agent_name, agent_deleted, version_label },
}: {
  readonly call: Call;
}) => {
  if (!agent_id) return 'No agent';
  const name = agent_name ?? 'Deleted agent';
  return (
    <>
      {agent_deleted ? (
        `${name} (deleted)`
      ) : (
        <Link to="/agents/$id" params={{ id: agent_id }} className="text-ink underline">
          {name}
        </Link>
      )}
      {version_label && ` ${version_label}`}
    </>
  );
};
