import type { Db } from '../../db/db.ts';
import { timestamp } from '../../lib/clock.ts';
import { type ComparedContact, shareCompared } from '../contacts/contact.store.ts';
import { contradictionsOf } from '../contacts/identity.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { attestedKey, keysOf, reasonOf } from './duplicate.keys.ts';
import * as store from './duplicate.store.ts';

/** A key that more contacts have says nothing about a person: it has no group. */
export const MAX_MEMBERS = 20;

export const lockDuplicates = async (db: Db, workspace: number): Promise<void> => {
  await db.get(store.lockDuplicates, { workspace, name: `duplicates of ${workspace}` });
};

const pairOf = (one: string, other: string): store.Pair =>
  one < other ? { contact_id: one, other_id: other } : { contact_id: other, other_id: one };

/** All pairs of some contacts. */
export const pairsOf = (ids: readonly string[]): store.Pair[] =>
  ids.flatMap((one, at) => ids.slice(at + 1).map((other) => pairOf(one, other)));

export type IsDismissed = (pair: store.Pair) => boolean;

/** Which pairs of some contacts are not the same person. */
export const dismissedAmong = async (
  db: Db,
  workspace: number,
  ids: readonly string[],
): Promise<IsDismissed> => {
  const found =
    ids.length === 0
      ? []
      : await db.all(store.findDismissals, { workspace, keys: JSON.stringify([...new Set(ids)]) });
  const dismissed = new Set(found.map(({ contact_id, other_id }) => `${contact_id} ${other_id}`));
  return ({ contact_id, other_id }) => dismissed.has(`${contact_id} ${other_id}`);
};

/** The contacts of keys, one more than a group may have. */
export const membersOf = async (db: Db, workspace: number, keys: readonly string[]) => {
  const which = { workspace, keys: JSON.stringify(keys), limit: MAX_MEMBERS + 1 };
  const found = keys.length === 0 ? [] : await db.all(store.findMembers, which);
  return found.map(({ key, id, members }) => ({ key, id, members: members?.split(',').sort() ?? [] }));
};

export const isGroup = ({ members }: { members: readonly string[] }): boolean =>
  members.length > 1 && members.length <= MAX_MEMBERS;

/** Creates, changes and deletes the groups of some keys, whose contacts or dismissals have changed. */
export const refreshGroups = async (db: Db, workspace: number, keys: readonly string[]): Promise<void> => {
  const found = await membersOf(db, workspace, [...new Set(keys)]);
  const grouped = found.filter(isGroup);
  const isDismissed = await dismissedAmong(
    db,
    workspace,
    grouped.flatMap(({ members }) => members),
  );
  const now = timestamp();
  const rows = grouped.map(({ key, id, members }) => ({
    isNew: id === null,
    row: {
      workspace_id: workspace,
      id: id ?? store.duplicateId.create(),
      key,
      reason: reasonOf(key),
      dismissed: pairsOf(members).every(isDismissed) ? 1 : 0,
      created_at: now,
      updated_at: now,
    },
  }));
  const gone = found.flatMap((each) => (each.id === null || isGroup(each) ? [] : { workspace, id: each.id }));
  await db.each(store.deleteGroup, gone);
  await db.each(
    store.updateGroup,
    rows.flatMap(({ isNew, row }) => (isNew ? [] : row)),
  );
  await Promise.all(
    db.insertRows(
      store.insertGroups,
      rows.flatMap(({ isNew, row }) => (isNew ? row : [])),
    ),
  );
};

/** Brings the keys of some contacts and their groups up to date. The follower is locked, and the contacts are while they are compared. */
export const updateKeys = async (db: Db, workspace: number, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const contradictions = await db.all(contradictionsOf, { workspace, keys: JSON.stringify(ids) });
  const involved = contradictions.flatMap(({ holder, contact }) => [holder, contact]);
  const which = { workspace, keys: JSON.stringify([...new Set([...ids, ...involved])]) };
  const contacts: ComparedContact[] = await db.all(shareCompared, which);
  const attested = Map.groupBy(
    contradictions.flatMap(({ identity, ...pair }) => Object.values(pair).map((id) => ({ id, identity }))),
    ({ id }) => id,
  );
  const allKeysOf = (contact: ComparedContact): string[] => [
    ...keysOf(contact),
    ...new Set((attested.get(contact.id) ?? []).map(({ identity }) => attestedKey(identity))),
  ];
  const stored = await db.all(store.findKeysOf, which);
  const entry = (key: string, contact: string) => `${key} ${contact}`;
  const wanted = new Map(
    contacts.flatMap((each) =>
      allKeysOf(each).map((key) => [
        entry(key, each.id),
        { workspace_id: workspace, key, contact_id: each.id },
      ]),
    ),
  );
  const known = new Set(stored.map(({ key, contact_id }) => entry(key, contact_id)));
  const added = [...wanted].flatMap(([name, row]) => (known.has(name) ? [] : row));
  const removed = stored.filter(({ key, contact_id }) => !wanted.has(entry(key, contact_id)));
  if (added.length + removed.length === 0) return;
  await lockDuplicates(db, workspace);
  await db.each(
    store.deleteKey,
    removed.map(({ key, contact_id: contact }) => ({ workspace, key, contact })),
  );
  await Promise.all(db.insertRows(store.insertKeys, added));
  await refreshGroups(
    db,
    workspace,
    [...added, ...removed].map(({ key }) => key),
  );
};

/** Deletes the keys of contacts that no longer exist. */
export const deleteKeys = async (db: Db, workspace: number, ids: readonly string[]): Promise<void> => {
  const which = { workspace, keys: JSON.stringify(ids) };
  const stored = await db.all(store.findKeysOf, which);
  if (stored.length === 0) return;
  await lockDuplicates(db, workspace);
  await db.run(store.eraseKeys, which);
  await refreshGroups(
    db,
    workspace,
    stored.map(({ key }) => key),
  );
};

/** Deletes what is stored of deleted contacts. */
export const eraseDuplicates = async (
  db: Db,
  { workspace }: Principal,
  contacts: readonly { id: string }[],
): Promise<void> => {
  const ids = contacts.map(({ id }) => id);
  for (const erase of store.eraseDismissals) await db.run(erase, { workspace, keys: JSON.stringify(ids) });
  await deleteKeys(db, workspace, ids);
};
