import type { Db } from '../../db/db.ts';
import { findIdentities } from '../contacts/contact.store.ts';
import { zoneGroupOf } from './call-window.ts';
import { setZones } from './enrollment.store.ts';

/** Stores the time zones of enrolled contacts by their current numbers, where they differ from `zone`, and returns the others. */
export const storeZones = async <R extends { contact_id: string; zone?: string }>(
  db: Db,
  { workspace, campaign }: { workspace: number; campaign: string },
  enrollments: readonly R[],
): Promise<R[]> => {
  const keys = JSON.stringify(enrollments.map(({ contact_id }) => contact_id));
  const found = enrollments.length > 0 ? await db.all(findIdentities, { workspace, keys }) : [];
  const zones = new Map(found.map(({ id, phone_identity }) => [id, zoneGroupOf(phone_identity)]));
  const current = enrollments.filter(({ contact_id, zone }) => zones.get(contact_id) === zone);
  for (const { contact_id } of current) zones.delete(contact_id);
  const rows = JSON.stringify([...zones].map(([contact_id, zone]) => ({ contact_id, zone })));
  if (zones.size > 0) await db.run(setZones, { workspace, campaign, rows });
  return current;
};
