import type { Storage } from '../../db/storage.ts';
import { Semaphore } from '../../lib/concurrency.ts';
import { type ApiError, rateLimited, unauthorized, unavailable } from '../../lib/errors.ts';
import { PROGRAM } from '../../lib/executable.ts';
import { networkOf } from '../../lib/ip-address.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { type Actor, UNKNOWN_CALLER } from '../../records/change.ts';
import { isLink, redeemLink } from './link.service.ts';
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from './password.ts';
import { newSessionToken, openSession } from './session.service.ts';
import { admitAttempt, confirmFailure, settleAttempt } from './sign-in.limits.ts';
import { findUser, replaceHash, userOf } from './user.service.ts';
import type { UserRow } from './user.store.ts';

const MAX_QUEUED = 20;

/** Running and waiting attempts, by network. */
const queues = new Map<string, Semaphore>();

/** Runs the attempts of one network one after another: each sees the results of the previous ones, and one network occupies
 *  at most one slot of the password hasher. */
const inOrder = async <T>(address: string, attempt: () => Promise<T>): Promise<T> => {
  const network = networkOf(address);
  const queue = queues.getOrInsertComputed(network, () => new Semaphore(1));
  if (queue.active >= MAX_QUEUED)
    throw unavailable('Too many sign-ins from this address. Retry in a few seconds.');
  try {
    return await queue.run(attempt);
  } finally {
    if (queue.active === 0) queues.delete(network);
  }
};

/** Attempts are admitted one after another, so that those of one account, which wait for each other, occupy only one connection to
 *  PostgreSQL. */
const admissions = new Semaphore(1);

export interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** The id of the request. */
  readonly request?: string | undefined;
}

/** The user with this password; undefined counts as a failure. An account that does not exist takes the same work. */
export const checkPassword = (
  storage: Storage,
  { email, password, address, request }: Attempt,
  { hasSession, find }: { hasSession: boolean; find: () => MaybePromise<UserRow | undefined> },
): Promise<UserRow | undefined> =>
  inOrder(address, async () => {
    const attempted = { email, address, hasSession };
    const { waitMs, at, isKnown } = await admissions.run(() => storage.run(admitAttempt, null, attempted));
    if (waitMs > 0) throw tooManyFailures(waitMs);
    try {
      const found = await find();
      if (await verifyPassword(password, found?.password ?? NO_PASSWORD, { isKnown })) {
        await storage.run(settleAttempt, null, { ...attempted, at, isCorrect: true });
        return found;
      }
      const who = found && {
        workspace: found.workspace_id,
        actor: hasSession ? found.id : UNKNOWN_CALLER,
        request,
      };
      await storage.run(confirmFailure, who ?? null, { ...attempted, at, user: found?.id });
      return undefined;
    } catch (error) {
      await storage.run(settleAttempt, null, { ...attempted, at, isCorrect: false }).catch(() => {});
      throw error;
    }
  });

const tooManyFailures = (waitMs: number): ApiError => {
  const minutes = Math.ceil(waitMs / 60_000);
  return rateLimited(
    `Too many failed sign-ins. Retry in ${minutes} minute${minutes === 1 ? '' : 's'}, or use a sign-in link.`,
    Math.ceil(waitMs / 1000),
  );
};

export type SignedIn = NonNullable<Awaited<ReturnType<typeof redeemLink>>>;

const upgradeHash = async (storage: Storage, who: Actor, was: string, password: string): Promise<void> =>
  storage.run(replaceHash, who, { was, passwordHash: await hashPassword(password) });

/** Attempts to check a password if its hash changes meanwhile, for example because another sign-in upgraded it. */
const MAX_CHECKS = 2;

/** Signs a user in and returns the token of the new session. Responds to unknown accounts and wrong passwords alike. */
export const signIn = async (
  storage: Storage,
  attempt: Attempt & { readonly workspace?: string | undefined },
): Promise<SignedIn> => {
  const { email, workspace: name, address } = attempt;
  const find = () => storage.run(findUser, null, { email, workspace: name });
  for (let checks = 0; checks < MAX_CHECKS; checks++) {
    const found = await checkPassword(storage, attempt, { hasSession: false, find });
    if (!found) break;
    const { id, workspace_id: workspace, password } = found;
    const token = newSessionToken(workspace);
    const who = { workspace, actor: id, request: attempt.request };
    if (
      await storage.run(openSession, who, {
        password,
        token,
        byLink: false,
        from: { email: found.email, address },
      })
    ) {
      // The session is open. If this fails, the next sign-in retries it.
      if (isOutdated(password)) await upgradeHash(storage, who, password, attempt.password).catch(() => {});
      return { token, user: userOf(found) };
    }
  }
  throw unauthorized(
    'Incorrect email or password. If several workspaces have a user with this email, also send the name of the workspace.',
    'Session',
  );
};

/** Signs in with a link. The limits of passwords do not apply: links cannot be guessed, and wrong ones must not lock out the
 *  owner of a valid one. `FAILURE_LIMIT` counts wrong links. */
export const signInByLink = async (
  storage: Storage,
  { token, address, request }: Pick<Attempt, 'address' | 'request'> & { token: string },
): Promise<SignedIn> => {
  const found = isLink(token) ? await storage.run(redeemLink, { request }, { token, address }) : undefined;
  if (found) return found;
  throw unauthorized(
    `This sign-in link has expired, was already used or is incomplete. Ask an owner for a new one, or create one on the server: ${PROGRAM} user link EMAIL`,
    'Session',
  );
};
