import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { CreatedIntegration, Integration } from '../../../api/types.gen.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { ListPage } from '../../../app/list-page.tsx';
import { Page } from '../../../ui/page.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { IntegrationDetails } from '../detail/dialog.tsx';
import { CreateIntegration, IntegrationCreated } from './create.tsx';
import type { IntegrationsSearch } from './url-params.ts';

const route = getRouteApi('/app/integrations');

const columns: readonly Column<Integration>[] = [
  {
    id: 'name',
    header: 'Name',
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
    header: 'Endpoint',
    phone: 'hidden',
    className: 'font-mono text-[0.8125rem] text-muted',
    cell: ({ id }) => (
      <span dir="auto" className="wrap-anywhere">
        /hooks/contacts/{id}
      </span>
    ),
  },
  {
    id: 'created',
    header: 'Created',
    align: 'end',
    className: 'whitespace-nowrap text-muted',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

const purpose = 'An integration lets a CRM or another tool send contacts to Roster.';

export const IntegrationsPage = () =>
  useCurrentUser().role === 'owner' ? (
    <Integrations />
  ) : (
    <Page title="Integrations">
      <div className="card">
        <EmptyState icon={<Plug />} title="Owner access required">
          {purpose} Ask a workspace owner to create one.
        </EmptyState>
      </div>
    </Page>
  );

const Integrations = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [created, setCreated] = useState<CreatedIntegration>();
  const list = useQuery(apiQuery('/integrations'));
  const show = (next: IntegrationsSearch, replace: boolean) =>
    void navigate({ search: next, replace, ignoreBlocker: replace, resetScroll: false });
  return (
    <ListPage
      title="Integrations"
      noun="integration"
      description="Sync contacts from other tools."
      icon={<Plug />}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
      page={1}
      onPage={() => {}}
      onCreate={() => show({ add: true }, false)}
      empty={
        <>
          {purpose} It has its own endpoint and secret. Requests to it create and update contacts and store
          their CRM IDs.
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
