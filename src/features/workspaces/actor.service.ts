import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { forbidden } from '../../lib/errors.ts';
import { keyId } from './key.service.ts';
import { findKeyById } from './key.store.ts';
import type { Principal, UserPrincipal } from './principal.ts';
import { isSessionOpen } from './session.service.ts';
import { userId } from './user.service.ts';
import { findUserRow } from './user.store.ts';

/** Why the API key or the user is no longer accepted. Other actors, such as the key of the environment, have no record. */
const whyInactive = async (db: Db, { workspace, actor }: Principal): Promise<string | undefined> => {
  const key = { workspace, id: actor };
  if (userId.parse(actor))
    return (await db.get(findUserRow, key)) ? undefined : 'The user who created this job was removed.';
  if (!keyId.parse(actor)) return undefined;
  const row = await db.get(findKeyById, key);
  if (!row || row.revoked_at !== null) return 'The API key that created this job was revoked.';
  if (row.expires_at !== null && row.expires_at <= timestamp())
    return 'The API key that created this job has expired.';
  return undefined;
};

/** Rejects background work whose API key was revoked or has expired, or whose user was removed. */
export const assertStillActive = async (db: Db, actor: Principal): Promise<void> => {
  const reason = await whyInactive(db, actor);
  if (reason) throw forbidden(reason);
};

/** Whether the caller of a request that takes long would be accepted now: the API key is valid, or the session is open. */
export const isStillActive = read('isStillActive', async (db, principal: Principal | UserPrincipal) =>
  'session' in principal ? isSessionOpen(db, principal) : (await whyInactive(db, principal)) === undefined,
);
