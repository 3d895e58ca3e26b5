import type { Storage } from '../../db/storage.ts';
import { timestamp } from '../../lib/clock.ts';
import { digest } from '../../lib/encryption.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { parseRate, type Rate } from '../../lib/rate-limit.ts';
import { findKey, recordUse, workspaceOf } from './key.service.ts';
import type { KeyRow } from './key.store.ts';
import type { KeyPrincipal } from './principal.ts';

/** How long an answer about a key may be used again. A revoked key is refused everywhere within half a second. */
const TRUSTED_MS = 500;
const MOST_REMEMBERED = 10_000;
const RECORD_EVERY_MS = 5_000;
/** A workspace that there never is. A text that is no key is looked for in it, and takes the time of an unknown key. */
const NOWHERE = 0;

interface Remembered {
  readonly principal: KeyPrincipal;
  readonly expires_at: string | null;
  readonly until: number;
}

export interface KeyAccess {
  identify(key: string): MaybePromise<KeyPrincipal | undefined>;
  mayWrite(principal: KeyPrincipal): boolean;
  /** Writes down what is not yet written of the keys' last use. */
  close(): Promise<void>;
}

/** Knows callers by their keys. `configured` is a key from the environment, which lives in no database; `rate` is that of
 *  keys without one of their own. */
export const createKeyAccess = (
  storage: Storage,
  configured: { key: string; workspace: number } | undefined,
  onFault: (error: unknown) => void,
  rate?: Rate,
): KeyAccess => {
  /** By the keys themselves, as they are sent: hashing costs more than all else that a known key does. */
  const remembered = new Map<string, Remembered>();
  const used = new Map<string, { workspace: number; at: number }>();
  const own: KeyPrincipal | undefined = configured && {
    workspace: configured.workspace,
    actor: 'environment',
    scope: 'read_write',
    rate,
  };
  const ownHash = configured && digest(configured.key);

  const admit = ({ principal, expires_at }: Omit<Remembered, 'until'>): KeyPrincipal | undefined => {
    if (expires_at !== null && expires_at <= timestamp()) return undefined;
    if (principal !== own) used.set(principal.actor, { workspace: principal.workspace, at: Date.now() });
    return principal;
  };

  const remember = (key: string, row: KeyRow | undefined, asked: number): KeyPrincipal | undefined => {
    remembered.delete(key);
    if (!row || row.revoked_at !== null) return undefined;
    const principal: KeyPrincipal = {
      workspace: row.workspace_id,
      actor: row.id,
      scope: row.scope,
      rate: row.rate_limit === null ? rate : parseRate(row.rate_limit),
    };
    return admit(keep(key, { principal, expires_at: row.expires_at, until: asked + TRUSTED_MS }));
  };

  const keep = (key: string, entry: Remembered): Remembered => {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(key, entry);
    return entry;
  };

  const record = async () => {
    const now = performance.now();
    for (const [key, { until }] of remembered) if (until <= now) remembered.delete(key);
    if (used.size === 0) return;
    const uses = [...used].map(([id, { workspace, at }]) => ({
      workspace,
      id,
      at: new Date(at).toISOString(),
    }));
    used.clear();
    await storage.run(recordUse, null, uses).catch(onFault);
  };
  const timer = setInterval(record, RECORD_EVERY_MS).unref();

  return {
    identify: (key) => {
      const asked = performance.now();
      const known = remembered.get(key);
      if (known && known.until > asked) return admit(known);
      const hash = digest(key);
      if (own && hash === ownHash)
        return admit(keep(key, { principal: own, expires_at: null, until: Number.POSITIVE_INFINITY }));
      const workspace = workspaceOf(key) ?? NOWHERE;
      return chain(storage.run(findKey, null, { workspace, hash }), (row) => remember(key, row, asked));
    },
    mayWrite: ({ scope }) => scope === 'read_write',
    close: () => {
      clearInterval(timer);
      return record();
    },
  };
};
