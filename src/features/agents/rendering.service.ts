import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { expiring } from '../../jobs/expiry.ts';
import { inDays, timestamp } from '../../lib/clock.ts';
import { mergedIds } from '../contacts/contact.merged.ts';
import { selectContactForUpdate } from '../contacts/contact.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findVersionText } from './agent.store.ts';
import { type Rendering, renderAgain } from './render.service.ts';
import * as store from './rendering.store.ts';

export interface NewRendering
  extends Pick<store.RenderingRow, 'contact_id' | 'sha256' | 'version_id'>,
    Pick<Rendering, 'values'> {}

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
    .map(({ values, ...each }) => ({ ...each, used: JSON.stringify(values), workspace_id: workspace, at }))
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

/** The texts that a runtime got, by contact. Those that have expired are missing once they are deleted, at most an hour later. */
export const storedTexts = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  keys: readonly Pick<store.RenderingRow, 'contact_id' | 'sha256'>[],
): Promise<ReadonlyMap<string, string>> => {
  const rows =
    keys.length > 0 ? await db.all(store.findRenderings, { workspace, rows: JSON.stringify(keys) }) : [];
  // Another version may have made the same text since.
  const ids = [...new Set(rows.map(({ version_id }) => version_id))];
  const found = await Promise.all(ids.map((version) => db.get(findVersionText, { workspace, version })));
  const versions = new Map(found.map((version) => [version?.id, version]));
  return new Map(
    rows.flatMap((row) => {
      const version = versions.get(row.version_id);
      const text = version && renderAgain(version, row);
      return text === undefined ? [] : [[row.contact_id, text] as const];
    }),
  );
};

/** The text that a runtime got for a contact; undefined if it has expired. */
export const storedText = async (
  db: Db,
  principal: Pick<Principal, 'workspace'>,
  key: Pick<store.RenderingRow, 'contact_id' | 'sha256'>,
): Promise<string | undefined> => {
  const own = (await storedTexts(db, principal, [key])).get(key.contact_id);
  if (own !== undefined) return own;
  // Those of a merged contact stay where they are.
  const merged = await mergedIds(db, principal.workspace, [key.contact_id]);
  const keys = merged.map((contact_id) => ({ ...key, contact_id }));
  return (await storedTexts(db, principal, keys)).values().next().value;
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
