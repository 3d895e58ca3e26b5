import { useState } from 'react';
import { call } from '../../../api/client.ts';
import type { Contact } from '../../../api/types.gen.ts';
import type { ContactsSearch } from './url-params.ts';

export type Filter = Pick<ContactsSearch, 'search' | 'tag' | 'company'>;

/** Contacts that were selected individually or by page. */
export interface Picked {
  readonly kind: 'picked';
  readonly ids: ReadonlySet<string>;
}

/** All contacts that match a filter, except the deselected ones. Contacts created after `newest` are not part of
 *  the selection. */
export interface AllThatMatch {
  readonly kind: 'all';
  readonly filter: Filter;
  readonly total: number;
  readonly newest: string;
  readonly except: ReadonlySet<string>;
}

export type Selection = Picked | AllThatMatch;

export const countOf = (chosen: Selection): number =>
  chosen.kind === 'all' ? chosen.total - chosen.except.size : chosen.ids.size;

/** The selected ids among the contacts of a page. */
export const selectedOn = (page: readonly Contact[], chosen: Selection): ReadonlySet<string> =>
  chosen.kind === 'picked'
    ? chosen.ids
    : new Set(
        page
          .filter(({ id, created_at }) => created_at <= chosen.newest && !chosen.except.has(id))
          .map(({ id }) => id),
      );

/** The selection after the checkboxes of a page changed. */
const reselect = (
  page: readonly Contact[],
  chosen: Selection,
  selectedIds: ReadonlySet<string>,
): Selection => {
  if (chosen.kind === 'picked') return { kind: 'picked', ids: selectedIds };
  const except = new Set(chosen.except);
  for (const { id, created_at } of page) {
    if (selectedIds.has(id)) except.delete(id);
    else if (created_at <= chosen.newest) except.add(id);
  }
  return except.size < chosen.total ? { ...chosen, except } : none;
};

const noIds: ReadonlySet<string> = new Set();
const none: Picked = { kind: 'picked', ids: noIds };

/** Queries the list again, because it may have grown since the page was loaded. */
const allThatMatch = async (filter: Filter): Promise<Selection> => {
  const { data, pagination } = await call('GET', '/contacts', { query: { ...filter, limit: 1 } });
  const [first] = data;
  return first
    ? { kind: 'all', filter, total: pagination.total, newest: first.created_at, except: new Set() }
    : none;
};

/** The selection in the list. It belongs to one filter and is empty under another. */
export const useSelection = ({ search, tag, company }: Filter) => {
  const key = JSON.stringify([search, tag, company]);
  const [stored, setStored] = useState<{ key: string; chosen: Selection }>({ key, chosen: none });
  const choose = (next: Selection) => setStored({ key, chosen: next });
  const chosen = stored.key === key ? stored.chosen : none;
  return {
    chosen,
    select: (page: readonly Contact[], selectedIds: ReadonlySet<string>) =>
      choose(reselect(page, chosen, selectedIds)),
    selectAll: async () => choose(await allThatMatch({ search, tag, company })),
    clear: () => choose(none),
  };
};
