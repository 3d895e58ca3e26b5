import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import type { DuplicatesSearch } from './url-params.ts';

const PAGE_SIZE = 50;
const BUILDING_MS = 1_000;

/** The groups of the inbox. While contacts are being compared, they are read again. */
export const groupsQuery = ({ reason, dismissed }: DuplicatesSearch) =>
  infiniteQueryOptions({
    // The path comes first, so that `invalidate` finds it.
    queryKey: ['/duplicates', reason ?? '', dismissed ?? false],
    queryFn: ({ pageParam, signal }) =>
      call('GET', '/duplicates', {
        query: {
          limit: PAGE_SIZE,
          ...(reason && { reason }),
          ...(dismissed && { dismissed: 'true' as const }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ data }) => data.next_cursor,
    refetchInterval: ({ state }) =>
      state.data && state.data.pages[0]?.data.status !== 'current' ? BUILDING_MS : false,
  });
