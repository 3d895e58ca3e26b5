import type { Db } from '../../db/db.ts';
import { findIdentities } from '../contacts/contact.store.ts';
import { zoneGroupOf } from './call-window.ts';
import { setZones } from './enrollment.store.ts';

/** The groups of the time zones of contacts, by their current numbers. */
export const findZoneGroups = async (
  db: Db,
  workspace: number,
  contacts: readonly string[],
): Promise<Map<string, string>> => {
  const found = await db.all(findIdentities, { workspace, keys: JSON.stringify(contacts) });
  return new Map(found.map(({ id, phone_identity }) => [id, zoneGroupOf(phone_identity)]));
};

/** Stores the time zones of enrolled contacts. */
export const storeZones = async (
  db: Db,
  { workspace, campaign }: { workspace: number; campaign: string },
  contacts: readonly string[],
): Promise<void> => {
  if (contacts.length === 0) return;
  const groups = await findZoneGroups(db, workspace, contacts);
  const zones = [...groups].map(([contact_id, zone]) => ({ contact_id, zone }));
  await db.run(setZones, { workspace, campaign, rows: JSON.stringify(zones) });
};
