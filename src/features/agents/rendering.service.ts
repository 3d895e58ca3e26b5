import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { expiring } from '../../jobs/expiry.ts';
import { inDays, timestamp } from '../../lib/clock.ts';
import { selectContactForUpdate } from '../contacts/contact.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findVersionText } from './agent.store.ts';
import { type Rendering, renderAgain } from './render.service.ts';
import * as store from './rendering.store.ts';

export interface NewRendering
  extends Pick<store.RenderingRow, 'contact_id' | 'sha256' | 'version_id'>,
    Pick<Rendering, 'used'> {}

/** Stores which texts a runtime gets, so that a call can show the one it was made with. The caller has locked the contacts, or
 *  other rows without which they cannot be deleted, such as their enrollments. */
export const storeRenderings = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  renderings: readonly NewRendering[],
): Promise<void> => {
  const at = timestamp();
  // In the lock order.
  const rows = renderings
    .map((each) => ({ ...each, used: JSON.stringify(each.used), workspace_id: workspace, at }))
    .sort((one, other) => (one.contact_id < other.contact_id ? -1 : 1));
  await Promise.all(db.insertRows(store.upsertRenderings, rows));
};

/** Stores the text of one contact, unless it is being deleted. */
export const storeRendering = write(
  'storeRendering',
  async (db, principal: Principal, rendering: NewRendering): Promise<void> => {
    const { workspace } = principal;
    const contact = await db.get(selectContactForUpdate, { workspace, id: rendering.contact_id });
    if (contact) await storeRenderings(db, principal, [rendering]);
  },
);

/** The text that a runtime got for a contact; undefined if it has expired. */
export const storedText = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  key: { contact: string; sha256: string },
): Promise<string | undefined> => {
  const stored = await db.get(store.findRendering, { workspace, ...key });
  const version = stored && (await db.get(findVersionText, { workspace, version: stored.version_id }));
  return version && renderAgain(version, { ...key, used: stored.used });
};

/** A text that was stored since then expires a day early at most, so it need not be stored again. */
export const storedLately = (): string => {
  const now = Date.now();
  if (now > lately.until) lately = { until: now + MINUTE_MS, time: inDays(-1, now) };
  return lately.time;
};
const MINUTE_MS = 60_000;
let lately = { until: 0, time: '' };

/** Runs after the enrollments of deleted contacts were deleted, because a claim stores renderings under their locks. */
export const eraseRenderings = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  contacts: readonly { id: string }[],
): Promise<void> => {
  await db.run(store.deleteRenderings, { workspace, keys: JSON.stringify(contacts.map(({ id }) => id)) });
};

export const expireRenderings = expiring('expireRenderings', store.deleteRenderingsBefore);
