import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Call, CallWithInstructions } from '../../../api/types.gen.ts';

export interface Loaded {
  readonly data: CallWithInstructions;
}

/** The open call and the rows of the list, so that both show the same state of it: that of the last response. */
export const useOpenCall = (
  id: string | undefined,
  list: { readonly rows: readonly Call[] | undefined; readonly updatedAt: number },
): { readonly query: UseQueryResult<Loaded>; readonly rows: readonly Call[] | undefined } => {
  const query = useQuery({
    ...apiQuery('/calls/{id}', { params: { id: id ?? '' }, query: { include: 'instructions' } }),
    enabled: id !== undefined,
  });
  const row = list.rows?.find((each) => each.id === id);
  const isRowNewer = row !== undefined && list.updatedAt > query.dataUpdatedAt;
  const data = isRowNewer ? { data: { ...query.data?.data, ...row } } : query.data;
  const shown = row && data?.data;
  const rows = useMemo(
    () => (shown ? list.rows?.map((each) => (each.id === shown.id ? shown : each)) : list.rows),
    [list.rows, shown],
  );
  return { query: { ...query, data } as UseQueryResult<Loaded>, rows };
};
