import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../api/query.ts';
import type { Import } from '../../api/types.gen.ts';

const ASK_EVERY_MS = 1_000;

export const isGoingOn = (state: Import['state'] | undefined): boolean =>
  state === 'planning' || state === 'applying' || state === 'undoing';

type Told = Pick<Import, 'state' | 'progress' | 'rows' | 'totals'>;

/** Updates the cached import. */
export const keepImport = (id: string, change: Partial<Import>): void => {
  queryClient.setQueryData(
    apiQuery('/imports/{id}', { params: { id } }).queryKey,
    (now) => now && { ...now, data: { ...now.data, ...change } },
  );
};

/** An import with live progress: by server-sent events, or by polling if the stream fails. */
export const useImport = (id: string) => {
  const [isTold, setIsTold] = useState(false);
  const query = useQuery({
    ...apiQuery('/imports/{id}', { params: { id } }),
    refetchInterval: ({ state }) => (isGoingOn(state.data?.data.state) && !isTold ? ASK_EVERY_MS : false),
  });
  const goesOn = isGoingOn(query.data?.data.state);
  const { refetch } = query;

  useEffect(() => {
    if (!goesOn) return;
    const source = new EventSource(apiUrl('/imports/{id}/events', { id }));
    source.onopen = () => setIsTold(true);
    source.onerror = () => setIsTold(false);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const told = JSON.parse(data) as Told;
      if (isGoingOn(told.state)) return keepImport(id, told);
      // Closed explicitly, because the browser would reconnect.
      source.close();
      setIsTold(false);
      void refetch();
    };
    return () => {
      source.close();
      setIsTold(false);
    };
  }, [id, goesOn, refetch]);

  const went = useRef(false);
  useEffect(() => {
    if (went.current && !goesOn) void invalidate('/imports', '/contacts', '/tags', '/figures');
    went.current = goesOn;
  }, [goesOn]);
  return query;
};
