import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../api/query.ts';
import type { Import } from '../../api/types.gen.ts';

const POLL_MS = 1_000;

export const isRunning = (state: Import['state'] | undefined): boolean =>
  state === 'planning' || state === 'applying' || state === 'undoing';

type ProgressEvent = Pick<Import, 'state' | 'progress' | 'rows' | 'totals'>;

/** Updates the cached import. */
export const updateCachedImport = (id: string, change: Partial<Import>): void => {
  queryClient.setQueryData(
    apiQuery('/imports/{id}', { params: { id } }).queryKey,
    (now) => now && { ...now, data: { ...now.data, ...change } },
  );
};

/** An import with live progress: by server-sent events, or by polling if the stream fails. */
export const useImport = (id: string) => {
  const [isStreaming, setStreaming] = useState(false);
  const query = useQuery({
    ...apiQuery('/imports/{id}', { params: { id } }),
    refetchInterval: ({ state }) => (isRunning(state.data?.data.state) && !isStreaming ? POLL_MS : false),
  });
  const running = isRunning(query.data?.data.state);
  const { refetch } = query;

  useEffect(() => {
    if (!running) return;
    const source = new EventSource(apiUrl('/imports/{id}/events', { id }));
    source.onopen = () => setStreaming(true);
    source.onerror = () => setStreaming(false);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const progress = JSON.parse(data) as ProgressEvent;
      if (isRunning(progress.state)) return updateCachedImport(id, progress);
      // Closed explicitly, because the browser would reconnect.
      source.close();
      setStreaming(false);
      void refetch();
    };
    return () => {
      source.close();
      setStreaming(false);
    };
  }, [id, running, refetch]);

  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !running) void invalidate('/imports', '/contacts', '/tags', '/figures');
    wasRunning.current = running;
  }, [running]);
  return query;
};
