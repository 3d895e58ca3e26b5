import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { WebhookAttemptDetails } from '../../../api/types.gen.ts';
import { CodeBlock } from '../../../app/code-block.tsx';
import { RecordDialog } from '../../../app/record-dialog.tsx';
import { exactTime, numberText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AttemptResult, millisecondsText } from '../labels.tsx';

/** JSON is indented; any other text is shown as it is. */
const readable = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** The request and the response of an attempt, in a dialog. */
const AttemptDialog = ({
  id,
  number,
  canReplay,
  onClose,
}: {
  readonly id: string;
  readonly number: number;
  readonly canReplay: boolean;
  readonly onClose: () => void;
}) => {
  const query = useQuery(
    apiQuery('/webhooks/{id}/attempts/{attempt}', { params: { id, attempt: String(number) } }),
  );
  const attempt = query.data?.data;
  const replay = useMutation({
    mutationFn: (event_id: string) =>
      call('POST', '/webhooks/{id}/replay', { params: { id }, body: { event_id } }),
    onSuccess: () => {
      toast.good(t('The event is sent again.'));
      void invalidate('/webhooks');
      onClose();
    },
    onError: (error) => toast.failed(error),
  });
  return (
    <RecordDialog
      query={query}
      onClose={onClose}
      width="large"
      title={attempt?.event_type ?? t('Attempt')}
      description={attempt && exactTime(attempt.at)}
      actions={
        attempt &&
        attempt.event_type !== 'webhook.test' &&
        canReplay && (
          <Button busy={replay.isPending} onClick={() => replay.mutate(attempt.event_id)}>
            {!replay.isPending && <RotateCcw aria-hidden />}
            {t('Replay event')}
          </Button>
        )
      }
    >
      {({ data }) => <AttemptParts attempt={data} />}
    </RecordDialog>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[0.8125rem] text-muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
);

const AttemptParts = ({ attempt }: { readonly attempt: WebhookAttemptDetails }) => {
  const { request, response } = attempt;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="flex flex-col gap-5 text-sm">
      {attempt.error && <Notice tone="warn">{attempt.error}</Notice>}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        <Fact name={t('Result')}>
          <AttemptResult result={attempt.result} />
        </Fact>
        <Fact name={t('Status code')}>{attempt.status ?? t('No response')}</Fact>
        <Fact name={t('Attempt')}>{numberText(attempt.attempt)}</Fact>
        <Fact name={t('Duration')}>{millisecondsText(attempt.duration_ms)}</Fact>
        <div className="col-span-full min-w-0">
          <dt className="text-[0.8125rem] text-muted">{t('Event ID')}</dt>
          <dd className="flex items-center gap-1">
            <code className="min-w-0 font-mono text-[0.8125rem] break-all">{attempt.event_id}</code>
            <CopyButton text={attempt.event_id} label={t('Copy event ID')} size="small" />
          </dd>
        </div>
      </dl>
      <section aria-labelledby="attempt-request" className="flex flex-col gap-3">
        <h3 id="attempt-request" className="font-semibold">
          {t('Request')}
        </h3>
        <CodeBlock label={t('Headers')} text={headers.join('\n')} />
        {request.body === null ? (
          <p className="text-muted">{t('The event has expired, so its content is no longer stored.')}</p>
        ) : (
          <CodeBlock label={t('Body')} text={readable(request.body)} />
        )}
      </section>
      <section aria-labelledby="attempt-response" className="flex flex-col gap-3">
        <h3 id="attempt-response" className="font-semibold">
          {t('Response')}
        </h3>
        {response === null ? (
          <p className="text-muted">{t('The receiver sent no response.')}</p>
        ) : response.body === '' ? (
          <p className="text-muted">
            {t('Status {status} without a body.', { status: String(response.status) })}
          </p>
        ) : (
          <CodeBlock
            label={t('Response body')}
            hint={t('Status {status}. At most 1 KB is stored.', { status: String(response.status) })}
            text={readable(response.body)}
          />
        )}
      </section>
    </div>
  );
};

export default AttemptDialog;
