import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { timestamp } from '../kernel/clock.ts';
import { digest } from '../kernel/seal.ts';
import { statementsOver } from '../storage/statement.ts';
import type { Db } from '../storage/storage.ts';
import type { Role, UserPrincipal } from './principal.ts';

type SessionRow = {
  workspace_id: number;
  hash: string;
  user_id: string;
  created_at: string;
  expires_at: string;
};

const statement = statementsOver<{
  sessions: SessionRow;
  users: { id: string; email: string; role: Role };
}>();

/** Adds a session while the user is there and has the password still; the user is held until then. */
const insertSession = statement(
  (_, row: SessionRow & { password: string }, can) => sql<never>`
    insert into sessions (workspace_id, hash, user_id, created_at, expires_at)
    select workspace_id, ${row.hash}, id, ${row.created_at}, ${row.expires_at} from users
    where workspace_id = ${row.workspace_id} and id = ${row.user_id} and password = ${row.password} ${can.lockRow()}`,
);
const findSessionRow = statement(
  (query, { workspace, hash, now }: { workspace: number; hash: string; now: string }) =>
    query
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['users.id', 'users.email', 'users.role'])
      .where('sessions.workspace_id', '=', workspace)
      .where('sessions.hash', '=', hash)
      .where('sessions.expires_at', '>', now),
);
const deleteSession = statement((query, { workspace, hash }: { workspace: number; hash: string }) =>
  query.deleteFrom('sessions').where('workspace_id', '=', workspace).where('hash', '=', hash),
);
const deleteExpired = statement((query, { workspace, now }: { workspace: number; now: string }) =>
  query.deleteFrom('sessions').where('workspace_id', '=', workspace).where('expires_at', '<=', now),
);
const deleteOfUser = statement(
  (query, { workspace, user, keep }: { workspace: number; user: string; keep: string }) =>
    query
      .deleteFrom('sessions')
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', user)
      .where('hash', '<>', keep),
);

/** How long a session lasts. */
export const SESSION_MS = 14 * 24 * 3_600_000;

/** A session's token names its workspace, as a key does. */
export const newSessionToken = (workspace: number): string =>
  `rs_${workspace.toString(36)}_${randomBytes(24).toString('base64url')}`;

export const workspaceOfToken = (token: string): number | undefined => {
  const named = /^rs_([0-9a-z]{1,10})_[\w-]{32}$/.exec(token)?.[1];
  return named === undefined ? undefined : Number.parseInt(named, 36);
};

/** Opens a session for a user whose password was found right, as it was stored then. False when it is another by now. */
export const openSession = async (
  db: Db,
  { workspace }: { workspace: number },
  { user, password, token }: { user: string; password: string; token: string },
): Promise<boolean> => {
  const now = timestamp();
  await db.run(deleteExpired, { workspace, now });
  const opened = await db.run(insertSession, {
    workspace_id: workspace,
    hash: digest(token),
    user_id: user,
    password,
    created_at: now,
    expires_at: new Date(Date.parse(now) + SESSION_MS).toISOString(),
  });
  return opened > 0;
};

/** Who a token belongs to, while its session lasts. */
export const findSession = async (
  db: Db,
  _: null,
  { token }: { token: string },
): Promise<UserPrincipal | undefined> => {
  const workspace = workspaceOfToken(token);
  if (workspace === undefined) return undefined;
  const session = digest(token);
  const user = await db.get(findSessionRow, { workspace, hash: session, now: timestamp() });
  return user && { workspace, actor: user.id, email: user.email, role: user.role, session };
};

export const closeSession = async (db: Db, { workspace, session }: UserPrincipal): Promise<void> => {
  await db.run(deleteSession, { workspace, hash: session });
};

export const endSessionsOf = (db: Db, who: { workspace: number; user: string; keep: string }) =>
  db.run(deleteOfUser, who);
