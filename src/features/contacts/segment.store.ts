import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { columnsOf, type Key, namesOf, number, rowsOf, text, textOrNull } from '../../db/rows.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { notFound } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { FilterTree } from './filter.tree.ts';

export const segmentId = typeId('segment');

const columns = {
  workspace_id: number,
  id: text,
  name: text,
  /** A filter as JSON. */
  filter: text,
  sort: textOrNull,
  /** A JSON array. */
  columns: textOrNull,
  created_by: text,
  shared: number,
  created_at: text,
  updated_at: text,
};
export type SegmentRow = typeof columns;
const COLUMNS = namesOf(columns);

const segments = rowsOf<SegmentRow>({ table: 'segments' });

export const insertSegment = segments.insert(COLUMNS);
export const findSegment = segments.find(COLUMNS);
export const updateSegmentRow = segments.set(['name', 'filter', 'sort', 'columns', 'shared', 'updated_at']);
export const deleteSegmentRow = segments.remove;
export const countOwnSegments = segments.count({ by: { user: 'created_by' } });
/** Shared segments remain when their creator is deleted. */
export const deletePrivateSegments = segments.removeBy({
  by: { user: 'created_by' },
  where: sql`shared = 0`,
});

/** A private segment of someone else does not exist for the caller. */
const visible =
  (statement: Statement<Key, SegmentRow>) =>
  async (db: Db, { workspace, actor }: Principal, id: string): Promise<SegmentRow> => {
    const row = await db.get(statement, { workspace, id: segmentId.require(id) });
    if (!row || (row.shared === 0 && row.created_by !== actor)) throw notFound('segment');
    return row;
  };

export const findVisible = visible(findSegment);
export const lockVisible = visible(segments.lock(COLUMNS));
/** Keeps others from changing or deleting it until the transaction ends. */
export const shareVisible = visible(segments.share(COLUMNS));

export const treeOf = ({ filter }: Pick<SegmentRow, 'filter'>) => JSON.parse(filter) as FilterTree;

/** The segments that a caller sees: their own, and the shared ones. */
export const listSegmentRows = statement(
  ({ workspace, user }: { workspace: number; user: string }) => sql<SegmentRow>`
    select ${columnsOf(COLUMNS)} from segments
    where workspace_id = ${workspace} and (created_by = ${user} or shared = 1) order by name, id`,
);

type Matching = { workspace: number; pattern: string };
const matching = ({ workspace, pattern }: Matching) => sql`
  select ${columnsOf(COLUMNS)} from segments where workspace_id = ${workspace} and filter like ${pattern} order by id`;

/** Segments whose filter matches a pattern, such as one that contains an attribute. */
export const findMatching = statement((args: Matching) => sql<SegmentRow>`${matching(args)}`);
export const lockMatching = statement(
  (args: Matching, dialect) => sql<SegmentRow>`${matching(args)} ${dialect.lockRow()}`,
);
