import { useEffect } from 'react';

/** A page of a list, as the service returns it. */
interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: {
    readonly total: number;
    readonly has_more: boolean;
    readonly total_is_capped?: boolean;
  };
}

/** The list that a record was opened from, for the next and the previous one. */
export interface OpenList {
  /** Undefined while the page loads. */
  readonly shown: Listed | undefined;
  readonly page: number;
  readonly size: number;
  /** Loads another page of the list. */
  readonly load: (page: number) => Promise<Listed>;
}

/** By the path of the list. */
export const openLists = new Map<string, OpenList>();

/** Remembers the list for the pages of its records. */
export const useOpenList = (path: string, list: OpenList): void => {
  useEffect(() => {
    if (list.shown) openLists.set(path, list);
  });
};
