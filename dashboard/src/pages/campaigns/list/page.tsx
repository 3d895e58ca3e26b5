import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Megaphone, Plus } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { useCommand } from '../../../app/commands.ts';
import { countText } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { columns } from './columns.tsx';
import { CreateCampaign } from './create.tsx';

const route = getRouteApi('/app/campaigns');
const PAGE_SIZE = 50;

export const CampaignsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/campaigns', { query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pagination.total;
  const showPage = (next: number) =>
    void navigate({ search: (now) => ({ ...now, page: next > 1 ? next : undefined }) });
  const showAdd = (add: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, add }), replace: !add, ignoreBlocker: !add });
  useCommand('Create campaign', () => showAdd(true));
  const createButton = (
    <Button variant="primary" onClick={() => showAdd(true)}>
      <Plus aria-hidden />
      Create campaign
    </Button>
  );
  return (
    <Page
      title="Campaigns"
      description={total ? countText(total, 'campaign') : 'Enroll contacts and let an agent talk to them.'}
      actions={createButton}
    >
      <PagedTable
        label="Campaigns"
        columns={columns}
        list={list}
        icon={<Megaphone />}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={showPage}
        rowId={({ id }) => id}
        empty={
          <EmptyState icon={<Megaphone />} title="No campaigns yet" action={createButton}>
            A campaign assigns contacts to an agent and tracks who was reached. Create one, then enroll
            contacts.
          </EmptyState>
        }
      />
      {search.add && <CreateCampaign onClose={() => showAdd(undefined)} />}
    </Page>
  );
};
