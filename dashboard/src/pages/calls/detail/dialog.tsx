import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Call } from '../../../api/types.gen.ts';
import { durationText, exactTime } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { ChannelType } from '../../channels/labels.tsx';
import { callLabel, contactLabel } from '../labels.ts';
import { CallAgent, CallChannel, CallContact, Status } from '../list/columns.tsx';

const route = getRouteApi('/app/calls');

/** The details of a call in a dialog. */
export const CallDetails = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const navigate = route.useNavigate();
  const query = useQuery(apiQuery('/calls/{id}', { params: { id } }));
  const call = query.data?.data;
  const showAll = (contact: string) => void navigate({ search: { contact } });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={call ? `${callLabel(call)} with ${contactLabel(call)}` : 'Call'}
      description={call && exactTime(call.started_at)}
      footer={
        <>
          {call?.contact_id && (
            <Button onClick={() => showAll(call.contact_id as string)}>All calls with this contact</Button>
          )}
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : call ? (
        <CallFields call={call} />
      ) : (
        <Skeleton className="h-72 w-full" />
      )}
    </Dialog>
  );
};

const Field = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex gap-4 py-2">
    <dt className="w-28 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
  </div>
);

const Copied = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <span className="-my-1.5 flex items-center gap-1">
    <code className="min-w-0 font-mono text-[0.8125rem] break-all">{text}</code>
    <CopyButton text={text} label={label} size="small" />
  </span>
);

const none = <span className="text-muted">–</span>;

const CallFields = ({ call }: { readonly call: Call }) => (
  <dl className="divide-y divide-line text-sm [&_a]:underline">
    <Field name="Contact">
      <CallContact call={call} />
      {call.contact_id === null && call.number !== null && (
        <span className="text-muted"> (not in contacts)</span>
      )}
    </Field>
    <Field name="Number">{call.number ? <Copied text={call.number} label="Copy number" /> : none}</Field>
    <Field name="Agent">
      <CallAgent call={call} />
      {call.agent_id === null && (
        <p className="text-[0.8125rem] text-muted">
          No agent with a deployed version was connected to the channel when the call started.
        </p>
      )}
    </Field>
    <Field name="Channel">
      <span className="inline-flex flex-wrap items-center gap-x-3">
        <CallChannel call={call} />
        {call.channel_kind && <ChannelType kind={call.channel_kind} />}
      </span>
    </Field>
    <Field name="Status">
      <Status status={call.status} />
    </Field>
    <Field name="Started">{exactTime(call.started_at)}</Field>
    <Field name="Ended">{call.ended_at ? exactTime(call.ended_at) : none}</Field>
    <Field name="Duration">{call.seconds === null ? none : durationText(call.seconds)}</Field>
    <Field name="Provider ID">
      <Copied text={call.provider_id} label="Copy provider ID" />
    </Field>
    <Field name="Call ID">
      <Copied text={call.id} label="Copy call ID" />
    </Field>
  </dl>
);
