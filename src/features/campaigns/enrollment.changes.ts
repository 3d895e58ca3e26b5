import type { Db } from '../../db/db.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { change } from '../../records/change.ts';
import { findIdentities } from '../contacts/contact.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { zoneGroupOf } from './call-window.ts';
import type { EnrollmentReason, EnrollmentStatus } from './campaign.schema.ts';
import type { Campaign } from './campaign.store.ts';
import { recordAllEnrolled } from './enrollment.events.ts';
import * as store from './enrollment.store.ts';

/* Changes of many enrollments of a campaign, each in a constant number of statements. */

interface NewEnrollments {
  readonly ids: readonly string[];
  /** 1 for the audience of the campaign. */
  readonly by_audience: number;
  /** The stored form of each one's variables. */
  readonly variablesOf?: ((contact: string) => string | null) | undefined;
}

/** Enrolls the contacts that exist and are not enrolled yet, and returns them. */
export const insertAll = async (
  db: Db,
  principal: Principal,
  { id, call_window }: Campaign,
  { ids, by_audience, variablesOf = () => null }: NewEnrollments,
): Promise<Pick<store.EnrollmentRow, 'contact_id' | 'enrolled_at'>[]> => {
  const key = { workspace: principal.workspace, campaign: id };
  const args = { ...key, ids: JSON.stringify(ids), at: timestamp(), by_audience };
  const inserted = await db.all(store.insertEnrollments, args);
  if (call_window !== null) await storeZones(db, key, inserted);
  const rows = inserted.flatMap(({ contact_id, enrolled_at: updated_at }) => {
    const variables = variablesOf(contact_id);
    return variables === null ? [] : [{ contact_id, variables, updated_at }];
  });
  if (rows.length > 0) await db.run(store.setVariables, { ...key, rows: JSON.stringify(rows) });
  await recordAllEnrolled(db, principal, id, inserted);
  return inserted;
};

/** Moves locked enrollments to another status, and records it. `rows` are as they were before. */
export const moveAll = async <R extends store.EnrollmentState>(
  db: Db,
  principal: Principal,
  campaign: string,
  { status, rows, reasonOf }: MovedEnrollments<R>,
): Promise<void> => {
  if (rows.length === 0) return;
  const { workspace } = principal;
  const isQueued = status === 'pending' || status === 'blocked';
  const moved = rows.map((row) => ({
    contact_id: row.contact_id,
    available_at: isQueued ? row.available_at : '',
    reason: reasonOf ? JSON.stringify(reasonOf(row)) : null,
    updated_at: timestampAfter(row.updated_at),
  }));
  await db.run(store.moveEnrollments, { workspace, campaign, status, rows: JSON.stringify(moved) });
  await recordAllEnrolled(db, principal, campaign, rows);
  const counts = { [status]: rows.filter((row) => row.status !== status).length };
  const entry = { parent: campaign, fields: ['status'], counts };
  if (counts[status] !== 0) change(db, principal, { action: 'enrollment.updated', ...entry });
};

interface MovedEnrollments<R> {
  readonly status: EnrollmentStatus;
  readonly rows: readonly R[];
  readonly reasonOf?: (row: R) => EnrollmentReason;
}

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
  if (zones.size > 0) await db.run(store.setZones, { workspace, campaign, rows });
  return current;
};
