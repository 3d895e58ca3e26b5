import type { Db } from '../../db/db.ts';
import type { Key } from '../../db/rows.ts';
import type { Statement } from '../../db/statement.ts';
import { notFound } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { FilterTree } from './filter.tree.ts';
import * as store from './segment.store.ts';

export const segmentId = typeId('segment');

/** A private segment of someone else does not exist for the caller. */
const findWith =
  (statement: Statement<Key, store.SegmentRow>) =>
  async (db: Db, { workspace, actor }: Principal, id: string): Promise<store.SegmentRow> => {
    const row = await db.get(statement, { workspace, id: segmentId.require(id) });
    if (!row || (row.shared === 0 && row.created_by !== actor)) throw notFound('segment');
    return row;
  };

export const findVisible = findWith(store.findSegment);
export const lockVisible = findWith(store.lockSegment);
/** Keeps others from changing it until the transaction ends. */
export const shareVisible = findWith(store.shareSegment);

export const treeOf = ({ filter }: Pick<store.SegmentRow, 'filter'>) => JSON.parse(filter) as FilterTree;
