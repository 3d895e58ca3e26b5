import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { ContactsSearch } from './search.ts';

export type Filter = Pick<ContactsSearch, 'search' | 'tag' | 'company'>;

/** Rows that were chosen one by one or by the page. */
export interface Picked {
  readonly kind: 'picked';
  readonly ids: ReadonlySet<string>;
}

/** All that a filter finds. Contacts newer than `newest` came after the choice and are not meant. */
export interface AllThatMatch {
  readonly kind: 'all';
  readonly filter: Filter;
  readonly total: number;
  readonly newest: string;
}

export type Chosen = Picked | AllThatMatch;

export const countOf = (chosen: Chosen): number => (chosen.kind === 'all' ? chosen.total : chosen.ids.size);

const nobody: ReadonlySet<string> = new Set();
const none: Picked = { kind: 'picked', ids: nobody };

/** Asked anew, since the list may be longer by now than what is on the screen. */
const allThatMatch = async (filter: Filter): Promise<Chosen> => {
  const { data, pagination } = await call('GET', '/contacts', { query: { ...filter, limit: 1 } });
  const [first] = data;
  return first ? { kind: 'all', filter, total: pagination.total, newest: first.created_at } : none;
};

/** What is chosen in the list. It holds for one filter: under another one nothing is chosen. */
export const useSelection = ({ search, tag, company }: Filter) => {
  const key = JSON.stringify([search, tag, company]);
  const [kept, keep] = useState<{ key: string; chosen: Chosen }>({ key, chosen: none });
  const choose = (chosen: Chosen) => keep({ key, chosen });
  return {
    chosen: kept.key === key ? kept.chosen : none,
    pick: (ids: ReadonlySet<string>) => choose({ kind: 'picked', ids }),
    pickAll: async () => choose(await allThatMatch({ search, tag, company })),
    clear: () => choose(none),
  };
};
