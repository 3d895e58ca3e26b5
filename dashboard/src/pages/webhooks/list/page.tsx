import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { CreatedWebhook } from '../../../api/types.gen.ts';
import { ListPage } from '../../../app/list-page.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { purpose } from '../labels.tsx';
import { OwnerOnly } from '../owner-only.tsx';
import { columns } from './columns.tsx';
import { CreateWebhook, WebhookCreated } from './lazy-dialogs.tsx';

const route = getRouteApi('/app/webhooks');

export const WebhooksPage = () => (
  <OwnerOnly>
    <Webhooks />
  </OwnerOnly>
);

const Webhooks = () => {
  const { add, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [created, setCreated] = useState<CreatedWebhook>();
  const list = useQuery({
    ...apiQuery('/webhooks', { query: pageQuery(page) }),
    placeholderData: keepPreviousData,
  });
  const setOpen = (isOpen: boolean) =>
    void navigate({
      search: (now) => ({ ...now, add: isOpen || undefined }),
      replace: !isOpen,
      ignoreBlocker: !isOpen,
      resetScroll: false,
    });
  const showDetails = ({ id }: CreatedWebhook) => void navigate({ to: '/webhooks/$id', params: { id } });
  return (
    <ListPage
      title={t('Webhooks')}
      create={t('Add endpoint')}
      countText={(total) => plural(total, '# endpoint', '# endpoints')}
      emptyTitle={t('No endpoints yet')}
      description={t('Send events to your systems.')}
      icon={<WebhookIcon />}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
      page={page}
      onPage={(next) => void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) })}
      onCreate={() => setOpen(true)}
      empty={
        <>
          {purpose} {t('Requests are signed, failed ones are retried, and every attempt is listed.')}{' '}
          <a href="/docs#tag/webhooks" className="rounded underline">
            {t('Read the API reference')}
          </a>
        </>
      }
    >
      {add && (
        <CreateWebhook
          onClose={() => setOpen(false)}
          onCreated={(result) => {
            setCreated(result);
            setOpen(false);
          }}
        />
      )}
      {created && <WebhookCreated created={created} onClose={() => showDetails(created)} />}
    </ListPage>
  );
};
