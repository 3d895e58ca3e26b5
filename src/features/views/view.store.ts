import { sql } from 'kysely';
import { namesOf, number, rowsOf, text } from '../../db/rows.ts';
import { statementsOver } from '../../db/statement.ts';
import type { ViewList } from './view.schema.ts';

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

const statement = statementsOver<{ saved_views: ViewRow }>();

export const insertView = views.insert(COLUMNS);

type Own = { workspace: number; user: string };

/** The views of a list that a user sees: their own, and the shared ones. */
export const listViewRows = statement((query, { workspace, user, list }: Own & { list: ViewList }) =>
  query
    .selectFrom('saved_views')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('list', '=', list)
    .where((where) => where.or([where('created_by', '=', user), where('shared', '=', sql.lit(1))]))
    .orderBy('name')
    .orderBy('id'),
);

export const countOwnViews = statement((query, { workspace, user }: Own) =>
  query
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspace)
    .where('created_by', '=', user),
);

/** Views of a list whose parameters may have a tag. */
export const selectViewsWithTagsForUpdate = statement(
  (query, { workspace, list }: { workspace: number; list: ViewList }, dialect) =>
    query
      .selectFrom('saved_views')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('list', '=', list)
      .where('query', 'like', sql.lit('%tag%'))
      .orderBy('id')
      .modifyEnd(dialect.lockRow()),
);

export const findView = views.find(COLUMNS);
export const selectViewForUpdate = views.lock(COLUMNS);
export const updateViewRow = views.set(['name', 'query', 'shared', 'updated_at']);
export const deleteViewRow = views.remove;
export const deletePrivateViews = views.removeBy({ by: { user: 'created_by' }, where: sql`shared = 0` });
