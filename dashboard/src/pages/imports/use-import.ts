import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, invalidate, queryClient } from '../../api/query.ts';
import type { Import } from '../../api/types.gen.ts';

const POLL_MS = 1_000;

export const isRunning = (state: Import['state'] | undefined): boolean =>
  state === 'planning' || state === 'applying' || state === 'undoing';

/** Updates the cached import. */
export const updateCachedImport = (id: string, change: Partial<Import>): void => {
  queryClient.setQueryData(
    apiQuery('/imports/{id}', { params: { id } }).queryKey,
    (now) => now && { ...now, data: { ...now.data, ...change } },
  );
};

/** An import with live progress. It has no events, so it is polled. */
export const useImport = (id: string) => {
  const query = useQuery({
    ...apiQuery('/imports/{id}', { params: { id } }),
    refetchInterval: ({ state }) => (isRunning(state.data?.data.state) ? POLL_MS : false),
  });
  const running = isRunning(query.data?.data.state);
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !running) void invalidate('/imports', '/contacts', '/tags', '/figures');
    wasRunning.current = running;
  }, [running]);
  return query;
};
