import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { digest } from '../../lib/encryption.ts';
import { ApiError, invalid } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { parseRate, RATE_FORM } from '../../lib/rate-limit.ts';
import { isLongerThan, isStorable } from '../../lib/text.ts';
import { type Actor, recordChange } from '../audit/audit.service.ts';
import * as store from './key.store.ts';
import type { Scope } from './principal.ts';
import { tokens } from './token.ts';

const keyId = typeId('key');

export const { create: newKey, workspaceOf } = tokens('rk');

/** A key without its hash. */
export type KeyView = Omit<store.KeyRow, 'workspace_id' | 'hash'>;

const view = ({ workspace_id: _, hash: __, ...rest }: store.KeyRow): KeyView => rest;

export interface NewKey {
  name: string;
  scope: Scope;
  expires_at: string | null;
  /** As `600/1m`; without it, the default rate limit applies. */
  rate_limit?: string | null;
}

/** Creates a key. Only this result contains the plain key. */
export const createKey = write(
  'createKey',
  async (db: Db, who: Actor, input: NewKey): Promise<KeyView & { key: string }> => {
    const { workspace } = who;
    const { name, scope, expires_at, rate_limit = null } = input;
    if (name.trim() === '' || isLongerThan(name, 100) || !isStorable(name)) {
      throw invalid([
        {
          field: 'name',
          message: 'must have 1 to 100 characters, not be blank, and have no NUL or unpaired surrogate.',
        },
      ]);
    }
    const now = timestamp();
    if (expires_at !== null && expires_at <= now) {
      throw invalid([
        { field: 'expires_at', message: 'must be in the future, for example 2027-01-01T00:00:00Z.' },
      ]);
    }
    if (rate_limit !== null && !parseRate(rate_limit)) {
      throw invalid([{ field: 'rate_limit', message: `${RATE_FORM}.` }]);
    }
    const key = newKey(workspace);
    const row = {
      workspace_id: workspace,
      id: keyId.create(),
      name,
      hash: digest(key),
      scope,
      created_at: now,
      expires_at,
      rate_limit,
    };
    await db.run(store.insertKey, row);
    recordChange(db, who, { action: 'key.created', subject: row.id });
    return { ...view({ ...row, revoked_at: null, last_used_at: null }), key };
  },
);

export const listKeys = longRead(
  'listKeys',
  async (db: Db, _: null, { workspace }: { workspace: number }): Promise<KeyView[]> =>
    (await db.all(store.listKeyRows, { workspace })).map(view),
);

export const revokeKey = write('revokeKey', async (db: Db, who: Actor, { id }: { id: string }) => {
  const revoked = await db.run(store.markRevoked, { workspace: who.workspace, id, at: timestamp() });
  if (revoked === 0) {
    throw new ApiError('NOT_FOUND', 'This workspace has no active key with this id.');
  }
  recordChange(db, who, { action: 'key.revoked', subject: id });
});

export const findKey = read('findKey', (db: Db, _: null, input: { workspace: number; hash: string }) =>
  db.get(store.findKeyByHash, input),
);

/** Stores when keys were last used. */
export const recordUse = write(
  'recordUse',
  async (db: Db, _: null, uses: { workspace: number; id: string; at: string }[]) => {
    for (const use of uses) await db.run(store.markUsed, use);
  },
);
