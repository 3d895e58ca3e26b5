import { useQueries } from '@tanstack/react-query';
import { Bot, FileUp, type LucideIcon, Megaphone, User, Webhook } from 'lucide-react';
import { call } from '../api/client.ts';
import { contactName } from '../lib/format.ts';
import { recentRecords, recordPath } from './recent.ts';

interface Kind {
  readonly icon: LucideIcon;
  readonly nameOf: (params: { readonly id: string }) => Promise<string>;
}

const kinds: Readonly<Record<string, Kind>> = {
  contacts: {
    icon: User,
    nameOf: async (params) => contactName((await call('GET', '/contacts/{id}', { params })).data),
  },
  agents: {
    icon: Bot,
    nameOf: async (params) => (await call('GET', '/agents/{id}', { params })).data.name,
  },
  campaigns: {
    icon: Megaphone,
    nameOf: async (params) => (await call('GET', '/campaigns/{id}', { params })).data.name,
  },
  import: {
    icon: FileUp,
    nameOf: async (params) => (await call('GET', '/imports/{id}', { params })).data.name,
  },
  webhooks: {
    icon: Webhook,
    nameOf: async (params) => (await call('GET', '/webhooks/{id}', { params })).data.url,
  },
};

const STALE_MS = 60_000;

/** The records that the user opened last, without the open one. A record that cannot be read is left out. */
export const useRecent = () => {
  const open = recordPath(location.pathname);
  const shown = recentRecords()
    .filter((path) => path !== open)
    .slice(0, 5)
    .map((path) => ({ path, parts: path.split('/') }))
    .flatMap(({ path, parts: [, kind = '', id = ''] }) => {
      const found = kinds[kind];
      return found ? [{ path, id, ...found }] : [];
    });
  const names = useQueries({
    queries: shown.map(({ path, id, nameOf }) => ({
      queryKey: ['recent', path],
      queryFn: () => nameOf({ id }),
      staleTime: STALE_MS,
      retry: false,
    })),
  });
  return shown.flatMap(({ path, icon }, at) =>
    names[at]?.isError ? [] : [{ path, icon, name: names[at]?.data }],
  );
};
