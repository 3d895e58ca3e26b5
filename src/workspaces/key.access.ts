import { timestamp } from '../kernel/clock.ts';
import { after, type Pending } from '../kernel/pending.ts';
import { type Rate, readRate } from '../kernel/rate.ts';
import { digest } from '../kernel/seal.ts';
import type { Storage } from '../storage/storage.ts';
import { findKey, recordUse, workspaceOf } from './key.service.ts';
import type { KeyRow } from './key.store.ts';
import type { KeyPrincipal } from './principal.ts';

/** How long an answer about a key may be used again. A revoked key is refused everywhere within one second. */
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
  identify(key: string): Pending<KeyPrincipal | undefined>;
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
  const remembered = new Map<string, Remembered>();
  const used = new Map<string, { workspace: number; id: string; at: string }>();
  const own = configured && {
    hash: digest(configured.key),
    principal: {
      workspace: configured.workspace,
      actor: 'environment',
      scope: 'read_write',
      rate,
    } satisfies KeyPrincipal,
  };

  const admit = ({ principal, expires_at }: Omit<Remembered, 'until'>): KeyPrincipal | undefined => {
    const at = timestamp();
    if (expires_at !== null && expires_at <= at) return undefined;
    used.set(principal.actor, { workspace: principal.workspace, id: principal.actor, at });
    return principal;
  };

  const remember = (hash: string, row: KeyRow | undefined, asked: number): KeyPrincipal | undefined => {
    remembered.delete(hash);
    if (!row || row.revoked_at !== null) return undefined;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const principal: KeyPrincipal = {
      workspace: row.workspace_id,
      actor: row.id,
      scope: row.scope,
      rate: row.rate_limit === null ? rate : readRate(row.rate_limit),
    };
    const entry = { principal, expires_at: row.expires_at, until: asked + TRUSTED_MS };
    remembered.set(hash, entry);
    return admit(entry);
  };

  const record = async () => {
    if (used.size === 0) return;
    const uses = [...used.values()];
    used.clear();
    await storage.write(recordUse, null, uses).catch(onFault);
  };
  const timer = setInterval(record, RECORD_EVERY_MS).unref();

  return {
    identify: (key) => {
      const hash = digest(key);
      if (own && hash === own.hash) return own.principal;
      const asked = performance.now();
      const known = remembered.get(hash);
      if (known && known.until > asked) return admit(known);
      const workspace = workspaceOf(key) ?? NOWHERE;
      return after(storage.read(findKey, null, { workspace, hash }), (row) => remember(hash, row, asked));
    },
    mayWrite: ({ scope }) => scope === 'read_write',
    close: () => {
      clearInterval(timer);
      return record();
    },
  };
};
