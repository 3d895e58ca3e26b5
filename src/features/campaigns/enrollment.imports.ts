import type { Db } from '../../db/db.ts';
import { timestampAfter } from '../../lib/clock.ts';
import { changedVariables, type VariableChange, variablesProblem } from '../agents/variable.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { hasEnded } from './campaign.service.ts';
import { type Campaign, selectCampaignForClaim } from './campaign.store.ts';
import { insertAll } from './enrollment.changes.ts';
import { recordAllEnrolled, recordUnenrolled } from './enrollment.events.ts';
import * as store from './enrollment.store.ts';

/* The enrollments of an import: the contact of each row once, with the variables of the row. */

/** Locks the campaign of an import; undefined if it was finished or deleted since the import was started. Claims
 *  do not wait. */
export const lockIfEnrollable = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  id: string,
): Promise<Campaign | undefined> => {
  const found = await db.get(selectCampaignForClaim, { workspace, id });
  return found && !hasEnded(found) ? found : undefined;
};

/** Adds variables to enrollments that wait in the queue or for a value. One whose variables would become too large keeps its own. */
const addVariables = async (
  db: Db,
  principal: Principal,
  campaign: string,
  byContact: ReadonlyMap<string, VariableChange>,
): Promise<void> => {
  const contacts = JSON.stringify([...byContact.keys()]);
  const key = { workspace: principal.workspace, campaign, contacts };
  const found = await db.all(store.selectWaiting, key);
  const changed = found.flatMap((before) => {
    const variables = changedVariables(before.variables, byContact.get(before.contact_id) ?? {});
    if (variables === before.variables || variablesProblem(variables) !== undefined) return [];
    const updated_at = timestampAfter(before.updated_at);
    return [{ before, after: { contact_id: before.contact_id, variables, updated_at } }];
  });
  if (changed.length === 0) return;
  const rows = JSON.stringify(changed.map(({ after }) => after));
  await db.run(store.setVariables, { ...key, rows });
  const former = changed.map(({ before }) => before);
  await recordAllEnrolled(db, principal, campaign, former);
};

/** Enrolls contacts, and returns when it enrolled those who were not. The others keep their enrollments, with these variables in addition
 *  while no one calls them. */
export const enrollImported = async (
  db: Db,
  principal: Principal,
  campaign: Campaign,
  byContact: ReadonlyMap<string, VariableChange>,
): Promise<Map<string, string>> => {
  const variablesOf = (contact: string) => changedVariables(null, byContact.get(contact) ?? {});
  const ids = [...byContact.keys()];
  const inserted = await insertAll(db, principal, campaign, { ids, by_audience: 0, variablesOf });
  const enrolled = new Map(inserted.map(({ contact_id, enrolled_at }) => [contact_id, enrolled_at]));
  const others = [...byContact].filter(([id, each]) => !enrolled.has(id) && Object.keys(each).length > 0);
  if (others.length > 0) await addVariables(db, principal, campaign.id, new Map(others));
  return enrolled;
};

/** The contacts that an import enrolled, if the enrollments still exist: those that no one has claimed, and the others. */
export interface ImportedEnrollments {
  readonly unclaimed: readonly string[];
  readonly claimed: readonly string[];
}

/** Finds the enrollments that an import made, by contacts and times. */
export const findImported = async (
  db: Db,
  { workspace }: Principal,
  campaign: string,
  times: ReadonlyMap<string, string>,
): Promise<ImportedEnrollments> => {
  const contacts = JSON.stringify([...times.keys()]);
  const found = times.size > 0 ? await db.all(store.findUnclaimed, { workspace, campaign, contacts }) : [];
  const made = found.filter(({ contact_id, enrolled_at }) => times.get(contact_id) === enrolled_at);
  const those = (unclaimed: number) => made.filter((row) => row.unclaimed === unclaimed).map(idOf);
  return { unclaimed: those(1), claimed: those(0) };
};
const idOf = ({ contact_id }: { contact_id: string }): string => contact_id;

/** The same, and removes those whom no one has claimed. Their contacts are locked. */
export const removeImported: typeof findImported = async (db, principal, campaign, times) => {
  const { unclaimed } = await findImported(db, principal, campaign, times);
  const which = { workspace: principal.workspace, campaign, contacts: JSON.stringify(unclaimed) };
  const removed = unclaimed.length > 0 ? await db.all(store.deleteUnclaimed, which) : [];
  await recordUnenrolled(db, principal, removed);
  const { claimed } = await findImported(db, principal, campaign, times);
  return { unclaimed: removed.map(idOf), claimed };
};
