import type { UseQueryResult } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PenLine } from 'lucide-react';
import { useState } from 'react';
import type { Call, CallInstructions } from '../../../api/types.gen.ts';
import { NamedValue } from '../../../app/named-value.tsx';
import { Neighbors, useNeighbors } from '../../../app/neighbors.tsx';
import type { OpenList } from '../../../app/open-lists.ts';
import { RecordDialog } from '../../../app/record-dialog.tsx';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { durationText, exactTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { CallAgent, CallChannel, CallContact, Status } from '../../../records/calls/cells.tsx';
import { callLabel, contactLabel } from '../../../records/calls/labels.ts';
import { Transcript } from '../../../records/calls/transcript.tsx';
import { ChannelType } from '../../../records/channels/labels.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../../../ui/confirm.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Phone } from '../../../ui/phone.tsx';
import type { Loaded } from './open-call.ts';
import { Remarks } from './remarks.tsx';
import { CallData, CallTexts, ResultFields } from './result.tsx';

const route = getRouteApi('/app/calls');

/** The details of a call in a dialog. */
const CallDetails = ({
  id,
  query,
  list,
  onOpen,
  onClose,
}: {
  readonly id: string;
  readonly query: UseQueryResult<Loaded>;
  readonly list: OpenList;
  /** Shows another call of the list. */
  readonly onOpen: (call: string, page: number) => void;
  readonly onClose: () => void;
}) => {
  const navigate = route.useNavigate();
  const [isDirty, setDirty] = useState(false);
  /** What waits for the question whether to discard changes. */
  const [waiting, setWaiting] = useState<{ readonly run: () => void }>();
  const ask = (run: () => void) => (isDirty ? setWaiting({ run }) : run());
  const neighbors = useNeighbors(id, list, (call, page) => ask(() => onOpen(call, page)));
  const call = query.data?.data;
  const showAll = (contact: string) => ask(() => void navigate({ search: { contact } }));
  const improve = (agent: string) =>
    void navigate({ to: '/agents/$id', params: { id: agent }, search: { call: id } });
  return (
    <RecordDialog
      query={query}
      onClose={() => ask(onClose)}
      // Escape is for the field that is edited.
      preventDismiss={isDirty}
      width="large"
      title={
        call ? t('{call} with {contact}', { call: callLabel(call), contact: contactLabel(call) }) : t('Call')
      }
      description={call && exactTime(call.started_at)}
      actions={
        <>
          {neighbors && <Neighbors neighbors={neighbors} isOfDialog />}
          {call?.contact_id && (
            <Button onClick={() => showAll(call.contact_id as string)}>
              {t('All calls with this contact')}
            </Button>
          )}
          {call?.agent_id && call.version_label && !call.agent_deleted && (
            <Button onClick={() => improve(call.agent_id as string)}>
              <PenLine aria-hidden />
              {t('Improve this version')}
            </Button>
          )}
        </>
      }
    >
      {({ data }) => (
        <div className="grid gap-x-8 md:grid-cols-[minmax(0,1fr)_19rem]">
          <div className="min-w-0">
            <CallTexts call={data} />
            {data.type === 'call' && <Transcript call={data.id} />}
          </div>
          <div className="min-w-0">
            <Remarks key={data.id} call={data} onDirty={setDirty} />
            <CallFields call={data} />
          </div>
          <div className="min-w-0 md:col-span-2">
            <CallData data={data.data} />
            {data.instructions && (
              <Instructions version={data.version_label} instructions={data.instructions} />
            )}
          </div>
          <UnsavedGuard when={isDirty} />
          <DiscardDialog
            open={waiting !== undefined}
            onOpenChange={(open) => !open && setWaiting(undefined)}
            onConfirm={() => {
              setDirty(false);
              waiting?.run();
            }}
          />
        </div>
      )}
    </RecordDialog>
  );
};

const Copied = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <span className="-my-1.5 flex items-center gap-1">
    <code className="min-w-0 font-mono text-[0.8125rem] break-all">{text}</code>
    <CopyButton text={text} label={label} size="small" />
  </span>
);

const none = <span className="text-muted">–</span>;

/** The text that the agent spoke from. None is stored for a hash of another text, or once the text has expired. */
const Instructions = ({
  version,
  instructions: { text, sha256 },
}: {
  readonly version: string | null;
  readonly instructions: CallInstructions;
}) => (
  <section aria-label={t('Instructions used')} className="space-y-2 border-t border-line py-3 text-sm">
    <h3 className="flex items-center gap-2 text-muted">
      {t('Instructions used')}
      {version && <Badge>{version}</Badge>}
    </h3>
    {text === null ? (
      <p className="text-muted">{t('No text with this hash is stored for the contact.')}</p>
    ) : (
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        aria-label={t('Text of the instructions')}
        dir="auto"
        className="max-h-60 overflow-y-auto rounded-lg border border-line px-3.5 py-3 leading-relaxed wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </section>
    )}
    <dl>
      <NamedValue name="SHA-256">
        <Copied text={sha256} label={t('Copy SHA-256')} />
      </NamedValue>
    </dl>
  </section>
);

const CallFields = ({ call }: { readonly call: Call }) => (
  <dl className="divide-y divide-line text-sm [&_a]:underline">
    <NamedValue name={t('Contact')}>
      <CallContact call={call} />
      {call.contact_id === null && call.number !== null && (
        <span className="text-muted"> {t('(not in contacts)')}</span>
      )}
    </NamedValue>
    <NamedValue name={t('Phone number')}>
      {call.number ? (
        <span className="-my-1.5 flex items-center gap-1">
          <Phone number={call.number} />
          <CopyButton text={call.number} label={t('Copy number')} size="small" />
        </span>
      ) : (
        none
      )}
    </NamedValue>
    <NamedValue name={t('Agent')}>
      <CallAgent call={call} />
      {call.agent_id === null && (
        <p className="text-[0.8125rem] text-muted">
          {t('No agent with a deployed version was connected to the channel when the call started.')}
        </p>
      )}
    </NamedValue>
    <NamedValue name={t('Channel')}>
      <span className="inline-flex flex-wrap items-center gap-x-3">
        <CallChannel call={call} />
        {call.channel_kind && <ChannelType kind={call.channel_kind} />}
      </span>
    </NamedValue>
    <NamedValue name={t('Status')}>
      <Status status={call.status} />
    </NamedValue>
    <ResultFields call={call} />
    <NamedValue name={t('Started')}>{exactTime(call.started_at)}</NamedValue>
    <NamedValue name={t('Ended')}>{call.ended_at ? exactTime(call.ended_at) : none}</NamedValue>
    <NamedValue name={t('Duration')}>{call.seconds === null ? none : durationText(call.seconds)}</NamedValue>
    {call.session_id !== null && (
      <NamedValue name={t('Session ID')}>
        <Copied text={call.session_id} label={t('Copy session ID')} />
      </NamedValue>
    )}
    <NamedValue name={t('Provider ID')}>
      <Copied text={call.provider_id} label={t('Copy provider ID')} />
    </NamedValue>
    <NamedValue name={t('Call ID')}>
      <Copied text={call.id} label={t('Copy call ID')} />
    </NamedValue>
  </dl>
);

export default CallDetails;
