import { QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isApiError } from './api-error.ts';
import { type Answer, call, type Options, type PathOf } from './client.ts';
import { connection } from './connection.ts';

const MAX_ATTEMPTS = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (attempts, error) => attempts < MAX_ATTEMPTS - 1 && isApiError(error, 'UNAVAILABLE'),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

type GetOperation<P extends PathOf<'GET'>> = (
  method: 'GET',
  path: P,
  options: object,
) => Promise<Answer<'GET', P>>;

/** Options for `useQuery`. The key is the path with its parameters; TanStack Query aborts a request that is no
 *  longer needed. */
export const apiQuery = <P extends PathOf<'GET'>>(
  path: P,
  ...[options]: object extends Options<'GET', P>
    ? [options?: Options<'GET', P>]
    : [options: Options<'GET', P>]
) =>
  queryOptions<Answer<'GET', P>>({
    queryKey: [path, options?.params ?? null, options?.query ?? null],
    queryFn: ({ signal }) => (call as unknown as GetOperation<P>)('GET', path, { ...options, signal }),
  });

/** Starts reads that parts of a page need later, so that they share the request of those that it needs first. */
export const usePrefetch = (...queries: readonly { readonly queryKey: QueryKey }[]): void =>
  useEffect(() => {
    for (const query of queries)
      if (!queryClient.getQueryState(query.queryKey)) void queryClient.prefetchQuery(query);
  });

/** Refetches everything below these paths: `invalidate('/contacts')` covers every contact list and every single
 *  contact. */
export const invalidate = (...paths: PathOf<'GET'>[]): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === 'string' && paths.some((each) => path === each || path.startsWith(`${each}/`)),
  });

connection.isLost.subscribe(() => {
  if (!connection.isLost.get()) void queryClient.invalidateQueries();
});
