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

export type Chosen = Picked | AllThatMatch;

export const countOf = (chosen: Chosen): number =>
  chosen.kind === 'all' ? chosen.total - chosen.except.size : chosen.ids.size;

/** The selected ids among the contacts of a page. */
export const tickedOn = (page: readonly Contact[], chosen: Chosen): ReadonlySet<string> =>
  chosen.kind === 'picked'
    ? chosen.ids
    : new Set(
        page
          .filter(({ id, created_at }) => created_at <= chosen.newest && !chosen.except.has(id))
          .map(({ id }) => id),
      );

/** The selection after the checkboxes of a page changed. */
const retick = (page: readonly Contact[], chosen: Chosen, ticked: ReadonlySet<string>): Chosen => {
  if (chosen.kind === 'picked') return { kind: 'picked', ids: ticked };
  const except = new Set(chosen.except);
  for (const { id, created_at } of page) {
    if (ticked.has(id)) except.delete(id);
    else if (created_at <= chosen.newest) except.add(id);
  }
  return except.size < chosen.total ? { ...chosen, except } : none;
};

const nobody: ReadonlySet<string> = new Set();
const none: Picked = { kind: 'picked', ids: nobody };

/** Queries the list again, because it may have grown since the page was loaded. */
const allThatMatch = async (filter: Filter): Promise<Chosen> => {
  const { data, pagination } = await call('GET', '/contacts', { query: { ...filter, limit: 1 } });
  const [first] = data;
  return first
    ? { kind: 'all', filter, total: pagination.total, newest: first.created_at, except: new Set() }
    : none;
};

/** The selection in the list. It belongs to one filter and is empty under another. */
export const useSelection = ({ search, tag, company }: Filter) => {
  const key = JSON.stringify([search, tag, company]);
  const [kept, keep] = useState<{ key: string; chosen: Chosen }>({ key, chosen: none });
  const choose = (next: Chosen) => keep({ key, chosen: next });
  const chosen = kept.key === key ? kept.chosen : none;
  return {
    chosen,
    tick: (page: readonly Contact[], ticked: ReadonlySet<string>) => choose(retick(page, chosen, ticked)),
    pickAll: async () => choose(await allThatMatch({ search, tag, company })),
    clear: () => choose(none),
  };
};
