import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { useCommand } from '../../../app/commands.ts';
import { countText } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { columns } from './columns.tsx';
import { CreateAgent } from './create.tsx';

const route = getRouteApi('/app/agents');
const PAGE_SIZE = 50;

export const AgentsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/agents', { query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pagination.total;
  const showPage = (next: number) =>
    void navigate({ search: (now) => ({ ...now, page: next > 1 ? next : undefined }) });
  const showAdd = (add: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, add }), replace: !add, ignoreBlocker: !add });
  useCommand('Create agent', () => showAdd(true));
  const createButton = (
    <Button variant="primary" onClick={() => showAdd(true)}>
      <Plus aria-hidden />
      Create agent
    </Button>
  );
  return (
    <Page
      title="Agents"
      description={total ? countText(total, 'agent') : 'The AI agents that answer on your channels.'}
      actions={createButton}
    >
      <PagedTable
        label="Agents"
        columns={columns}
        list={list}
        icon={<Bot />}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={showPage}
        rowId={({ id }) => id}
        empty={
          <EmptyState icon={<Bot />} title="No agents yet" action={createButton}>
            An agent answers calls and messages on your channels. Create one, write its instructions, then
            deploy it and connect a channel.
          </EmptyState>
        }
      />
      {search.add && <CreateAgent onClose={() => showAdd(undefined)} />}
    </Page>
  );
};
