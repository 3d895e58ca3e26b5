import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Filter } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { LazyDialog } from '../../../app/lazy-dialog.tsx';
import { ListPage } from '../../../app/list-page.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { columns } from './columns.tsx';
import { DeleteSegment } from './delete.tsx';

const route = getRouteApi('/app/segments');
const loadEditor = () => import('../../../records/contacts/segment-editor.tsx');

export const SegmentsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/segments', { query: pageQuery(page) }),
    placeholderData: keepPreviousData,
  });
  const find = (id: string | undefined) => list.data?.data.find((segment) => segment.id === id);
  const close = () => void navigate({ search: { page: search.page }, replace: true, ignoreBlocker: true });
  const edited = find(search.edit);
  const copied = find(search.copy);
  const removed = find(search.remove);
  return (
    <ListPage
      title={t('Segments')}
      create={t('Create segment')}
      countText={(total) => plural(total, '# segment', '# segments')}
      description={t('Groups of contacts that a filter describes.')}
      emptyTitle={t('No segments yet')}
      empty={t(
        'A segment is a filter with a name, such as “Plan is gold and not called in the last 7 days”. Open it in the contact list, or let a campaign call everyone in it.',
      )}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
      icon={<Filter />}
      page={page}
      onPage={(next) => void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) })}
      onCreate={() => void navigate({ search: (now) => ({ ...now, add: true }) })}
    >
      {(search.add || edited || copied) && (
        <LazyDialog
          key={search.edit ?? search.copy}
          title={t('Segments')}
          load={loadEditor}
          props={{ segment: edited ?? copied, isCopy: copied !== undefined, onClose: close }}
        />
      )}
      {removed && <DeleteSegment segment={removed} onClose={close} />}
    </ListPage>
  );
};
