import type { RawSearch } from './address.ts';

const searches = new Map<string, RawSearch>();

/** Remembers the filters and the page of a list, so that a record can lead back to where it was found. An open dialog is left
 *  out. */
export const rememberSearch = (path: string, { add: _, ...search }: RawSearch): void => {
  searches.set(path, search);
};

export const lastSearch = (path: string): RawSearch => searches.get(path) ?? {};
