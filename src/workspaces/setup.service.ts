import { randomBytes } from 'node:crypto';
import { timestamp } from '../kernel/clock.ts';
import type { Db } from '../storage/storage.ts';
import { createKey } from './key.service.ts';
import { ensureOwner, hasUsers } from './user.service.ts';
import { DEFAULT_WORKSPACE } from './workspace.service.ts';
import { findWorkspace, insertWorkspace } from './workspace.store.ts';

export interface SetUpInput {
  /** Whether a first start makes a key: not where one is configured. */
  withKey: boolean;
  admin: { email: string; password: string } | undefined;
}

/** What a start found or made. The secrets can be read only here and now. */
export interface SetUp {
  workspace: number;
  made: boolean;
  key: string | undefined;
  signIn: { email: string; password: string } | undefined;
}

/** Makes the workspace `default` with a key and an owner, once; of two instances that start together, one does. */
export const setUp = async (db: Db, _: null, { withKey, admin }: SetUpInput): Promise<SetUp> => {
  const made = await db.get(insertWorkspace, { name: DEFAULT_WORKSPACE, created_at: timestamp() });
  const workspace = made?.id ?? (await db.get(findWorkspace, { name: DEFAULT_WORKSPACE }))?.id;
  if (workspace === undefined) throw new Error('the workspace was deleted while it was looked for');
  if (admin) await ensureOwner(db, null, { workspace, ...admin });
  if (!made) return { workspace, made: false, key: undefined, signIn: undefined };
  const key = withKey
    ? (await createKey(db, null, { workspace, name: 'first key', scope: 'read_write', expires_at: null })).key
    : undefined;
  if (await hasUsers(db, null, { workspace })) return { workspace, made: true, key, signIn: undefined };
  const signIn = { email: 'admin@roster.local', password: randomBytes(15).toString('base64url') };
  await ensureOwner(db, null, { workspace, ...signIn });
  return { workspace, made: true, key, signIn };
};
