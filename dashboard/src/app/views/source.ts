import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import type { View } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { type RawSearch, stringifySearch } from '../../lib/search-params.ts';

/** What is saved of a list under a name. */
export type SavedView = Pick<View, 'id' | 'name' | 'shared' | 'own' | 'query'>;

type ViewChange = { readonly [Name in 'name' | 'shared' | 'query']?: SavedView[Name] };

/** Where the views of a list are stored, and what they are called. */
export interface ViewSource {
  /** What the list is called in the settings of the browser. */
  readonly list: string;
  /** The parameter of the address that has the id of the open view. */
  readonly param: string;
  /** Undefined while they load. */
  readonly views: readonly SavedView[] | undefined;
  /** The parameters of an address that a view consists of, in a fixed order. */
  readonly queryOf: (search: RawSearch) => string;
  readonly create: (view: Pick<SavedView, 'name' | 'shared' | 'query'>) => Promise<SavedView>;
  readonly update: (id: string, change: ViewChange) => Promise<SavedView>;
  readonly remove: (id: string) => Promise<void>;
  /** Shown after the actions for the open view. */
  readonly actions?: ReactNode;
  /** Says what is about to be saved. */
  readonly describe?: (query: string) => ReactNode;
  readonly texts: Readonly<
    Record<'label' | 'save' | 'saveAs' | 'rename' | 'options' | 'remove' | 'missing' | 'privateLink', string>
  >;
}

export const sortedQuery = (search: RawSearch): string =>
  new URLSearchParams([...new URLSearchParams(stringifySearch(search).slice(1))].sort()).toString();

const queryOf = ({ page: _, view_id: __, view: ___, add: ____, call: _____, ...search }: RawSearch): string =>
  sortedQuery(search);

const texts = {
  label: t('Views'),
  save: t('Save view'),
  saveAs: t('Save as new view'),
  rename: t('Rename view'),
  options: t('View options'),
  remove: t('Delete view'),
  missing: t('This view is private or was deleted.'),
  privateLink: t('Link copied. Only you can open it, because the view is private.'),
};

/** The saved views of calls, campaigns and the audit log. */
export const useViews = (list: View['list']): ViewSource => ({
  list,
  param: 'view_id',
  views: useQuery(apiQuery('/views', { query: { list } })).data?.data,
  queryOf,
  texts,
  create: async (view) => {
    const { data } = await call('POST', '/views', { body: { list, ...view } });
    await invalidate('/views');
    return data;
  },
  update: async (id, body) => {
    const { data } = await call('PATCH', '/views/{id}', { params: { id }, body });
    await invalidate('/views');
    return data;
  },
  remove: async (id) => {
    await call('DELETE', '/views/{id}', { params: { id } });
    void invalidate('/views');
  },
});
