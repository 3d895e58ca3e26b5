import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { statement } from '../../db/statement.ts';
import { change } from '../../records/change.ts';
import { movedRows, type RowKeys } from '../../records/moved-rows.ts';
import type { Principal } from '../workspaces/principal.ts';
import { snapshotOf } from './call.service.ts';
import { findListedCalls } from './call.store.ts';

/* Calls of a merged contact. The latest move with it, and all others in steps. Its sessions stay: they name the contact that it is a part
 * of now. */

const declaration = { table: 'calls', key: ['id'] };
const latestFirst = movedRows({ ...declaration, order: sql`started_at desc, id desc` });
const earliestFirst = movedRows({ ...declaration, order: sql`started_at, id` });

export const countCalls = latestFirst.count;

const recordAll = async (db: Db, principal: Principal, keys: RowKeys): Promise<void> => {
  const ids = JSON.stringify(keys.map(({ id }) => id));
  for (const row of await db.all(findListedCalls, { workspace: principal.workspace, ids })) {
    const entry = { subject: row.id, isAudited: false, fields: ['contact_id'] };
    change(db, principal, { action: 'call.updated', ...entry, event: snapshotOf(row) });
  }
};

const countSince = statement(
  ({ workspace, contact, at }: { workspace: number; contact: string; at: string }) => sql<{ count: number }>`
    select count(*) as count from calls where workspace_id = ${workspace} and contact_id = ${contact} and started_at >= ${at}`,
);

/** How many calls of a contact started since a time. */
export const countCallsSince = async (
  db: Db,
  workspace: number,
  contact: string,
  at: string,
): Promise<number> => Number((await db.get(countSince, { workspace, contact, at }))?.count);

type Between = { from: string; to: string };

/** Moves the latest calls, at most `limit`, and returns their keys. */
export const moveCalls = async (
  db: Db,
  principal: Principal,
  between: Between,
  limit: number,
): Promise<RowKeys> => {
  const keys = await latestFirst.move(db, { workspace: principal.workspace, ...between }, limit);
  await recordAll(db, principal, keys);
  return keys;
};

/** Moves the first call, because the times of the first call are shown. */
export const moveFirstCall = async (db: Db, principal: Principal, between: Between): Promise<RowKeys> => {
  const keys = await earliestFirst.move(db, { workspace: principal.workspace, ...between }, 1);
  await recordAll(db, principal, keys);
  return keys;
};

/** Moves calls back to a contact that exists again, unless they belong to another one by now. */
export const moveCallsBack = async (
  db: Db,
  principal: Principal,
  between: Between,
  keys: RowKeys,
): Promise<void> => {
  await latestFirst.moveBack(db, { workspace: principal.workspace, ...between }, keys);
  await recordAll(db, principal, keys);
};
