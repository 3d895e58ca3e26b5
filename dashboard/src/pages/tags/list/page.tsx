import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Merge, Pencil, SearchX, Tag, Trash2 } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import type { TagCount } from '../../../api/types.gen.ts';
import { ListSearch } from '../../../app/list-search.tsx';
import { ListTable } from '../../../app/list-table.tsx';
import { useListView } from '../../../app/list-view.ts';
import { numberText, plural, t } from '../../../lib/i18n.ts';
import { stringifySearch } from '../../../lib/search-params.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { DeleteTag } from './delete.tsx';
import { MergeTag } from './merge.tsx';
import { RenameTag } from './rename.tsx';
import type { TagsSearch } from './url-params.ts';

const route = getRouteApi('/app/tags');

const columns: readonly Column<TagCount>[] = [
  {
    id: 'tag',
    header: t('Tag'),
    phone: 'title',
    sort: 'name',
    cell: ({ tag }) => (
      <RowLink href={`/contacts${stringifySearch({ tag })}`}>
        <span dir="auto" className="wrap-anywhere">
          {tag}
        </span>
      </RowLink>
    ),
  },
  {
    id: 'count',
    header: t('Contacts'),
    align: 'end',
    sort: 'count',
    sortFirst: 'descending',
    cell: ({ count }) => <span className="figure">{numberText(count)}</span>,
  },
  {
    id: 'actions',
    header: t('Actions'),
    align: 'end',
    phone: 'title',
    cell: ({ tag }) => <Actions tag={tag} />,
  },
];

const Actions = ({ tag }: { readonly tag: string }) => {
  const navigate = route.useNavigate();
  const open = (dialog: Partial<TagsSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...dialog }), resetScroll: false });
  return (
    <span className="relative z-10 flex gap-1 max-sm:-ml-2 sm:justify-end">
      <IconButton
        size="small"
        label={t('Rename {tag}', { tag })}
        icon={<Pencil aria-hidden />}
        onClick={() => open({ rename: tag })}
      />
      <IconButton
        size="small"
        label={t('Merge {tag} with another tag', { tag })}
        icon={<Merge aria-hidden />}
        onClick={() => open({ merge: tag })}
      />
      <IconButton
        size="small"
        label={t('Delete {tag}', { tag })}
        icon={<Trash2 aria-hidden />}
        onClick={() => open({ remove: tag })}
      />
    </span>
  );
};

export const TagsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const view = useListView({
    name: 'tags',
    search,
    columns,
    navigate: (change, { replace }) => void navigate({ search: (now) => ({ ...now, ...change }), replace }),
  });
  const list = useQuery({
    ...apiQuery('/tags', {
      query: {
        ...view.query,
        sort: search.sort,
        search: search.search,
        similar: search.similar && 'true',
      },
    }),
    placeholderData: keepPreviousData,
  });
  const similar = useQuery(apiQuery('/tags', { query: { similar: 'true', limit: 1 } })).data?.pagination
    .total;
  const total = list.data?.pagination.total;
  const isFiltered = Boolean(search.search) || Boolean(search.similar);
  const close = () =>
    void navigate({
      search: (now) => ({ ...now, rename: undefined, merge: undefined, remove: undefined }),
      replace: true,
      ignoreBlocker: true,
      resetScroll: false,
    });
  const showAll = () => view.onFilter({ search: undefined, similar: undefined });
  return (
    <Page
      title={t('Tags')}
      description={
        total === undefined || isFiltered
          ? t('Labels that group your contacts.')
          : plural(total, '# tag', '# tags')
      }
    >
      {search.similar ? (
        <Notice
          action={
            <Button size="small" onClick={showAll}>
              {t('Show all tags')}
            </Button>
          }
        >
          {t('These tags differ only in case or accents. Merge the ones that mean the same.')}
        </Notice>
      ) : (
        Boolean(similar) && (
          <Notice
            tone="warn"
            action={
              <Link to="/tags" search={{ similar: true }} className="shrink-0 rounded font-medium underline">
                {t('Review')}
              </Link>
            }
          >
            {plural(
              similar ?? 0,
              '# tag differs from another only in case or accents.',
              '# tags differ from each other only in case or accents.',
            )}
          </Notice>
        )
      )}
      <search aria-label={t('Tags')} className="my-3 flex flex-wrap gap-2">
        <ListSearch
          label={t('Search tags')}
          placeholder={t('Search tags')}
          value={search.search}
          onChange={(next) => view.onFilter({ search: next })}
        />
      </search>
      <ListTable
        label={t('Tags')}
        view={view}
        list={list}
        icon={<Tag />}
        rowId={({ tag }) => tag}
        sort={search.sort ?? (search.similar ? 'name' : '-count')}
        onEdit={(tag) => void navigate({ search: (now) => ({ ...now, rename: tag }) })}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchX />}
              title={t('No matching tags')}
              action={<Button onClick={showAll}>{t('Show all tags')}</Button>}
            />
          ) : (
            <EmptyState icon={<Tag />} title={t('No tags yet')}>
              {t('Tag contacts in the list or in an import. Tags appear here with the number of contacts.')}
            </EmptyState>
          )
        }
      />
      {search.rename && <RenameTag key={search.rename} tag={search.rename} onClose={close} />}
      {search.merge && <MergeTag key={search.merge} tag={search.merge} onClose={close} />}
      {search.remove && <DeleteTag tag={search.remove} onClose={close} />}
    </Page>
  );
};
