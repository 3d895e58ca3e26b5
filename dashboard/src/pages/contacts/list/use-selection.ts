import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { Contact } from '../../../api/types.gen.ts';
import { useKeptState } from '../../../app/kept-state.ts';
import { toast } from '../../../ui/toast.tsx';
import { filterKey, filterQuery } from './query.ts';
import { limitOf, none, reselect, type Selection } from './selection.ts';
import type { ContactFilters as Filter } from './url-params.ts';

/** Queries the list again, because it may have grown since the page was loaded. */
const allThatMatch = async (filter: Filter): Promise<Selection> => {
  const { data, pagination } = await call('GET', '/contacts', {
    query: { ...filterQuery(filter), sort: '-created_at', limit: 1, count: 'exact' },
  });
  const [first] = data;
  return first
    ? { kind: 'all', filter, total: pagination.total, newest: first.created_at, except: new Set() }
    : none;
};

/** The selection in the list. It belongs to one filter and is empty under another. It is there again after Back. */
export const useSelection = (filter: Filter) => {
  const key = filterKey(filter);
  const [stored, setStored] = useKeptState<{ readonly key: string; readonly chosen: Selection }>(
    'contacts.selection',
    { key, chosen: none },
  );
  const choose = (next: Selection) => setStored({ key, chosen: next });
  const chosen = stored.key === key ? stored.chosen : none;
  return {
    chosen,
    select: (page: readonly Contact[], selectedIds: ReadonlySet<string>) => {
      const next = reselect(page, chosen, selectedIds);
      const problem = limitOf(next);
      if (problem) toast.failed(new ApiError('VALIDATION_ERROR', problem));
      else choose(next);
    },
    selectAll: async () => choose(await allThatMatch(filter)),
    clear: () => choose(none),
  };
};
