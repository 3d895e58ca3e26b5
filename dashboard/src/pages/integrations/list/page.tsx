import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plug, Plus } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { CreatedIntegration, Integration } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { countText } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { IntegrationDetails } from '../detail/dialog.tsx';
import { CreateIntegration, SecretOnce } from './create.tsx';
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
  const total = list.data?.data.length;
  const show = (next: IntegrationsSearch, replace: boolean) =>
    void navigate({ search: next, replace, ignoreBlocker: replace, resetScroll: false });
  useCommand('Create integration', () => show({ add: true }, false));
  const createButton = (
    <Button variant="primary" onClick={() => show({ add: true }, false)}>
      <Plus aria-hidden />
      Create integration
    </Button>
  );
  return (
    <Page
      title="Integrations"
      description={total ? countText(total, 'integration') : 'Sync contacts from other tools.'}
      actions={createButton}
    >
      <DataTable
        label="Integrations"
        columns={columns}
        rows={list.data?.data}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={
          <EmptyState icon={<Plug />} title="No integrations yet" action={createButton}>
            {purpose} It has its own endpoint and secret. Requests to it create and update contacts and store
            their CRM IDs.
          </EmptyState>
        }
      />
      {search.add && (
        <CreateIntegration
          onClose={() => show({}, true)}
          onCreated={(result) => {
            setCreated(result);
            show({}, true);
          }}
        />
      )}
      {created && <SecretOnce created={created} onClose={() => setCreated(undefined)} />}
      {search.integration && !created && (
        <IntegrationDetails id={search.integration} onClose={() => show({}, true)} />
      )}
    </Page>
  );
};
