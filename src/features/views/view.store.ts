import { sql } from 'kysely';
import { columnsOf, namesOf, number, rowsOf, text } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';

const columns = {
  workspace_id: number,
  id: text,
  list: text,
  name: text,
  query: text,
  created_by: text,
  shared: number,
  created_at: text,
  updated_at: text,
};
export type ViewRow = typeof columns;
const COLUMNS = namesOf(columns);

const views = rowsOf<ViewRow>({ table: 'saved_views' });

export const insertView = views.insert(COLUMNS);
/** The views that a user sees: their own, and the shared ones. */
export const listViewRows = statement(
  ({ workspace, user }: { workspace: number; user: string }) => sql<ViewRow>`
    select ${columnsOf(COLUMNS)} from saved_views
    where workspace_id = ${workspace} and (created_by = ${user} or shared = 1) order by list, name, id`,
);
export const countOwnViews = views.count({ by: { user: 'created_by' } });
export const selectViewForUpdate = views.lock(COLUMNS);
export const updateViewRow = views.set(['name', 'query', 'shared', 'updated_at']);
export const deleteViewRow = views.remove;
/** Shared views remain when their creator is deleted. */
export const deletePrivateViews = views.removeBy({ by: { user: 'created_by' }, where: sql`shared = 0` });
