import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { digest } from '../../lib/encryption.ts';
import { notFound } from '../../lib/errors.ts';
import { type Actor, change } from '../../records/change.ts';
import { NO_PASSWORD } from './password.ts';
import type { ById, Caller, Role } from './principal.ts';
import { newSessionToken, openSession } from './session.service.ts';
import { tokens } from './token.ts';
import { addUser, assertMayManage, assertMaySignIn, userOf } from './user.service.ts';
import { deleteLinkByHash, findUserRow, upsertLink } from './user.store.ts';

const linkToken = tokens('rl');

/** Whether a text has the form of a link's token. */
export const isLink = (token: string): boolean => linkToken.workspaceOf(token) !== undefined;

export const LINK_MS = 24 * 3_600_000;

/** Creates a sign-in link for a user, which works once, and invalidates the previous one. Only this result contains the token. It is
 *  in the URL fragment, which browsers do not send. */
export const createSignInLink = write('createSignInLink', async (db, who: Actor, { id }: ById) => {
  const { workspace } = who;
  const token = linkToken.create(workspace);
  const expires_at = new Date(Date.now() + LINK_MS).toISOString();
  const inserted = await db.run(upsertLink, {
    workspace_id: workspace,
    user_id: id,
    hash: digest(token),
    expires_at,
  });
  if (inserted === 0) throw notFound('user');
  // After the statement that locks the user, whose role can no longer change.
  await assertMayManage(db, who, id);
  assertMaySignIn(who);
  change(db, who, { action: 'link.created', subject: id });
  return { url_path: `/welcome#${token}`, expires_at };
});

/** Adds a user without a password, and a link to sign in and set one. */
export const inviteUser = write(
  'inviteUser',
  async (db, who: Actor, { email, role }: { email: string; role: Role }) => {
    const user = await addUser(db, who, { email, passwordHash: NO_PASSWORD, role });
    return { ...user, link: await createSignInLink(db, who, user) };
  },
);

/** Redeems a link and opens a session in which a password can be set without the current one. Undefined if the link is
 *  unknown, used, expired or replaced. */
export const redeemLink = write(
  'redeemLink',
  async (db, { request }: Caller, { token, address }: { token: string; address: string }) => {
    const workspace = linkToken.workspaceOf(token);
    if (workspace === undefined) return undefined;
    const redeemed = await db.get(deleteLinkByHash, { workspace, hash: digest(token), now: timestamp() });
    const user = redeemed && (await db.get(findUserRow, { workspace, id: redeemed.user_id }));
    if (!user) return undefined;
    const session = newSessionToken(workspace);
    const { id, email, password } = user;
    const who = { workspace, actor: id, request };
    const opened = await openSession(db, who, {
      password,
      token: session,
      byLink: true,
      from: { email, address },
    });
    return opened ? { token: session, user: userOf(user) } : undefined;
  },
);
