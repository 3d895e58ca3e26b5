import type { Actor } from '../audit/audit.service.ts';
import { networkOf } from '../kernel/address.ts';
import { timestamp } from '../kernel/clock.ts';
import { ApiError, unauthorized, unavailable } from '../kernel/errors.ts';
import { digest } from '../kernel/seal.ts';
import { statementsOver } from '../storage/statement.ts';
import type { Db, Storage } from '../storage/storage.ts';
import { redeemLink } from './link.service.ts';
import { isOutdated, isPassword, NO_PASSWORD, sealPassword } from './password.ts';
import { newSessionToken, openSession } from './session.service.ts';
import { emailOf, findUser, replaceHash, type User, userOf } from './user.service.ts';
import type { UserRow } from './user.store.ts';

const statement = statementsOver<{ sign_in_failures: { subject: string; at: string } }>();

const insertFailure = statement((query, { subject, at }: { subject: string; at: string }) =>
  query.insertInto('sign_in_failures').values({ subject, at }),
);
const countFailures = statement((query, { subject, since, now }: Span & { subject: string }) =>
  query
    .selectFrom('sign_in_failures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('subject', '=', subject)
    .where('at', '>', since)
    .where('at', '<=', now),
);
const forgetOthers = statement((query, { since, now }: Span) =>
  query.deleteFrom('sign_in_failures').where((row) => row.or([row('at', '<=', since), row('at', '>', now)])),
);

const MOST_FAILURES = 10;
const WITHIN_MS = 15 * 60_000;

/** The failures that count. One from the future is from before the clock was set back, and would lock for too long. */
type Span = { since: string; now: string };
const span = (): Span => {
  const now = timestamp();
  return { since: new Date(Date.parse(now) - WITHIN_MS).toISOString(), now };
};

/** An address and an account together, as a digest: neither is kept in the clear. */
const subjectOf = (address: string, email: string) => digest(`${networkOf(address)} ${emailOf(email)}`);

export const isLocked = async (db: Db, _: null, { subject }: { subject: string }): Promise<boolean> =>
  Number((await db.get(countFailures, { subject, ...span() }))?.count) >= MOST_FAILURES;

export const recordFailure = async (db: Db, _: null, { subject }: { subject: string }): Promise<void> => {
  await db.run(forgetOthers, span());
  await db.run(insertFailure, { subject, at: timestamp() });
};

const MOST_WAITING = 20;

/** The tries that are at work or wait, and the last of them, by address. */
const tries = new Map<string, { count: number; last: Promise<unknown> }>();

/** Lets the tries of one address come one after another: of many that arrive at once, each knows how the ones before it
 *  ended, and one address never holds more than one of the few places where passwords are checked. */
const inTurn = async <T>(address: string, attempt: () => Promise<T>): Promise<T> => {
  const network = networkOf(address);
  const queue = tries.get(network) ?? { count: 0, last: Promise.resolve() };
  if (queue.count >= MOST_WAITING)
    throw unavailable('Too many people sign in from this address at once. Try again shortly.');
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

/** A try in its turn, unless there were too many failures; undefined is counted as one. */
const attempt = <T>(
  storage: Storage,
  { address, account }: { address: string; account: string },
  work: () => Promise<T | undefined>,
): Promise<T | undefined> =>
  inTurn(address, async () => {
    const subject = subjectOf(address, account);
    if (await storage.read(isLocked, null, { subject })) {
      throw new ApiError(
        'RATE_LIMITED',
        'Too many failed sign-ins. Try again in fifteen minutes.',
        undefined,
        { 'Retry-After': String(WITHIN_MS / 1000) },
      );
    }
    const result = await work();
    if (result === undefined) await storage.write(recordFailure, null, { subject });
    return result;
  });

export interface Attempt {
  email: string;
  password: string;
  address: string;
  /** The id of the request. */
  request?: string | undefined;
}

/** The user whom an email and a password fit; undefined is counted as a failure. An account that does not exist takes the
 *  same work. */
export const checkPassword = (
  storage: Storage,
  { email, password, address }: Attempt,
): Promise<UserRow | undefined> =>
  attempt(storage, { address, account: email }, async () => {
    const found = await storage.read(findUser, null, { email });
    return (await isPassword(password, found?.password ?? NO_PASSWORD)) ? found : undefined;
  });

export interface SignedIn {
  token: string;
  user: User;
}

/** Stores a password that was found right as a new hash would be. A sign-in does not fail over it: the next one tries
 *  again. */
const upgradeHash = async (storage: Storage, who: Actor, was: string, password: string): Promise<void> => {
  try {
    await storage.write(replaceHash, who, { was, sealed: await sealPassword(password) });
  } catch {
    // The session is open; what keeps the database from being written shows everywhere else.
  }
};

/** How often a password is checked again because its hash changed while it was: another sign-in may have upgraded it. */
const MOST_CHECKS = 2;

/** Signs a person in and gives the token of the new session. An account that does not exist is answered as a wrong
 *  password is. */
export const signIn = async (storage: Storage, given: Attempt): Promise<SignedIn> => {
  for (let checks = 0; checks < MOST_CHECKS; checks++) {
    const found = await checkPassword(storage, given);
    if (!found) break;
    const { id, workspace_id: workspace, password } = found;
    const token = newSessionToken(workspace);
    const who = { workspace, actor: id, request: given.request };
    if (await storage.write(openSession, who, { password, token, byLink: false })) {
      if (isOutdated(password)) await upgradeHash(storage, who, password, given.password);
      return { token, user: userOf(found) };
    }
  }
  throw unauthorized('The email or the password is not right.', 'Session');
};

/** Signs in whoever brings a link that nobody has used. Failures are counted for the address alone: a link that is
 *  unknown tells of no account. */
export const signInByLink = async (
  storage: Storage,
  { token, address, request }: Pick<Attempt, 'address' | 'request'> & { token: string },
): Promise<SignedIn> => {
  const found = await attempt(storage, { address, account: 'link' }, () =>
    storage.write(redeemLink, { request }, { token }),
  );
  if (found) return found;
  throw unauthorized(
    'This link is used up, has expired or is not whole. Ask an owner for a new one, or make it where Roster runs: npx roster user link EMAIL',
    'Session',
  );
};
