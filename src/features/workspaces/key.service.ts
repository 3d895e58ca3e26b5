import { longRead, read, write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { digest } from '../../lib/encryption.ts';
import { ApiError, existing, invalidField } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { parseScopes, presets, type ScopeSet, scopeSet, scopesIn } from '../../lib/scopes.ts';
import { type Actor, change } from '../../records/change.ts';
import type { NewKey } from './key.schema.ts';
import * as store from './key.store.ts';
import { assertName } from './name.ts';
import { assertMayGrant, type ById } from './principal.ts';
import { tokens } from './token.ts';

export const keyId = typeId('key');

export const { create: newKey, workspaceOf } = tokens('rk');

/** The random characters that are shown of a key. 28 remain, which are 168 bits. */
const SHOWN_CHARACTERS = 4;

/** The start of a key by which people recognize it: `rk_1_Ab3d`. */
const shownPrefix = (key: string): string => key.slice(0, key.length - 32 + SHOWN_CHARACTERS);

export const scopesOf = ({ scope, scopes }: Pick<store.KeyRow, 'scope' | 'scopes'>): ScopeSet =>
  scopes === null ? scopeSet(presets[scope]) : parseScopes(scopes);

/** A key without its hash. `scopes` lists all that it has, also those of a preset. */
const view = ({ workspace_id: _, hash: __, scope, scopes, id, name, ...rest }: store.KeyRow) => ({
  id,
  name,
  scope: scopes === null ? scope : ('custom' as const),
  scopes: scopesIn(scopesOf({ scope, scopes })),
  ...rest,
});
export type KeyView = ReturnType<typeof view>;

/** Creates a key. Only this result contains the plain key. */
export const createKey = write('createApiKey', async (db, who: Actor, input: NewKey) => {
  const { workspace } = who;
  const { name, scope = 'read_write', scopes, expires_at = null, rate_limit = null } = input;
  const granted = scopeSet(scopes ?? presets[scope]);
  assertMayGrant(who, granted);
  assertName(name);
  const now = timestamp();
  if (expires_at !== null && expires_at <= now)
    throw invalidField('expires_at', 'must be in the future, for example 2027-01-01T00:00:00Z.');
  const key = newKey(workspace);
  const row = {
    workspace_id: workspace,
    id: keyId.create(),
    name,
    hash: digest(key),
    scope: scopes ? ('read' as const) : scope,
    scopes: scopes ? scopesIn(granted).join(' ') : null,
    created_at: now,
    expires_at,
    rate_limit,
    revoked_at: null,
    last_used_at: null,
  };
  await db.run(store.insertKey, { ...row, prefix: shownPrefix(key), created_by: who.actor });
  change(db, who, { action: 'key.created', subject: row.id });
  return { ...view(row), key };
});

/** Where keys come from, for people who look for one. */
export const listApiKeyDetails = longRead(
  'listApiKeyDetails',
  async (db, { workspace }: Pick<Actor, 'workspace'>) =>
    (await db.all(store.listKeyOrigins, { workspace })).map(({ id, prefix, created_by, creator_name }) => ({
      id,
      prefix,
      created_by: created_by === null ? null : { id: created_by, name: creator_name },
    })),
);

export const listApiKeys = longRead('listApiKeys', async (db, { workspace }: Pick<Actor, 'workspace'>) =>
  (await db.all(store.listKeyRows, { workspace })).map(view),
);

export const getApiKey = read('getApiKey', async (db, { workspace }: Actor, { id }: ById) =>
  view(existing('key', await db.get(store.findKeyById, { workspace, id }))),
);

export const revokeKey = write('revokeApiKey', async (db, who: Actor, { id }: ById) => {
  const row = { workspace_id: who.workspace, id, revoked_at: timestamp() };
  const revoked = await db.run(store.markRevoked, row);
  if (revoked === 0) throw new ApiError('NOT_FOUND', 'This workspace has no active key with this id.');
  change(db, who, { action: 'key.revoked', subject: id });
});

export const findKey = read('findKey', (db, _: null, input: { workspace: number; hash: string }) =>
  db.get(store.findKeyByHash, input),
);

/** Stores when keys were last used. */
export const recordUse = write(
  'recordUse',
  async (db, _: null, uses: { workspace: number; id: string; at: string }[]) => {
    for (const use of uses) await db.run(store.markUsed, use);
  },
);
