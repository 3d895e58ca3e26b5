import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { CreatedIntegration, Integration, IntegrationHealth } from '../../../api/types.gen.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { ListPage } from '../../../app/list-page.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Page } from '../../../ui/page.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { IntegrationDetails } from '../detail/dialog.tsx';
import { errorTitle } from '../health.tsx';
import { CreateIntegration, IntegrationCreated } from './create.tsx';
import type { IntegrationsSearch } from './url-params.ts';

/** The service records deliveries every 5 seconds. */
const HEALTH_MS = 15_000;

const route = getRouteApi('/app/integrations');

type Row = Integration & { readonly health: IntegrationHealth | undefined };

const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: t('Name'),
    phone: 'title',
    cell: ({ id, name }) => (
      <RowLink to="/integrations" search={{ integration: id }} resetScroll={false}>
        <span dir="auto" className="wrap-anywhere">
          {name}
        </span>
      </RowLink>
    ),
  },
  {
    id: 'address',
    header: t('Endpoint'),
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'font-mono text-[0.8125rem] text-muted',
    cell: ({ id }) => (
      <code dir="auto" className="wrap-anywhere">
        /hooks/contacts/{id}
      </code>
    ),
  },
  {
    id: 'delivery',
    header: t('Last delivery'),
    className: 'whitespace-nowrap text-muted',
    cell: ({ health }) => (health?.last_delivery_at ? <Time at={health.last_delivery_at} /> : t('Never')),
  },
  {
    id: 'error',
    header: t('Last error'),
    className: 'text-muted',
    cell: ({ health }) => {
      const [last] = health?.errors ?? [];
      if (!last) return t('No error');
      const isCurrent = !health?.last_delivery_at || health.last_delivery_at < last.at;
      return isCurrent ? <Badge tone="danger">{errorTitle(last)}</Badge> : <Time at={last.at} />;
    },
  },
  {
    id: 'created',
    header: t('Created'),
    align: 'end',
    className: 'whitespace-nowrap text-muted',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

const purpose = t('An integration lets a CRM or another tool send contacts to Roster.');

export const IntegrationsPage = () =>
  useCurrentUser().role === 'owner' ? (
    <Integrations />
  ) : (
    <Page title={t('Integrations')}>
      <div className="card">
        <EmptyState icon={<Plug />} title={t('Owner access required')}>
          {purpose} {t('Ask a workspace owner to create one.')}
        </EmptyState>
      </div>
    </Page>
  );

const Integrations = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [created, setCreated] = useState<CreatedIntegration>();
  const query = useQuery(apiQuery('/integrations'));
  // It changes with the time, without events.
  const health = useQuery({ ...apiQuery('/integrations/health'), refetchInterval: HEALTH_MS });
  const healthOf = new Map((health.data?.data ?? []).map((each) => [each.id, each]));
  const rows = query.data?.data.map((each) => ({ ...each, health: healthOf.get(each.id) }));
  const list = { ...query, data: query.data && { ...query.data, data: rows ?? [] } };
  const show = (next: IntegrationsSearch, replace: boolean) =>
    void navigate({ search: next, replace, ignoreBlocker: replace, resetScroll: false });
  return (
    <ListPage
      title={t('Integrations')}
      create={t('Create integration')}
      countText={(total) => plural(total, '# integration', '# integrations')}
      emptyTitle={t('No integrations yet')}
      description={t('Sync contacts from other tools.')}
      icon={<Plug />}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
      page={1}
      onPage={() => {}}
      onCreate={() => show({ add: true }, false)}
      empty={
        <>
          {purpose}{' '}
          {t(
            'It has its own endpoint and secret. Requests to it create and update contacts and store their CRM IDs.',
          )}
        </>
      }
    >
      {search.add && (
        <CreateIntegration
          onClose={() => show({}, true)}
          onCreated={(result) => {
            setCreated(result);
            show({}, true);
          }}
        />
      )}
      {created && <IntegrationCreated created={created} onClose={() => setCreated(undefined)} />}
      {search.integration && !created && (
        <IntegrationDetails id={search.integration} onClose={() => show({}, true)} />
      )}
    </ListPage>
  );
};
