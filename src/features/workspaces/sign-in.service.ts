import type { Storage } from '../../db/storage.ts';
import { ApiError, unauthorized, unavailable } from '../../lib/errors.ts';
import { networkOf } from '../../lib/ip-address.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { type Actor, UNKNOWN_CALLER } from '../audit/audit.service.ts';
import { isLink, redeemLink } from './link.service.ts';
import { isOutdated, isPassword, NO_PASSWORD, sealPassword } from './password.ts';
import { newSessionToken, openSession } from './session.service.ts';
import {
  type Admission,
  type Attempted,
  admitAttempt,
  confirmFailure,
  settleAttempt,
} from './sign-in.limits.ts';
import { findUser, replaceHash, type User, userOf } from './user.service.ts';
import type { UserRow } from './user.store.ts';

const MOST_WAITING = 20;

/** The tries that are at work or wait, and the last of them, by address. */
const tries = new Map<string, { count: number; last: Promise<unknown> }>();

/** Lets the tries of one address come one after another: of many that arrive at once, each knows how the ones before it
 *  ended, and one address never holds more than one of the few places where passwords are checked. */
const inTurn = async <T>(address: string, attempt: () => Promise<T>): Promise<T> => {
  const network = networkOf(address);
  const queue = tries.get(network) ?? { count: 0, last: Promise.resolve() };
  if (queue.count >= MOST_WAITING)
    throw unavailable('Too many sign-ins from this address. Try again in a few seconds.');
  const mine = queue.last.then(attempt);
  const ended = mine.then(
    () => {},
    () => {},
  );
  queue.count++;
  queue.last = ended;
  tries.set(network, queue);
  await ended;
  if (--queue.count === 0) tries.delete(network);
  return mine;
};

let admissions: Promise<unknown> = Promise.resolve();

/** Admits one attempt after another: on PostgreSQL, transactions at the same moment do not see what the others count. */
const admit = (storage: Storage, attempted: Attempted): Promise<Admission> => {
  const mine = admissions.then(() => storage.run(admitAttempt, null, attempted));
  admissions = mine.catch(() => {});
  return mine;
};

export interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** The id of the request. */
  readonly request?: string | undefined;
}

/** The user whose password was sent; undefined is counted as a failure. An account that does not exist takes the same work. */
export const checkPassword = (
  storage: Storage,
  { email, password, address, request }: Attempt,
  { hasSession, find }: { hasSession: boolean; find: () => MaybePromise<UserRow | undefined> },
): Promise<UserRow | undefined> =>
  inTurn(address, async () => {
    const attempted = { email, address, hasSession };
    const { waitMs, at } = await admit(storage, attempted);
    if (waitMs > 0) throw tooManyFailures(waitMs);
    try {
      const found = await find();
      if (await isPassword(password, found?.password ?? NO_PASSWORD)) {
        await storage.run(settleAttempt, null, { ...attempted, at, isRight: true });
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
      await storage.run(settleAttempt, null, { ...attempted, at, isRight: false }).catch(() => {});
      throw error;
    }
  });

const tooManyFailures = (waitMs: number): ApiError => {
  const minutes = Math.ceil(waitMs / 60_000);
  return new ApiError(
    'RATE_LIMITED',
    `Too many failed sign-ins. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}, or use a sign-in link.`,
    undefined,
    { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  );
};

export interface SignedIn {
  token: string;
  user: User;
}

/** Stores a password that was found right as a new hash would be. A sign-in does not fail over it: the next one tries
 *  again. */
const upgradeHash = async (storage: Storage, who: Actor, was: string, password: string): Promise<void> => {
  try {
    await storage.run(replaceHash, who, { was, sealed: await sealPassword(password) });
  } catch {
    // The session is open; what keeps the database from being written shows everywhere else.
  }
};

/** How often a password is checked again because its hash changed while it was: another sign-in may have upgraded it. */
const MOST_CHECKS = 2;

/** Signs a person in and gives the token of the new session. An account that does not exist is answered as a wrong
 *  password is. */
export const signIn = async (
  storage: Storage,
  given: Attempt & { readonly workspace?: string | undefined },
): Promise<SignedIn> => {
  const { email, workspace: name, address } = given;
  const find = () => storage.run(findUser, null, { email, workspace: name });
  for (let checks = 0; checks < MOST_CHECKS; checks++) {
    const found = await checkPassword(storage, given, { hasSession: false, find });
    if (!found) break;
    const { id, workspace_id: workspace, password } = found;
    const token = newSessionToken(workspace);
    const who = { workspace, actor: id, request: given.request };
    if (
      await storage.run(openSession, who, {
        password,
        token,
        byLink: false,
        from: { email: found.email, address },
      })
    ) {
      if (isOutdated(password)) await upgradeHash(storage, who, password, given.password);
      return { token, user: userOf(found) };
    }
  }
  throw unauthorized(
    'Incorrect email or password. If several workspaces have a user with this email, also send the name of the workspace.',
    'Session',
  );
};

/** Signs in with a link that was not used yet. Links are not limited like passwords: none can be guessed, and wrong ones
 *  must not keep out the owner of a right one (`FAILURE_LIMIT` counts them after they were found wrong). */
export const signInByLink = async (
  storage: Storage,
  { token, address, request }: Pick<Attempt, 'address' | 'request'> & { token: string },
): Promise<SignedIn> => {
  const found = isLink(token) ? await storage.run(redeemLink, { request }, { token, address }) : undefined;
  if (found) return found;
  throw unauthorized(
    'This sign-in link has expired, was already used or is incomplete. Ask an owner for a new one, or create one where Roster runs: npx roster user link EMAIL',
    'Session',
  );
};
