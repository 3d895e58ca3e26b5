import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Call, CallInstructions, CallWithInstructions } from '../../../api/types.gen.ts';
import { RecordDialog } from '../../../app/record-dialog.tsx';
import { durationText, exactTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { CallAgent, CallChannel, CallContact, Status } from '../../../records/calls/cells.tsx';
import { callLabel, contactLabel } from '../../../records/calls/labels.ts';
import { ChannelType } from '../../../records/channels/labels.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Phone } from '../../../ui/phone.tsx';
import { Field } from './field.tsx';
import { CallData, CallTexts, ResultFields } from './result.tsx';
import { Transcript } from './transcript.tsx';

const route = getRouteApi('/app/calls');

interface Loaded {
  readonly data: CallWithInstructions;
}

/** The open call and the rows of the list, so that both show the same state of it: that of the last response. */
export const useOpenCall = (
  id: string | undefined,
  list: { readonly rows: readonly Call[] | undefined; readonly updatedAt: number },
): { readonly query: UseQueryResult<Loaded>; readonly rows: readonly Call[] | undefined } => {
  const query = useQuery({
    ...apiQuery('/calls/{id}', { params: { id: id ?? '' }, query: { include: 'instructions' } }),
    enabled: id !== undefined,
  });
  const row = list.rows?.find((each) => each.id === id);
  const isRowNewer = row !== undefined && list.updatedAt > query.dataUpdatedAt;
  const data = isRowNewer ? { data: { ...query.data?.data, ...row } } : query.data;
  const shown = row && data?.data;
  const rows = useMemo(
    () => (shown ? list.rows?.map((each) => (each.id === shown.id ? shown : each)) : list.rows),
    [list.rows, shown],
  );
  return { query: { ...query, data } as UseQueryResult<Loaded>, rows };
};

/** The details of a call in a dialog. */
export const CallDetails = ({
  query,
  onClose,
}: {
  readonly query: UseQueryResult<Loaded>;
  readonly onClose: () => void;
}) => {
  const navigate = route.useNavigate();
  const call = query.data?.data;
  const showAll = (contact: string) => void navigate({ search: { contact } });
  return (
    <RecordDialog
      query={query}
      onClose={onClose}
      title={
        call ? t('{call} with {contact}', { call: callLabel(call), contact: contactLabel(call) }) : t('Call')
      }
      description={call && exactTime(call.started_at)}
      actions={
        call?.contact_id && (
          <Button onClick={() => showAll(call.contact_id as string)}>
            {t('All calls with this contact')}
          </Button>
        )
      }
    >
      {({ data }) => (
        <>
          <CallTexts call={data} />
          <CallFields call={data} />
          <CallData data={data.data} />
          {data.type === 'call' && <Transcript call={data.id} />}
          {data.instructions && (
            <Instructions version={data.version_label} instructions={data.instructions} />
          )}
        </>
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
      <Field name="SHA-256">
        <Copied text={sha256} label={t('Copy SHA-256')} />
      </Field>
    </dl>
  </section>
);

const CallFields = ({ call }: { readonly call: Call }) => (
  <dl className="divide-y divide-line text-sm [&_a]:underline">
    <Field name={t('Contact')}>
      <CallContact call={call} />
      {call.contact_id === null && call.number !== null && (
        <span className="text-muted"> {t('(not in contacts)')}</span>
      )}
    </Field>
    <Field name={t('Phone number')}>
      {call.number ? (
        <span className="-my-1.5 flex items-center gap-1">
          <Phone number={call.number} />
          <CopyButton text={call.number} label={t('Copy number')} size="small" />
        </span>
      ) : (
        none
      )}
    </Field>
    <Field name={t('Agent')}>
      <CallAgent call={call} />
      {call.agent_id === null && (
        <p className="text-[0.8125rem] text-muted">
          {t('No agent with a deployed version was connected to the channel when the call started.')}
        </p>
      )}
    </Field>
    <Field name={t('Channel')}>
      <span className="inline-flex flex-wrap items-center gap-x-3">
        <CallChannel call={call} />
        {call.channel_kind && <ChannelType kind={call.channel_kind} />}
      </span>
    </Field>
    <Field name={t('Status')}>
      <Status status={call.status} />
    </Field>
    <ResultFields call={call} />
    <Field name={t('Started')}>{exactTime(call.started_at)}</Field>
    <Field name={t('Ended')}>{call.ended_at ? exactTime(call.ended_at) : none}</Field>
    <Field name={t('Duration')}>{call.seconds === null ? none : durationText(call.seconds)}</Field>
    {call.session_id !== null && (
      <Field name={t('Session ID')}>
        <Copied text={call.session_id} label={t('Copy session ID')} />
      </Field>
    )}
    <Field name={t('Provider ID')}>
      <Copied text={call.provider_id} label={t('Copy provider ID')} />
    </Field>
    <Field name={t('Call ID')}>
      <Copied text={call.id} label={t('Copy call ID')} />
    </Field>
  </dl>
);
