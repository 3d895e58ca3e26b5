import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import { apiQuery, queryClient } from '../../../api/query.ts';
import { ListPage } from '../../../app/list-page.tsx';
import { useOpenList } from '../../../app/open-lists.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { PAGE_SIZE, pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { columns } from './columns.tsx';
import { CreateAgent } from './create.tsx';

const route = getRouteApi('/app/agents');

export const AgentsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const pageOf = (at: number) => apiQuery('/agents', { query: pageQuery(at) });
  const list = useQuery({ ...pageOf(page), placeholderData: keepPreviousData });
  useOpenList('/agents', {
    shown: list.isPlaceholderData ? undefined : list.data,
    page,
    size: PAGE_SIZE,
    load: (at) => queryClient.fetchQuery(pageOf(at)),
  });
  const showPage = (next: number) =>
    void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) });
  const showAdd = (add: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, add }), replace: !add, ignoreBlocker: !add });
  return (
    <ListPage
      title={t('Agents')}
      create={t('Create agent')}
      countText={(total) => plural(total, '# agent', '# agents')}
      emptyTitle={t('No agents yet')}
      description={t('The AI agents that answer on your channels.')}
      icon={<Bot />}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
      page={page}
      onPage={showPage}
      onCreate={() => showAdd(true)}
      empty={t(
        'An agent answers calls and messages on your channels. Create one, write its instructions, then deploy it and connect a channel.',
      )}
    >
      {search.add && <CreateAgent onClose={() => showAdd(undefined)} />}
    </ListPage>
  );
};
