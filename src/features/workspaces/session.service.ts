import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { rowsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { timestamp } from '../../lib/clock.ts';
import { digest } from '../../lib/encryption.ts';
import { unauthorized } from '../../lib/errors.ts';
import { type Actor, change } from '../../records/change.ts';
import { eventIdOf } from '../../records/event.id.ts';
import { findBounds, findEvent } from '../../records/event.store.ts';
import type { Role, UserPrincipal } from './principal.ts';
import { rememberAddress } from './sign-in.limits.ts';
import { tokens } from './token.ts';

type SessionRow = {
  workspace_id: number;
  hash: string;
  user_id: string;
  created_at: string;
  expires_at: string;
  /** 1 if the session was opened by a link and no password was set since. */
  by_link: number;
};

type Session = { id: string; email: string; role: Role; name: string; by_link: number };

/** Adds a session if the user exists and still has the same password. Locks the user's row. */
const insertSession = statement(
  (row: SessionRow & { password: string }, dialect) => sql<never>`
    insert into sessions (workspace_id, hash, user_id, created_at, expires_at, by_link)
    select workspace_id, ${row.hash}, id, ${row.created_at}, ${row.expires_at}, ${row.by_link} from users
    where workspace_id = ${row.workspace_id} and id = ${row.user_id} and password = ${row.password} ${dialect.lockRow()}`,
);
const findSessionRow = statement(
  ({ workspace, hash, now }: Record<'hash' | 'now', string> & { workspace: number }) => sql<Session>`
    select users.id, users.email, users.role, workspaces.name, sessions.by_link from sessions
    join users on users.id = sessions.user_id join workspaces on workspaces.id = sessions.workspace_id
    where sessions.workspace_id = ${workspace} and sessions.hash = ${hash} and sessions.expires_at > ${now}`,
);
const deleteExpired = statement(
  ({ workspace, now }: { workspace: number; now: string }) =>
    sql<never>`delete from sessions where workspace_id = ${workspace} and expires_at <= ${now}`,
);
const deleteUserSessions = statement(
  ({ workspace, user, keep }: { workspace: number; user: string; keep: string }) => sql<never>`
    delete from sessions where workspace_id = ${workspace} and user_id = ${user} and hash <> ${keep}`,
);
const sessions = rowsOf<SessionRow>({ table: 'sessions' });
const deleteSession = sessions.removeBy({ by: { hash: 'hash' } });
const setByLink = sessions.set(['by_link'], { by: { hash: 'hash' } });

export const SESSION_MS = 14 * 24 * 3_600_000;

export const { create: newSessionToken, workspaceOf } = tokens('rs');

interface NewSession {
  readonly password: string;
  readonly token: string;
  readonly byLink: boolean;
  /** The account and the address to remember for its sign-in limits. */
  readonly from?: { readonly email: string; readonly address: string };
}

/** Opens a session for the actor after a correct password or a link. `password` is the stored hash that was checked; returns
 *  false if it has changed since. */
export const openSession = write(
  'openSession',
  async (db, who: Actor, { password, token, byLink, from }: NewSession): Promise<boolean> => {
    const { workspace, actor } = who;
    const now = timestamp();
    await db.run(deleteExpired, { workspace, now });
    const opened = await db.run(insertSession, {
      workspace_id: workspace,
      hash: digest(token),
      user_id: actor,
      password,
      created_at: now,
      expires_at: new Date(Date.parse(now) + SESSION_MS).toISOString(),
      by_link: byLink ? 1 : 0,
    });
    if (opened === 0) return false;
    if (from) await rememberAddress(db, who, from);
    change(db, who, { action: 'session.created', subject: actor });
    return true;
  },
);

/** The user of a session token; undefined if the session has expired. */
export const findSession = read('findSession', async (db, _: null, { token }: { token: string }) => {
  const workspace = workspaceOf(token);
  if (workspace === undefined) return undefined;
  const session = digest(token);
  const user = await db.get(findSessionRow, { workspace, hash: session, now: timestamp() });
  return user && { workspace, actor: user.id, email: user.email, role: user.role, session };
});

/** Whether the session is still open, with the same role. */
export const isSessionOpen = async (db: Db, { workspace, session, role }: UserPrincipal): Promise<boolean> =>
  (await db.get(findSessionRow, { workspace, hash: session, now: timestamp() }))?.role === role;

/** `must_set_password`: whether the session was opened by a link and no password was set since. `after`: the newest event with a
 *  position, so that what is read later has it. */
export const getSessionInfo = read('getSession', async (db, { workspace, session }: UserPrincipal) => {
  const found = await db.get(findSessionRow, { workspace, hash: session, now: timestamp() });
  if (!found) throw signInRequired();
  const { name, by_link, ...user } = found;
  const newest = (await db.get(findBounds, { workspace }))?.newest;
  const event = newest ? await db.get(findEvent, { workspace, seq: newest }) : undefined;
  const after = event ? eventIdOf(event) : null;
  return { ...user, workspace: { name }, must_set_password: by_link === 1, after };
});

export const signInRequired = () => unauthorized('Sign-in required: POST /dashboard/api/session.', 'Session');

export const closeSession = write('closeSession', async (db, who: UserPrincipal): Promise<void> => {
  await db.run(deleteSession, { workspace: who.workspace, hash: who.session });
  change(db, who, { action: 'session.deleted', subject: who.actor });
});

/** Ends all sessions of a user except one, which no longer requires a new password. */
export const endSessionsOf = async (
  db: Db,
  { workspace, user, keep }: { workspace: number; user: string; keep: string },
): Promise<void> => {
  await db.run(deleteUserSessions, { workspace, user, keep });
  await db.run(setByLink, { workspace_id: workspace, hash: keep, by_link: 0 });
};
