import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { forbidden, invalidField, notFound } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { change, changedFields } from '../../records/change.ts';
import type { ById, Principal, UserPrincipal } from '../workspaces/principal.ts';
import type { ViewCreate, ViewQuery, ViewUpdate } from './view.schema.ts';
import * as store from './view.store.ts';

/* Saved views of lists: filters, order and columns under a name. A view is private or shared with the workspace. Its creator
 * changes it; an owner may also delete a shared one. */

export const viewId = typeId('view');
const MAX_VIEWS = 100;

const viewOf = (row: store.ViewRow, { actor }: Principal) => {
  const { workspace_id: _, created_by, shared, ...view } = row;
  return { ...view, shared: shared === 1, own: created_by === actor };
};
export type View = ReturnType<typeof viewOf>;

export const listViews = read('listViews', async (db, principal: UserPrincipal, { list }: ViewQuery) => {
  const { workspace, actor: user } = principal;
  const rows = await db.all(store.listViewRows, { workspace, user });
  return rows.filter((row) => !list || row.list === list).map((row) => viewOf(row, principal));
});

/** Locks a view that the user sees: a private one of someone else does not exist for the user. */
const lockVisible = async (db: Db, { workspace, actor }: Principal, id: string): Promise<store.ViewRow> => {
  const row = await db.get(store.selectViewForUpdate, { workspace, id: viewId.require(id) });
  if (!row || (row.shared === 0 && row.created_by !== actor)) throw notFound('view');
  return row;
};

export const createView = write(
  'createView',
  async (db, principal: UserPrincipal, { list, name, query, shared = false }: ViewCreate): Promise<View> => {
    const { workspace, actor: user } = principal;
    const { count = 0 } = (await db.get(store.countOwnViews, { workspace, user })) ?? {};
    if (Number(count) >= MAX_VIEWS)
      throw invalidField('name', `is one view too many: a user can save ${MAX_VIEWS}. Delete one first.`);
    const now = timestamp();
    const row: store.ViewRow = {
      workspace_id: workspace,
      id: viewId.create(),
      list,
      name,
      query,
      created_by: user,
      shared: shared ? 1 : 0,
      created_at: now,
      updated_at: now,
    };
    await db.run(store.insertView, row);
    change(db, principal, { action: 'view.created', subject: row.id });
    return viewOf(row, principal);
  },
);

const notOwn = () => forbidden('Only its creator can change a view. Save a copy of it instead.');

export const updateView = write(
  'updateView',
  async (db, principal: UserPrincipal, { id, ...wanted }: ViewUpdate & ById): Promise<View> => {
    const before = await lockVisible(db, principal, id);
    if (before.created_by !== principal.actor) throw notOwn();
    const { shared = before.shared === 1, name = before.name, query = before.query } = wanted;
    const row = { ...before, name, query, shared: shared ? 1 : 0 };
    const fields = changedFields(before, row, ['name', 'query', 'shared']);
    if (fields.length === 0) return viewOf(before, principal);
    row.updated_at = timestampAfter(before.updated_at);
    await db.run(store.updateViewRow, row);
    change(db, principal, { action: 'view.updated', subject: row.id, fields });
    return viewOf(row, principal);
  },
);

export const deleteView = write('deleteView', async (db, principal: UserPrincipal, { id }: ById) => {
  const row = await lockVisible(db, principal, id);
  if (row.created_by !== principal.actor && principal.role !== 'owner') throw notOwn();
  await db.run(store.deleteViewRow, { workspace: row.workspace_id, id: row.id });
  change(db, principal, { action: 'view.deleted', subject: row.id });
});
