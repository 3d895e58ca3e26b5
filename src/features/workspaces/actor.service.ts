import type { Db } from '../../db/db.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import { keyId } from './key.service.ts';
import { findKeyById } from './key.store.ts';
import { userId } from './user.service.ts';
import { findUserRow } from './user.store.ts';

/** Rejects background work whose API key was revoked or has expired, or whose user was removed. Other actors, such as the key
 *  of the environment, have no record. */
export const assertStillActive = async (
  db: Db,
  { workspace, actor }: { readonly workspace: number; readonly actor: string },
): Promise<void> => {
  const key = { workspace, id: actor };
  if (userId.parse(actor)) {
    if (await db.get(findUserRow, key)) return;
    throw new ApiError('FORBIDDEN', 'The user who created this job was removed.');
  }
  if (!keyId.parse(actor)) return;
  const row = await db.get(findKeyById, key);
  if (!row || row.revoked_at !== null) {
    throw new ApiError('FORBIDDEN', 'The API key that created this job was revoked.');
  }
  if (row.expires_at !== null && row.expires_at <= timestamp()) {
    throw new ApiError('FORBIDDEN', 'The API key that created this job has expired.');
  }
};
