import { Link, type LinkProps } from '@tanstack/react-router';
import {
  FileUp,
  Megaphone,
  MessageSquare,
  Pencil,
  PhoneIncoming,
  PhoneOutgoing,
  Tag,
  UserPlus,
} from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import type { Call, TimelineActor, TimelineEntry } from '../../../api/types.gen.ts';
import { durationText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { CallAgent, CallChannel } from '../../../records/calls/cells.tsx';
import { callLabel, statusLabels } from '../../../records/calls/labels.ts';
import { Outcome } from '../../../records/campaigns/outcome.tsx';
import { ChangedFields } from '../../../records/changes/lazy.tsx';
import { sourceLabels } from '../../../records/contacts/sources.ts';
import { useFieldLabels } from '../../../records/fields/query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { rich } from '../../../ui/rich.tsx';
import { Time } from '../../../ui/time.tsx';
import { actorKindLabels, actorText, changeText, enrollmentText } from './timeline-labels.ts';
import { TimelineResult } from './timeline-result.tsx';

const MAX_CHANGES = 5;

const icons = { edit: Pencil, tag: Tag, import: FileUp, enrollment: Megaphone, message: MessageSquare };

const iconOf = ({ action, kind, call }: TimelineEntry) =>
  action === 'contact.created'
    ? UserPlus
    : kind === 'call'
      ? call?.direction === 'outbound'
        ? PhoneOutgoing
        : PhoneIncoming
      : icons[kind];

/** The pages of actors that members may open. */
const actorPages: Partial<Record<TimelineActor['kind'], (id: string) => LinkProps>> = {
  import: (id) => ({ to: '/import/$id', params: { id } }),
  channel: (channel) => ({ to: '/channels', search: { channel } }),
};

const Actor = ({ actor }: { readonly actor: TimelineActor }) => {
  const kind = actor.deleted ? undefined : actorKindLabels[actor.kind];
  const page = actor.id && !actor.deleted ? actorPages[actor.kind]?.(actor.id) : undefined;
  const name = <bdi className="wrap-anywhere">{actorText(actor)}</bdi>;
  return (
    <>
      {kind && `${kind} `}
      {page ? (
        <Link {...page} className="text-ink underline">
          {name}
        </Link>
      ) : (
        name
      )}
    </>
  );
};

/** A timeline entry: the change and its time, then its author. */
export const TimelineEntryItem = ({
  entry,
  contact,
}: {
  readonly entry: TimelineEntry;
  readonly contact: string;
}) => {
  const Icon = iconOf(entry);
  const labels = useFieldLabels();
  return (
    <li className="relative flex gap-3 pb-4 before:absolute before:top-8 before:bottom-0 before:left-4 before:w-px before:bg-line last:pb-1 last:before:hidden">
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-muted">
        <Icon className="size-4" aria-hidden />
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          {entry.call ? (
            <CallTitle call={entry.call} contact={contact} />
          ) : (
            <Title>{entry.enrollment ? enrollmentText(entry) : changeText(entry, labels)}</Title>
          )}
          <Time at={entry.at} className="ml-auto text-[0.8125rem] text-muted max-sm:ml-0" />
        </div>
        {entry.changes && (
          <Suspense>
            <ChangedFields changes={entry.changes} max={MAX_CHANGES} isTitled />
          </Suspense>
        )}
        <div className="text-muted wrap-anywhere">
          {entry.call ? <Speaker call={entry.call} /> : <Change entry={entry} />}
        </div>
        {entry.call && (
          <Suspense>
            <TimelineResult call={entry.call} />
          </Suspense>
        )}
      </div>
    </li>
  );
};

const Title = ({ children }: { readonly children: ReactNode }) => (
  <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
    {children}
  </span>
);

const CallTitle = ({ call, contact }: { readonly call: Call; readonly contact: string }) => {
  const { label, tone } = statusLabels[call.status];
  return (
    <>
      <Link to="/calls" search={{ contact, call: call.id }} className="font-medium hover:underline">
        {callLabel(call)}
      </Link>
      <Badge tone={tone}>{label}</Badge>
      {call.type === 'call' && Boolean(call.seconds) && (
        <span className="figure text-muted">{durationText(call.seconds ?? 0)}</span>
      )}
    </>
  );
};

const Speaker = ({ call }: { readonly call: Call }) =>
  rich('{agent} on {channel}', {
    agent: <CallAgent call={call} />,
    channel: <CallChannel call={call} />,
  });

/** The campaign of an enrollment, the source of a new contact, and the actor. */
const Change = ({ entry: { actor, enrollment, source } }: { readonly entry: TimelineEntry }) => {
  const parts = [
    enrollment && <Campaign key="campaign" enrollment={enrollment} />,
    enrollment?.outcome && <Outcome key="outcome" outcome={enrollment.outcome} />,
    source && !actor && sourceLabels[source],
    actor && <span key="actor">{rich('by {actor}', { actor: <Actor actor={actor} /> })}</span>,
  ].filter(Boolean);
  return parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]));
};

const Campaign = ({ enrollment }: { readonly enrollment: NonNullable<TimelineEntry['enrollment']> }) =>
  enrollment.campaign_name === null ? (
    t('Deleted campaign')
  ) : (
    <Link
      to="/campaigns/$id"
      params={{ id: enrollment.campaign_id }}
      dir="auto"
      className="text-ink underline"
    >
      {enrollment.campaign_name}
    </Link>
  );
