import { useMemo } from 'react';
import { useStore } from '../../../api/store.ts';
import { type Deletion, deletions } from '../../../app/deletions.ts';

type Listed = { readonly id: string; readonly created_at: string };

/** A page of a list without the records that are being deleted. */
export const useWithoutDeleted = <
  Page extends { readonly data: readonly Listed[]; readonly pagination: { readonly total: number } },
>(
  page: Page | undefined,
  filter: string,
): Page | undefined => {
  const all = useStore(deletions);
  return useMemo(() => {
    if (!page || all.length === 0) return page;
    const deleted = (each: Deletion) => page.data.filter((row) => each.deletes(row, filter));
    const gone = new Set(all.flatMap(deleted));
    const counts = all.map((each) => each.countIn?.(filter) ?? deleted(each).length);
    const total = counts.reduce((sum, count) => sum - count, page.pagination.total);
    return {
      ...page,
      data: page.data.filter((row) => !gone.has(row)),
      pagination: { ...page.pagination, total: Math.max(0, total) },
    };
  }, [page, all, filter]);
};
