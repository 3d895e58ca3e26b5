import type { Query } from '@tanstack/react-query';
import type { PathOf } from './client.ts';
import { queryClient } from './query.ts';
import type { Changes } from './types.gen.ts';

type Change = Changes['changes'][number];
type KindOf<T> = T extends `${infer Kind}.${string}` ? Kind : never;

/** What shows records of a kind, or counts them. A job of another user shows by the contacts that it changes. */
const pathsByKind: Readonly<Record<KindOf<Change['type']>, readonly PathOf<'GET'>[]>> = {
  contact: ['/contacts', '/identities', '/duplicates', '/merges', '/tags', '/figures', '/bulk-jobs'],
  agent: ['/agents', '/deploys', '/channels', '/campaigns', '/figures', '/attention'],
  version: ['/agents', '/attention'],
  channel: ['/channels', '/agents', '/figures', '/attention'],
  call: ['/calls', '/outcomes', '/contacts', '/identities', '/figures'],
  campaign: ['/campaigns', '/contacts/{id}/enrollments', '/notices', '/figures', '/attention'],
  enrollment: ['/campaigns', '/contacts', '/bulk-jobs', '/figures', '/attention'],
  import: ['/imports', '/contacts', '/tags', '/notices', '/figures', '/attention'],
  webhook: ['/webhooks', '/notices', '/attention'],
};

const pathsByWork: Readonly<Record<Changes['work'][number], PathOf<'GET'>>> = {
  jobs: '/bulk-jobs',
  imports: '/imports',
  notices: '/notices',
  webhooks: '/webhooks',
};

/** A query is refetched at most once in this time after its last response: at once after a first change, however many follow. */
const EVERY_MS = 900;
const TICK_MS = 100;

const due = new Set<Query>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** A hidden tab refetches when it becomes visible. */
const refetchDue = (): void => {
  clearTimeout(timer);
  if (document.hidden) return;
  const latest = Date.now() - EVERY_MS;
  for (const query of due) {
    const { dataUpdatedAt, errorUpdatedAt, fetchStatus } = query.state;
    if (!query.isActive()) due.delete(query);
    // What the service has read for a running request may be older than the change.
    else if (fetchStatus === 'idle' && Math.max(dataUpdatedAt, errorUpdatedAt) <= latest) {
      due.delete(query);
      void query.fetch().catch(() => undefined);
    }
  }
  if (due.size > 0) timer = setTimeout(refetchDue, TICK_MS);
};

document.addEventListener('visibilitychange', refetchDue);

/** Refetches queries that are shown, and marks the others. */
const refetch = (predicate: (query: Query) => boolean): void => {
  for (const query of queryClient.getQueryCache().findAll({ predicate })) {
    query.invalidate();
    due.add(query);
  }
  refetchDue();
};

export const refetchAll = (): void => refetch(() => true);

/** Refetches what shows the changed records and work. The query of one record is affected if a change names the record. */
export const refetchChanged = ({ changes, work }: Changes): void => {
  const idsByPath = new Map<string, Set<string>>();
  for (const { type, ids } of changes)
    for (const path of pathsByKind[type.split('.', 1)[0] as KindOf<Change['type']>] ?? []) {
      const known = idsByPath.get(path) ?? new Set();
      for (const id of ids) known.add(id);
      idsByPath.set(path, known);
    }
  refetch(({ queryKey: [path, params] }) => {
    if (typeof path !== 'string') return false;
    if (work.some((kind) => path === pathsByWork[kind] || path.startsWith(`${pathsByWork[kind]}/`)))
      return true;
    const id = typeof params === 'string' ? params : (params as { id?: string } | null)?.id;
    return [...idsByPath].some(
      ([each, ids]) =>
        (path === each || path.startsWith(`${each}/`)) && (!path.includes('{id}') || ids.has(id ?? '')),
    );
  });
};
