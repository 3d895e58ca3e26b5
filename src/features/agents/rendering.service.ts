import type { Db } from '../../db/db.ts';
import { expiring } from '../../jobs/expiry.ts';
import { timestamp } from '../../lib/clock.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './rendering.store.ts';

type NewRendering = Pick<store.RenderingRow, 'contact_id' | 'sha256' | 'version_id' | 'text'>;

/** Stores the texts that a runtime gets, so that a call can show the one it was made with. The caller has locked the contacts, or
 *  other rows without which they cannot be deleted, such as their enrollments. */
export const storeRenderings = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  renderings: readonly NewRendering[],
): Promise<void> => {
  if (renderings.length === 0) return;
  const rows = renderings.map(({ contact_id, sha256, version_id, text }) => ({
    contact_id,
    sha256,
    version_id,
    text,
  }));
  await db.run(store.upsertRenderings, { workspace, rows: JSON.stringify(rows), at: timestamp() });
};

/** Runs after the enrollments of deleted contacts were deleted, because a claim stores renderings under their locks. */
export const eraseRenderings = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  contacts: readonly { id: string }[],
): Promise<void> => {
  await db.run(store.deleteRenderings, { workspace, keys: JSON.stringify(contacts.map(({ id }) => id)) });
};

export const expireRenderings = expiring('expireRenderings', store.deleteRenderingsBefore);
