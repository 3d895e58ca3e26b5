import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Call } from '../../../api/types.gen.ts';
import { durationText, exactTime } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Kind } from '../../channels/labels.tsx';
import { callText, partyOf } from '../labels.ts';
import { Over, Party, Speaker, Status } from '../list/columns.tsx';

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
      title={call ? `${callText(call)} with ${partyOf(call)}` : 'Call'}
      description={call && exactTime(call.started_at)}
      footer={
        <>
          {call?.contact_id && (
            <Button onClick={() => showAll(call.contact_id as string)}>All calls with this contact</Button>
          )}
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : call ? (
        <Facts call={call} />
      ) : (
        <Skeleton className="h-72 w-full" />
      )}
    </Dialog>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
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

const Facts = ({ call }: { readonly call: Call }) => (
  <dl className="divide-y divide-line text-sm [&_a]:underline">
    <Fact name="Contact">
      <Party call={call} />
      {call.contact_id === null && call.number !== null && (
        <span className="text-muted"> (not in contacts)</span>
      )}
    </Fact>
    <Fact name="Number">{call.number ? <Copied text={call.number} label="Copy number" /> : none}</Fact>
    <Fact name="Agent">
      <Speaker call={call} />
      {call.agent_id === null && (
        <p className="text-[0.8125rem] text-muted">
          No agent with a deployed version was connected to the channel when the call started.
        </p>
      )}
    </Fact>
    <Fact name="Channel">
      <span className="inline-flex flex-wrap items-center gap-x-3">
        <Over call={call} />
        {call.channel_kind && <Kind kind={call.channel_kind} />}
      </span>
    </Fact>
    <Fact name="Status">
      <Status status={call.status} />
    </Fact>
    <Fact name="Started">{exactTime(call.started_at)}</Fact>
    <Fact name="Ended">{call.ended_at ? exactTime(call.ended_at) : none}</Fact>
    <Fact name="Duration">{call.seconds === null ? none : durationText(call.seconds)}</Fact>
    <Fact name="Provider ID">
      <Copied text={call.provider_id} label="Copy provider ID" />
    </Fact>
    <Fact name="Call ID">
      <Copied text={call.id} label="Copy call ID" />
    </Fact>
  </dl>
);
