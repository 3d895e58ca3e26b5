import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Megaphone } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { ListPage } from '../../../app/list-page.tsx';
import { pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { columns } from './columns.tsx';
import { CreateCampaign } from './create.tsx';

const route = getRouteApi('/app/campaigns');

export const CampaignsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/campaigns', { query: pageQuery(page) }),
    placeholderData: keepPreviousData,
  });
  const showPage = (next: number) =>
    void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) });
  const showAdd = (add: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, add }), replace: !add, ignoreBlocker: !add });
  return (
    <ListPage
      title="Campaigns"
      noun="campaign"
      description="Enroll contacts and let an agent talk to them."
      icon={<Megaphone />}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
      page={page}
      onPage={showPage}
      onCreate={() => showAdd(true)}
      empty={
        <>
          A campaign assigns contacts to an agent and tracks who was reached. Create one, then enroll
          contacts.
        </>
      }
    >
      {search.add && <CreateCampaign onClose={() => showAdd(undefined)} />}
    </ListPage>
  );
};
