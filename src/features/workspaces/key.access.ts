import type { Storage } from '../../db/storage.ts';
import { timestamp } from '../../lib/clock.ts';
import { digest } from '../../lib/encryption.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { parseRate, type Rate } from '../../lib/rate-limit.ts';
import type { RunRecorder } from '../../lib/run-counters.ts';
import { presets, scopeSet } from '../../lib/scopes.ts';
import { findKey, recordUse, scopesOf, workspaceOf } from './key.service.ts';
import type { KeyRow } from './key.store.ts';
import type { KeyPrincipal } from './principal.ts';

/** How long a look-up is cached. A revoked key is rejected everywhere within half a second. */
const CACHE_MS = 500;
const MAX_CACHED = 10_000;
const RECORD_EVERY_MS = 5_000;
/** No workspace has this id. A malformed key is looked up in it, which takes as long as for an unknown key. */
const NO_WORKSPACE = 0;

interface CachedKey {
  readonly principal: KeyPrincipal;
  readonly expires_at: string | null;
  readonly until: number;
}

interface KeyAccessOptions {
  /** Counts how often the times of last use are written. */
  readonly task: RunRecorder;
  readonly onFault: (error: unknown) => void;
  /** The rate limit of keys that do not have their own. */
  readonly rate: Rate | undefined;
}

type KeyUse = { workspace: number; id: string; at: string };

/** Writes all times in one transaction. If that fails, each workspace gets its own, one after the other: on a cluster, the
 *  node of one workspace can be down. */
const recordUses = async (storage: Storage, uses: KeyUse[]): Promise<void> => {
  const workspaces = [...Map.groupBy(uses, ({ workspace }) => workspace).values()];
  const failures: unknown[] = [];
  try {
    await storage.run(recordUse, null, uses);
  } catch (error) {
    if (workspaces.length === 1) throw error;
    for (const some of workspaces)
      await storage.run(recordUse, null, some).catch((failure: unknown) => failures.push(failure));
  }
  if (failures.length > 0) throw failures[0];
};

/** Identifies callers by API key. `configured` is the key from the environment, which is not stored. */
export const createKeyAccess = (
  storage: Storage,
  configured: { key: string; workspace: number } | undefined,
  { task, onFault, rate }: KeyAccessOptions,
) => {
  /** By the plain key: hashing costs more than everything else on the path of a cached key. */
  const cache = new Map<string, CachedKey>();
  const used = new Map<string, { workspace: number; at: number }>();
  const own: KeyPrincipal | undefined = configured && {
    workspace: configured.workspace,
    actor: 'environment',
    scopes: scopeSet(presets.read_write),
    rate,
  };
  const ownHash = configured && digest(configured.key);

  const use = ({ principal, expires_at }: Omit<CachedKey, 'until'>): KeyPrincipal | undefined => {
    if (expires_at !== null && expires_at <= timestamp()) return undefined;
    if (principal !== own) used.set(principal.actor, { workspace: principal.workspace, at: Date.now() });
    return principal;
  };

  const cacheKey = (key: string, row: KeyRow | undefined, requestedAt: number): KeyPrincipal | undefined => {
    cache.delete(key);
    if (!row || row.revoked_at !== null) return undefined;
    const principal: KeyPrincipal = {
      workspace: row.workspace_id,
      actor: row.id,
      scopes: scopesOf(row),
      rate: row.rate_limit === null ? rate : parseRate(row.rate_limit),
    };
    return use(store(key, { principal, expires_at: row.expires_at, until: requestedAt + CACHE_MS }));
  };

  const store = (key: string, entry: CachedKey): CachedKey => {
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, entry);
    return entry;
  };

  const record = async () => {
    const now = performance.now();
    for (const [key, { until }] of cache) if (until <= now) cache.delete(key);
    if (used.size === 0) return;
    const uses = [...used].map(([id, { workspace, at }]) => ({
      workspace,
      id,
      at: new Date(at).toISOString(),
    }));
    used.clear();
    await task.run(() => recordUses(storage, uses)).catch(onFault);
  };
  const timer = setInterval(record, RECORD_EVERY_MS).unref();

  return {
    /** Undefined if the key is unknown, revoked or expired. */
    identify: (key: string): MaybePromise<KeyPrincipal | undefined> => {
      const requestedAt = performance.now();
      const known = cache.get(key);
      if (known && known.until > requestedAt) return use(known);
      const hash = digest(key);
      if (own && hash === ownHash)
        return use(store(key, { principal: own, expires_at: null, until: Number.POSITIVE_INFINITY }));
      const workspace = workspaceOf(key) ?? NO_WORKSPACE;
      return chain(storage.run(findKey, null, { workspace, hash }), (row) => cacheKey(key, row, requestedAt));
    },
    /** Writes pending times of last use. */
    close: () => {
      clearInterval(timer);
      return record();
    },
  };
};
export type KeyAccess = ReturnType<typeof createKeyAccess>;
