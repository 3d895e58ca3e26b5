import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Ellipsis, Pause, Pencil, Play, RotateCcw, Send, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { invalidate } from '../../../api/query.ts';
import type { Webhook } from '../../../api/types.gen.ts';
import { AuditLogLink } from '../../../app/audit-log-link.tsx';
import { useCommand } from '../../../app/commands.ts';
import { t } from '../../../lib/i18n.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { hostText, WebhookStatus } from '../labels.tsx';
import { OwnerOnly } from '../owner-only.tsx';
import { Attempts } from './attempts.tsx';
import { DeleteWebhook } from './delete.tsx';
import { Health, StatusNotice, useStatusChange } from './health.tsx';
import { AttemptDialog, EditWebhook } from './lazy-dialogs.tsx';
import { ReplayDialog, ReplayProgress } from './replay.tsx';
import { type LoadedWebhook, webhookQuery } from './save.ts';
import { Settings } from './settings.tsx';
import { TestResult } from './test-event.tsx';
import type { WebhookSearch } from './url-params.ts';

const Signature = lazy(() => loadChunk(() => import('./signature.tsx')));

const route = getRouteApi('/app/webhooks/$id');
const back = { to: '/webhooks', label: t('Webhooks') };

export const WebhookPage = () => (
  <OwnerOnly>
    <LoadWebhook />
  </OwnerOnly>
);

const LoadWebhook = () => {
  const { id } = route.useParams();
  const webhook = useQuery(webhookQuery(id));
  if (webhook.isError && (!webhook.data || isApiError(webhook.error, 'NOT_FOUND')))
    return (
      <Page title={t('Endpoint')} back={back}>
        <div className="card">
          <ErrorState error={webhook.error} onRetry={() => void webhook.refetch()} />
        </div>
      </Page>
    );
  if (!webhook.data)
    return (
      <Page title={t('Endpoint')} heading={<Skeleton className="h-8 w-72 max-w-full" />} back={back}>
        <Skeleton className="h-96 w-full rounded-xl" />
      </Page>
    );
  return <Loaded key={id} loaded={webhook.data} />;
};

const useTestEvent = (id: string) =>
  useMutation({
    mutationFn: () => call('POST', '/webhooks/{id}/test', { params: { id } }),
    onSettled: () => void invalidate('/webhooks'),
  });

const Loaded = ({ loaded }: { readonly loaded: LoadedWebhook }) => {
  const { data: webhook } = loaded;
  const { id } = webhook;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const test = useTestEvent(id);
  const show = (change: Pick<WebhookSearch, 'open' | 'attempt'>, isOpening: boolean) =>
    void navigate({
      search: (now) => ({ ...now, ...change }),
      replace: !isOpening,
      ignoreBlocker: !isOpening,
      resetScroll: false,
    });
  const [isDeleting, setDeleting] = useState(false);
  const openDialog = (open: WebhookSearch['open']) => show({ open }, true);
  const closeDialog = () => show({ open: undefined }, false);
  useCommand(t('Send test event'), () => test.mutate());
  useCommand(t('Edit endpoint'), () => openDialog('edit'));
  useCommand(t('Replay events'), () => openDialog('replay'));
  return (
    <Page
      title={hostText(webhook)}
      heading={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xl/7">
          <span className="wrap-anywhere">{webhook.url}</span>
          <WebhookStatus webhook={webhook} />
        </span>
      }
      description={webhook.description && <span dir="auto">{webhook.description}</span>}
      back={back}
      actions={
        <>
          <AuditLogLink record={webhook.id} />
          <Button variant="primary" busy={test.isPending} onClick={() => test.mutate()}>
            {!test.isPending && <Send aria-hidden />}
            {t('Send test event')}
          </Button>
          <Button disabled={webhook.status === 'disabled'} onClick={() => openDialog('replay')}>
            <RotateCcw aria-hidden />
            {t('Replay…')}
          </Button>
          <MoreActions
            webhook={webhook}
            onEdit={() => openDialog('edit')}
            onDelete={() => setDeleting(true)}
          />
        </>
      }
    >
      <div className="mb-4 flex flex-col gap-2 empty:hidden">
        <StatusNotice webhook={webhook} />
        <ReplayProgress webhook={webhook} />
        {(test.data || test.isError) && (
          <TestResult attempt={test.data?.data} error={test.error} onDismiss={() => test.reset()} />
        )}
      </div>
      <Health webhook={webhook} />
      <Tabs
        label={t('Endpoint')}
        value={search.tab ?? 'attempts'}
        onChange={(tab) => void navigate({ search: { tab }, replace: true, resetScroll: false })}
        tabs={[
          { value: 'attempts', label: t('Attempts'), content: <Attempts id={id} /> },
          { value: 'settings', label: t('Settings'), content: <Settings webhook={webhook} /> },
          {
            value: 'signature',
            label: t('Signature'),
            content: (
              <Suspense fallback={<Skeleton className="h-64 w-full rounded-xl" />}>
                <Signature webhook={webhook} />
              </Suspense>
            ),
          },
        ]}
      />
      {search.open === 'edit' && <EditWebhook loaded={loaded} onClose={closeDialog} />}
      {search.open === 'replay' && webhook.status !== 'disabled' && (
        <ReplayDialog webhook={webhook} onClose={closeDialog} />
      )}
      <DeleteWebhook webhook={webhook} open={isDeleting} onOpenChange={setDeleting} />
      {search.attempt && (
        <AttemptDialog
          id={id}
          number={search.attempt}
          canReplay={webhook.status !== 'disabled'}
          onClose={() => show({ attempt: undefined }, false)}
        />
      )}
    </Page>
  );
};

const MoreActions = ({
  webhook: { id, status },
  onEdit,
  onDelete,
}: {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) => {
  const change = useStatusChange(id);
  return (
    <>
      <Button onClick={onEdit}>
        <Pencil aria-hidden />
        {t('Edit')}
      </Button>
      <Menu
        trigger={<IconButton label={t('More')} icon={<Ellipsis aria-hidden />} />}
        items={[
          status === 'active'
            ? { label: t('Pause'), icon: <Pause aria-hidden />, onSelect: () => change.mutate('paused') }
            : {
                label: status === 'paused' ? t('Resume') : t('Enable endpoint'),
                icon: <Play aria-hidden />,
                onSelect: () => change.mutate('active'),
              },
          null,
          {
            label: t('Delete'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: onDelete,
          },
        ]}
      />
    </>
  );
};
