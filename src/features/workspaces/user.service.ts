import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { pickColumns, type Statement } from '../../db/statement.ts';
import { timestamp } from '../../lib/clock.ts';
import { conflict, existing, forbidden, notFound } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { memberScopes, scopeSet } from '../../lib/scopes.ts';
import { type Actor, change } from '../../records/change.ts';
import { NO_PASSWORD } from './password.ts';
import { assertMayGrant, type ById, isKey, type Principal, type Role } from './principal.ts';
import { endSessionsOf } from './session.service.ts';
import { deleteAddressesOf } from './sign-in.store.ts';
import * as store from './user.store.ts';

export const userId = typeId('user');

export const userOf = (row: store.UserRow) => pickColumns(row, store.SHOWN);
export type User = ReturnType<typeof userOf>;

/** The user who signs in: in the given workspace, or else the first one with this email. */
export const findUser = read(
  'findUser',
  (db, _: null, { email, workspace = '' }: { email: string; workspace?: string | undefined }) =>
    db.get(store.findByEmail, { email: store.emailOf(email), workspace, none: NO_PASSWORD }),
);

/** The user with this email in a workspace. */
export const findMember = read(
  'findMember',
  (db, { workspace }: Pick<Actor, 'workspace'>, { email }: { email: string }) =>
    db.get(store.findInWorkspace, { workspace, email: store.emailOf(email) }),
);

/** The user of the principal. */
export const findSelf = read('findSelf', (db, { workspace, actor }: Principal) =>
  db.get(store.findUserRow, { workspace, id: actor }),
);

export const listUsers = longRead(
  'listUsers',
  async (db, { workspace }: Principal): Promise<User[]> => db.all(store.listUserRows, { workspace }),
);

export const getUser = read('getUser', async (db, { workspace }: Principal, { id }: ById) =>
  userOf(existing('user', await db.get(store.findUserRow, { workspace, id }))),
);

const ownersManageOwners = () =>
  forbidden('An API key can manage members, but not owners. Owners are managed by owners in the dashboard.');

/** A key that can sign in as a user can do what the user may. */
export const assertMaySignIn = (who: Actor): void =>
  assertMayGrant(
    who,
    scopeSet(memberScopes),
    'A sign-in link gives access to the dashboard, so the API key needs the scopes of a member.',
  );

/** A key cannot give itself the access of an owner. */
const assertMayCreate = (who: Actor, role: Role): void => {
  if (role === 'owner' && isKey(who)) throw ownersManageOwners();
};

/** A key cannot change a user who is an owner, or create a sign-in link for one. */
export const assertMayManage = async (db: Db, who: Actor, id: string): Promise<void> => {
  if (!isKey(who)) return;
  const found = existing('user', await db.get(store.findUserRow, { workspace: who.workspace, id }));
  if (found.role === 'owner') throw ownersManageOwners();
};

export const addUser = write(
  'addUser',
  async (
    db,
    who: Actor,
    { email, passwordHash, role }: { email: string; passwordHash: string; role: Role },
  ): Promise<User> => {
    assertMayCreate(who, role);
    assertMaySignIn(who);
    const user = { id: userId.create(), email: store.emailOf(email), role, created_at: timestamp() };
    const inserted = await db.run(store.insertUser, {
      ...user,
      workspace_id: who.workspace,
      password: passwordHash,
    });
    if (inserted === 0) throw conflict('A user with this email already exists in this workspace.');
    change(db, who, { action: 'user.created', subject: user.id });
    return user;
  },
);

/** Replaces the password hash `was`, ends all sessions of the user except `keep`, and deletes an unused link. Returns false
 *  if the hash has changed since. */
export const setPassword = write(
  'setPassword',
  async (
    db,
    who: Actor,
    { id, was, passwordHash, keep }: { id: string; was: string; passwordHash: string; keep: string | null },
  ): Promise<boolean> => {
    const { workspace } = who;
    if ((await db.run(store.setPasswordRow, { workspace, id, was, password: passwordHash })) === 0)
      return false;
    await endSessionsOf(db, { workspace, user: id, keep: keep ?? '' });
    await db.run(store.deleteLinkOf, { workspace, user: id });
    change(db, who, { action: 'user.updated', subject: id, fields: ['password'] });
    return true;
  },
);

/** Replaces a hash by a newer one of the same password. Sessions continue. */
export const replaceHash = write(
  'replaceHash',
  async (db, { workspace, actor }: Actor, { was, passwordHash }: { was: string; passwordHash: string }) => {
    await db.run(store.setPasswordRow, { workspace, id: actor, was, password: passwordHash });
  },
);

/** Every workspace must keep an owner. */
const assertAnotherOwner = async (db: Db, workspace: number, leaving: string) => {
  const owners = await db.all(store.lockOwners, { workspace });
  if (owners.every(({ id }) => id === leaving))
    throw conflict('This is the only owner. Make another user an owner first.');
};

/** Changes the role of a user. An unused sign-in link of a member does not become one of an owner: a key may have created it. */
export const updateUser = write(
  'updateUser',
  async (db, who: Principal, { id, role }: { id: string; role: Role }): Promise<User> => {
    const { workspace } = who;
    await assertMayManage(db, who, id);
    assertMayCreate(who, role);
    if (role !== 'owner') await assertAnotherOwner(db, workspace, id);
    const before = await db.get(store.findUserRow, { workspace, id });
    await db.run(store.setRoleRow, { workspace_id: workspace, id, role });
    if (before?.role !== role) await db.run(store.deleteLinkOf, { workspace, user: id });
    const found = existing('user', await db.get(store.findUserRow, { workspace, id }));
    const values = { before: { role: before?.role }, after: { role } };
    change(db, who, { action: 'user.updated', subject: id, fields: ['role'], values });
    return userOf(found);
  },
);

/** The statements that delete what is stored about a deleted user. Other features add theirs in handlers.ts. */
export const userDeletion = new Set<Statement<{ workspace: number; user: string }, unknown>>([
  store.deleteLinkOf,
  deleteAddressesOf,
]);

export const deleteUser = write('deleteUser', async (db, who: Principal, { id }: ById) => {
  const { workspace } = who;
  await assertMayManage(db, who, id);
  await assertAnotherOwner(db, workspace, id);
  await endSessionsOf(db, { workspace, user: id, keep: '' });
  if ((await db.run(store.deleteUserRow, { workspace, id })) === 0) throw notFound('user');
  for (const statement of userDeletion) await db.run(statement, { workspace, user: id });
  change(db, who, { action: 'user.deleted', subject: id });
});
