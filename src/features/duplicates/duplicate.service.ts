import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { existing } from '../../lib/errors.ts';
import type { Action } from '../../records/actions.ts';
import { change } from '../../records/change.ts';
import { decodeCursor, encodeCursor } from '../../records/cursor.ts';
import { findBounds, findUnsequenced } from '../../records/event.store.ts';
import { contactId } from '../contacts/contact.service.ts';
import { shareContacts } from '../contacts/contact.store.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import {
  dismissedAmong,
  type IsDismissed,
  isGroup,
  lockDuplicates,
  membersOf,
  pairsOf,
  refreshGroups,
} from './duplicate.groups.ts';
import { duplicateReasons, strengthOf } from './duplicate.keys.ts';
import type { DuplicateQuery } from './duplicate.schema.ts';
import * as store from './duplicate.store.ts';

/** The contacts that a group shows: those with a pair that is not dismissed, or all if there is none. */
const shownOf = (ids: readonly string[], isDismissed: IsDismissed): readonly string[] => {
  const open = new Set(
    pairsOf(ids).flatMap((pair) => (isDismissed(pair) ? [] : [pair.contact_id, pair.other_id])),
  );
  return open.size === 0 ? ids : ids.filter((id) => open.has(id));
};

/** Groups with their contacts as they are now. A group that has just lost its contacts is left out. */
const groupsOf = async (db: Db, workspace: number, rows: readonly store.GroupRow[]) => {
  const found = await membersOf(
    db,
    workspace,
    rows.map(({ key }) => key),
  );
  const groups = new Map(found.filter(isGroup).map(({ key, members }) => [key, members]));
  const ids = [...new Set([...groups.values()].flat())];
  const isDismissed = await dismissedAmong(db, workspace, ids);
  const contacts = await db.all(store.findShown, { workspace, keys: JSON.stringify(ids) });
  const byId = new Map(contacts.map((each) => [each.id, each]));
  return rows.flatMap(({ workspace_id: _, key, dismissed, ...row }) => {
    const shown = shownOf(groups.get(key) ?? [], isDismissed).filter((id) => byId.has(id));
    if (shown.length < 2) return [];
    const dismissed_pairs = pairsOf(shown)
      .filter(isDismissed)
      .map((pair) => [pair.contact_id, pair.other_id]);
    const strength = strengthOf(row.reason);
    const shownContacts = shown.map((id) => byId.get(id));
    return {
      ...row,
      strength,
      dismissed: dismissed === 1,
      count: shown.length,
      contacts: shownContacts,
      dismissed_pairs,
    };
  });
};

/** Undefined if the contacts have never been compared. */
const statusOf = async (db: Db, workspace: number) => {
  const follower = await db.get(store.findFollower, { workspace });
  if (!follower) return undefined;
  if (follower.walked_until !== null) {
    const last = Number((await db.get(store.findLastContact, { workspace }))?.seq ?? 0);
    return {
      status: 'building',
      progress: last === 0 ? 0 : Math.min(1, Number(follower.walked_until) / last),
    };
  }
  const unsequenced = await db.get(findUnsequenced, { workspace });
  const bounds = await db.get(findBounds, { workspace });
  const isCurrent = !unsequenced && (bounds?.newest ?? 0) <= Number(follower.followed_until);
  return { status: isCurrent ? 'current' : 'updating', progress: 1 };
};

/** Before every group, in the order of the list. */
const FIRST = '~';

const cursorOf = {
  read: ([id]: readonly unknown[]) => (typeof id === 'string' ? store.duplicateId.parse(id) : undefined),
  message:
    'is not valid for these filters. Send the next_cursor of the previous page with the same filters, or start again without a cursor.',
};

/** The groups after a position, newest first: one index range for each reason, or the few groups of a contact. */
const findRows = async (
  db: Db,
  workspace: number,
  { reason, strength, contact_id = '', dismissed: asked }: DuplicateQuery,
  { before, limit }: { before: string; limit: number },
): Promise<store.GroupRow[]> => {
  const reasons = duplicateReasons.filter(
    (each) => (!reason || each === reason) && (!strength || strengthOf(each) === strength),
  );
  const dismissed = asked === 'true' ? 1 : 0;
  if (contact_id === '') {
    const pages = await Promise.all(
      reasons.map((each) => db.all(store.listGroups, { workspace, dismissed, reason: each, before, limit })),
    );
    return pages.flat();
  }
  const contact = contactId.parse(contact_id) ?? contact_id;
  const keys = await db.all(store.findKeysOf, { workspace, keys: JSON.stringify([contact]) });
  const which = { workspace, keys: JSON.stringify(keys.map(({ key }) => key)) };
  return (await db.all(store.findGroupsByKey, which)).filter(
    (row) => row.id < before && row.dismissed === dismissed && reasons.includes(row.reason),
  );
};

/** `status` is undefined if the contacts have never been compared. */
export const listDuplicates = longRead(
  'listDuplicates',
  async (db, principal: Principal, query: DuplicateQuery) => {
    const { workspace } = principal;
    const { cursor, limit = 20, reason, strength, contact_id, dismissed } = query;
    const list = ['duplicates', workspace, reason, strength, contact_id, dismissed];
    const before = cursor ? decodeCursor(list, cursor, cursorOf) : FIRST;
    const found = await findRows(db, workspace, query, { before, limit: limit + 1 });
    const sorted = found.sort((one, other) => (one.id < other.id ? 1 : -1));
    const rows = sorted.slice(0, limit);
    const last = rows.at(-1);
    return {
      ...(await statusOf(db, workspace)),
      duplicates: (await groupsOf(db, workspace, rows)).filter(
        ({ contacts }) => !contact_id || contacts.some((each) => each?.id === contactId.parse(contact_id)),
      ),
      next_cursor: last && sorted.length > limit ? encodeCursor(list, [last.id]) : null,
    };
  },
);

const findGroup = async (db: Db, workspace: number, id: string): Promise<store.GroupRow> =>
  existing('duplicate', await db.get(store.findGroup, { workspace, id: store.duplicateId.require(id) }));

const shownGroup = async (db: Db, workspace: number, row: store.GroupRow) =>
  existing('duplicate', (await groupsOf(db, workspace, [row]))[0]);

export const getDuplicate = read('getDuplicate', async (db, { workspace }: Principal, { id }: ById) =>
  shownGroup(db, workspace, await findGroup(db, workspace, id)),
);

/** Changes the dismissals of all pairs of a group, and the groups that have these pairs. */
const changesPairs = (
  name: string,
  action: Action,
  apply: (db: Db, workspace: number, pairs: readonly store.Pair[]) => Promise<readonly number[]>,
) =>
  write(name, async (db, principal: Principal, { id }: ById) => {
    const { workspace } = principal;
    const { key, id: subject } = await findGroup(db, workspace, id);
    const [before] = await membersOf(db, workspace, [key]);
    const keys = JSON.stringify(before?.members ?? []);
    const locked = new Set((await db.all(shareContacts, { workspace, keys })).map((each) => each.id));
    await lockDuplicates(db, workspace);
    const [now] = await membersOf(db, workspace, [key]);
    const members = now && isGroup(now) ? now.members.filter((each) => locked.has(each)) : [];
    const changed = await apply(db, workspace, pairsOf(members));
    if (changed.some((count) => count > 0)) {
      const common = await db.all(store.findCommonKeys, { workspace, keys: JSON.stringify(members) });
      await refreshGroups(
        db,
        workspace,
        common.map((each) => each.key),
      );
      change(db, principal, { action, subject, counts: { contacts: members.length } });
    }
    return shownGroup(db, workspace, await findGroup(db, workspace, id));
  });

/** Remembers that the contacts of a group are different people. */
export const dismissDuplicate = changesPairs(
  'dismissDuplicate',
  'duplicate.dismissed',
  async (db, workspace, pairs) =>
    db.each(
      store.insertDismissal,
      pairs.map((pair) => ({ workspace, ...pair })),
    ),
);

/** Forgets it, also for the pairs that were dismissed with another group. */
export const restoreDuplicate = changesPairs(
  'restoreDuplicate',
  'duplicate.restored',
  async (db, workspace, pairs) =>
    db.each(
      store.deleteDismissal,
      pairs.map((pair) => ({ workspace, ...pair })),
    ),
);
