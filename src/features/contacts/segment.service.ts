import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { cascade } from '../../lib/cascade.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { forbidden, invalidField } from '../../lib/errors.ts';
import { type Page, type PageRequest, pageOf, pageRequestOf } from '../../lib/page.ts';
import { change, changedFields } from '../../records/change.ts';
import { lockFields } from '../fields/field.store.ts';
import { nameOfField } from '../fields/field.values.ts';
import { isKey, type Principal, type UserPrincipal } from '../workspaces/principal.ts';
import { assertMayFilter, resolved } from './contact.filters.ts';
import { type FilterTree, leavesOf } from './filter.tree.ts';
import { countFiltered } from './list.service.ts';
import type { SegmentCreate, SegmentUpdate } from './segment.schema.ts';
import * as store from './segment.store.ts';

/* Segments: filters of contacts under a name, with the order and the columns of the dashboard's list. A segment is private or shared
 * with the workspace. Its creator changes it; owners and API keys change shared ones, too. */

const MAX_SEGMENTS = 100;

/** What other features do before a segment is deleted or made private, and after its filter has changed. */
export const segmentDeletion = cascade<[Db, Principal, store.SegmentRow]>();
export const segmentChange = cascade<[Db, Principal, store.SegmentRow]>();

const segmentOf = (row: store.SegmentRow, { actor }: Principal) => ({
  id: row.id,
  name: row.name,
  filter: store.treeOf(row),
  sort: row.sort,
  columns: row.columns === null ? null : (JSON.parse(row.columns) as string[]),
  shared: row.shared === 1,
  own: row.created_by === actor,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
export type Segment = ReturnType<typeof segmentOf>;

/** Rejects a filter with a field that cannot be filtered by. Until the transaction ends, this stays so for all of its fields. */
export const lockFilter = async (db: Db, scope: { workspace: number }, filter: FilterTree, path?: string) => {
  await lockFields(db, scope.workspace);
  await resolved(db, scope, { filter }, path);
};

/** The ids of all segments that filter by a field. */
export const segmentsByField = async (db: Db, { workspace }: Principal, key: string): Promise<string[]> => {
  const attribute = nameOfField({ key });
  const found = await db.all(store.findMatching, { workspace, pattern: `%"${attribute}"%` });
  const hasField = (segment: store.SegmentRow) =>
    leavesOf(store.treeOf(segment)).some((leaf) => leaf.attribute === attribute);
  return found.filter(hasField).map(({ id }) => id);
};

/** Keeps a segment from being deleted or made private until the transaction ends. */
export const lockSharedSegment = async (
  db: Db,
  principal: Principal,
  id: string,
  field: string,
): Promise<store.SegmentRow> => {
  const row = await store.shareVisible(db, principal, id);
  assertMayFilter(principal, { filter: store.treeOf(row) });
  if (row.shared === 0)
    throw invalidField(
      field,
      'must be a shared segment, because everyone sees the campaign. Share it first.',
    );
  return row;
};

export const countSegment = longRead(
  'countSegment',
  async (db, principal: Principal, { id }: { id: string }): Promise<{ count: number }> => {
    const filter = await resolved(db, principal, { segment: id });
    return { count: await countFiltered(db, principal, filter) };
  },
);

export const listSegments = read(
  'listSegments',
  async (db, principal: Principal, query: Partial<PageRequest>): Promise<Page> => {
    const { limit, offset } = pageRequestOf(query);
    const { workspace, actor: user } = principal;
    const rows = await db.all(store.listSegmentRows, { workspace, user });
    const shown = rows.slice(offset, offset + limit).map((row) => segmentOf(row, principal));
    return pageOf(shown, rows.length);
  },
);

export const getSegment = read('getSegment', async (db, principal: Principal, { id }: { id: string }) =>
  segmentOf(await store.findVisible(db, principal, id), principal),
);

const storedOf = ({ filter, sort, columns, shared, name }: SegmentCreate) => ({
  name,
  filter: JSON.stringify(filter),
  sort: sort ?? null,
  columns: columns ? JSON.stringify(columns) : null,
  shared: shared ? 1 : 0,
});

const assertSharedByKey = (principal: Principal, shared: boolean | undefined): void => {
  if (isKey(principal) && shared === false)
    throw invalidField('shared', 'must be true for an API key, because no one else could see the segment.');
};

export const createSegment = write(
  'createSegment',
  async (db, principal: Principal, wanted: SegmentCreate): Promise<Segment> => {
    const { workspace, actor: user } = principal;
    assertSharedByKey(principal, wanted.shared);
    assertMayFilter(principal, { filter: wanted.filter });
    await lockFilter(db, principal, wanted.filter);
    const { count = 0 } = (await db.get(store.countOwnSegments, { workspace, user })) ?? {};
    if (Number(count) >= MAX_SEGMENTS) {
      throw invalidField(
        'name',
        `is one segment too many: each creator can have ${MAX_SEGMENTS}. Delete one first.`,
      );
    }
    const now = timestamp();
    const row: store.SegmentRow = {
      workspace_id: workspace,
      id: store.segmentId.create(),
      ...storedOf({ ...wanted, shared: wanted.shared ?? isKey(principal) }),
      created_by: user,
      created_at: now,
      updated_at: now,
    };
    await db.run(store.insertSegment, row);
    change(db, principal, { action: 'segment.created', subject: row.id });
    return segmentOf(row, principal);
  },
);

const isMember = (principal: Principal | UserPrincipal): boolean =>
  'role' in principal && principal.role !== 'owner';

const lockChangeable = async (db: Db, principal: Principal, id: string): Promise<store.SegmentRow> => {
  const row = await store.lockVisible(db, principal, id);
  if (row.created_by !== principal.actor && isMember(principal))
    throw forbidden('Only its creator and owners can change a segment. Save a copy of it instead.');
  return row;
};

export const updateSegment = write(
  'updateSegment',
  async (db, principal: Principal, { id, ...wanted }: SegmentUpdate & { id: string }): Promise<Segment> => {
    assertSharedByKey(principal, wanted.shared);
    const before = await lockChangeable(db, principal, id);
    const next = { ...segmentOf(before, principal), ...wanted } as SegmentCreate;
    assertMayFilter(principal, { filter: next.filter });
    const row = { ...before, ...storedOf(next) };
    const isHidden = row.shared < before.shared;
    if (isHidden && before.created_by !== principal.actor)
      throw forbidden('Only its creator can make a segment private.');
    if (isHidden) await segmentDeletion.run(db, principal, before);
    const fields = changedFields(before, row, ['name', 'filter', 'sort', 'columns', 'shared']);
    if (fields.length > 0) {
      row.updated_at = timestampAfter(before.updated_at);
      await db.run(store.updateSegmentRow, row);
      change(db, principal, { action: 'segment.updated', subject: row.id, fields });
    }
    if (fields.includes('filter')) await segmentChange.run(db, principal, row);
    // After the campaigns, in the lock order. A stored filter can name a field that was archived since.
    if (wanted.filter) await lockFilter(db, principal, wanted.filter);
    return segmentOf(row, principal);
  },
);

export const deleteSegment = write(
  'deleteSegment',
  async (db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const row = await lockChangeable(db, principal, id);
    await segmentDeletion.run(db, principal, row);
    await db.run(store.deleteSegmentRow, { workspace: row.workspace_id, id: row.id });
    change(db, principal, { action: 'segment.deleted', subject: row.id });
  },
);

/** A filter with a renamed tag. */
const withRenamedTag = (tree: FilterTree, renamed: { tag: string; to: string }): FilterTree => {
  const { tag, to } = renamed;
  const each = (some: readonly FilterTree[]) => some.map((one) => withRenamedTag(one, renamed));
  if ('all' in tree) return { all: each(tree.all) };
  if ('any' in tree) return { any: each(tree.any) };
  if ('not' in tree) return { not: withRenamedTag(tree.not, renamed) };
  if (tree.attribute !== 'tag') return tree;
  const { value } = tree;
  if (!Array.isArray(value)) return value === tag ? { ...tree, value: to } : tree;
  return { ...tree, value: [...new Set(value.map((one) => (one === tag ? to : one)))] };
};

/** Changes segments that filter by a renamed tag, also private ones of other users. Returns when it changed those that the opposite
 *  would restore. `times` limits it to segments that have not changed since. */
export const renameTagInSegments = async (
  db: Db,
  principal: Principal,
  { times, ...renamed }: { tag: string; to: string; times?: Readonly<Record<string, string>> | undefined },
): Promise<Record<string, string>> => {
  const { workspace } = principal;
  const opposite = { tag: renamed.to, to: renamed.tag };
  const changed: Record<string, string> = {};
  for (const segment of await db.all(store.lockMatching, { workspace, pattern: '%"tag"%' })) {
    if (times && times[segment.id] !== segment.updated_at) continue;
    const tree = withRenamedTag(store.treeOf(segment), renamed);
    const filter = JSON.stringify(tree);
    if (filter === segment.filter) continue;
    const row = { ...segment, filter, updated_at: timestampAfter(segment.updated_at) };
    await db.run(store.updateSegmentRow, row);
    change(db, principal, { action: 'segment.updated', subject: row.id, fields: ['filter'] });
    await segmentChange.run(db, principal, row);
    if (JSON.stringify(withRenamedTag(tree, opposite)) === segment.filter) changed[row.id] = row.updated_at;
  }
  return changed;
};
