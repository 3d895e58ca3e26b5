import { sql } from 'kysely';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { ViewList } from './view.schema.ts';

export type ViewRow = {
  workspace_id: number;
  id: string;
  list: string;
  name: string;
  query: string;
  created_by: string;
  shared: number;
  created_at: string;
  updated_at: string;
};

const statement = statementsOver<{ saved_views: ViewRow }>();

const COLUMNS = [
  'workspace_id',
  'id',
  'list',
  'name',
  'query',
  'created_by',
  'shared',
  'created_at',
  'updated_at',
] as const;

export const insertView = statement((query, row: ViewRow) =>
  query.insertInto('saved_views').values(pickColumns(row, COLUMNS)),
);

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

type Key = { workspace: number; id: string };

const find = (isLocked: boolean) =>
  statement((query, { workspace, id }: Key, dialect) => {
    const found = query
      .selectFrom('saved_views')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('id', '=', id);
    return isLocked ? found.modifyEnd(dialect.lockRow()) : found;
  });
export const findView = find(false);
export const selectViewForUpdate = find(true);

export const updateViewRow = statement(
  (query, row: Key & Pick<ViewRow, 'name' | 'query' | 'shared' | 'updated_at'>) =>
    query
      .updateTable('saved_views')
      .set(pickColumns(row, ['name', 'query', 'shared', 'updated_at']))
      .where('workspace_id', '=', row.workspace)
      .where('id', '=', row.id),
);

export const deleteViewRow = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('saved_views').where('workspace_id', '=', workspace).where('id', '=', id),
);

export const deletePrivateViews = statement((query, { workspace, user }: Own) =>
  query
    .deleteFrom('saved_views')
    .where('workspace_id', '=', workspace)
    .where('created_by', '=', user)
    .where('shared', '=', sql.lit(0)),
);
