import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allRecordsQuery } from '../../api/all-records.ts';
import { call } from '../../api/client.ts';
import { invalidate } from '../../api/query.ts';
import type { Segment } from '../../api/types.gen.ts';
import { type SavedView, sortedQuery, type ViewSource } from '../../app/views/source.ts';
import { t } from '../../lib/i18n.ts';
import { toList } from '../../lib/search-params.ts';
import { FilterSentence } from './filter/lazy.tsx';
import { type FilterTree, parseFilter } from './filter/tree.ts';

/* Segments: filters of contacts under a name, each with the order and the columns of the list. */

/** All segments that the user sees, by name. */
export const segmentsQuery = queryOptions(allRecordsQuery('/segments'));

const everyone: FilterTree = { all: [] };
const isEveryone = (filter: FilterTree): boolean => 'all' in filter && filter.all.length === 0;

/** A filter of the service; undefined if it matches all contacts. */
export const filterOf = ({ filter }: Pick<Segment, 'filter'>): FilterTree | undefined =>
  isEveryone(filter as FilterTree) ? undefined : (filter as FilterTree);

/** A filter as the service stores it. */
export const bodyFilter = (tree: FilterTree | undefined) => (tree ?? everyone) as Segment['filter'];

/** The list shows calls and messages as the last contact. */
const renamed = (sort: string | null | undefined, from: string, to: string) =>
  sort?.replace(from, to) ?? null;

const viewOf = (segment: Segment): SavedView => {
  const { id, name, shared, own, sort, columns } = segment;
  const filter = filterOf(segment);
  const query = sortedQuery({
    filter: filter && JSON.stringify(filter),
    sort: renamed(sort, 'last_activity_at', 'last_contact_at'),
    columns: columns?.join(),
  });
  return { id, name, shared, own, query };
};

const contentOf = (query: string): Pick<Segment, 'filter' | 'sort' | 'columns'> => {
  const search = new URLSearchParams(query);
  const columns = toList(search.get('columns') ?? '');
  return {
    filter: bodyFilter(parseFilter(search.get('filter') ?? '')),
    sort: renamed(search.get('sort'), 'last_contact_at', 'last_activity_at') as Segment['sort'],
    columns: columns.length > 0 ? [...columns] : null,
  };
};

const texts = {
  label: t('Segments'),
  save: t('Save segment'),
  saveAs: t('Save as segment'),
  rename: t('Rename segment'),
  options: t('Segment options'),
  remove: t('Delete segment'),
  missing: t('This segment is private or was deleted.'),
  privateLink: t('Link copied. Only you can open it, because the segment is private.'),
};

export const refreshSegments = () => invalidate('/segments');

/** The segments as views of the contact list. A search is not part of them. */
export const useSegmentViews = (): ViewSource => ({
  list: 'contacts',
  param: 'segment',
  views: useQuery(segmentsQuery).data?.data.map(viewOf),
  queryOf: ({ filter, sort, columns }) => sortedQuery({ filter, sort, columns }),
  texts,
  create: async ({ query, ...named }) => {
    const { data } = await call('POST', '/segments', { body: { ...named, ...contentOf(query) } });
    await refreshSegments();
    return viewOf(data);
  },
  update: async (id, { query, ...named }) => {
    const body = { ...named, ...(query !== undefined && contentOf(query)) };
    const { data } = await call('PATCH', '/segments/{id}', { params: { id }, body });
    await refreshSegments();
    return viewOf(data);
  },
  remove: async (id) => {
    await call('DELETE', '/segments/{id}', { params: { id } });
    void refreshSegments();
  },
  actions: (
    <Link to="/segments" className="shrink-0 rounded px-2 text-[0.8125rem] font-medium underline">
      {t('All segments')}
    </Link>
  ),
  describe: (query) => (
    <p className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
      <FilterSentence tree={filterOf(contentOf(query))} />
    </p>
  ),
});
