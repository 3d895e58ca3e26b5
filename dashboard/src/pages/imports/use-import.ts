import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, invalidate, queryClient } from '../../api/query.ts';
import type { Import } from '../../api/types.gen.ts';

export const isRunning = (state: Import['state'] | undefined): boolean =>
  state === 'planning' || state === 'applying' || state === 'undoing';

/** Updates the cached import. */
export const updateCachedImport = (id: string, change: Partial<Import>): void => {
  queryClient.setQueryData(
    apiQuery('/imports/{id}', { params: { id } }).queryKey,
    (now) => now && { ...now, data: { ...now.data, ...change } },
  );
};

/** An import with live progress. */
export const useImport = (id: string) => {
  const query = useQuery(apiQuery('/imports/{id}', { params: { id } }));
  const running = isRunning(query.data?.data.state);
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !running) void invalidate('/imports', '/contacts', '/tags', '/figures');
    wasRunning.current = running;
  }, [running]);
  return query;
};
