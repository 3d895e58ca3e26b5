import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { digest } from '../../lib/encryption.ts';
import { networkOf } from '../../lib/ip-address.ts';
import { type Actor, change } from '../../records/change.ts';
import * as store from './sign-in.store.ts';
import { emailOf } from './user.store.ts';

const MINUTE_MS = 60_000;

/** Failures within the window that cause no wait. Each additional one doubles the wait. */
const ALLOWED_FAILURES = { pair: 10, account: 20, network: 30 } as const;
const WINDOW_MS = 60 * MINUTE_MS;
const FIRST_WAIT_MS = MINUTE_MS;
const MAX_WAIT_MS = 15 * MINUTE_MS;
/** Tolerated clock skew between instances. A later failure was counted before the clock was set back. */
const SKEW_MS = MINUTE_MS;
/** How long an address counts as known to an account. */
const KNOWN_MS = 90 * 24 * 60 * MINUTE_MS;

const shiftTime = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString();

/** Digests, so that neither accounts nor networks are stored in plain text. */
export const subjectsOf = (email: string, address: string) => {
  const [account, network] = [emailOf(email), networkOf(address)];
  return {
    pair: digest(`${network} ${account}`),
    account: digest(`account ${account}`),
    network: digest(`network ${network}`),
  };
};

export interface AttemptSource {
  readonly email: string;
  readonly address: string;
  /** Whether the caller has a session of the account. */
  readonly hasSession: boolean;
}

const waitOf = (free: number, { count, last }: { count: number; last: string | null }, now: string) => {
  if (last === null || count < free) return 0;
  const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - free));
  return Math.max(0, Date.parse(last) + wait - Date.parse(now));
};

/** Admits an attempt, or returns how long to wait. An admitted attempt counts as a failure until `settleAttempt`, so that
 *  concurrent attempts cannot exceed the limit. Failures are counted for each pair of network and account, for the account
 *  and for the network; the last two do not limit callers that are known to the account: it has signed in from this address, or is
 *  signed in. `at` is the time under which the attempt is counted. */
export const admitAttempt = write(
  'admitAttempt',
  async (db, _: null, { email, address, hasSession }: AttemptSource) => {
    const at = timestamp();
    const span = { since: shiftTime(at, -WINDOW_MS), until: shiftTime(at, SKEW_MS) };
    await db.run(store.deleteOldFailures, span);
    const subjects = subjectsOf(email, address);
    const known = await db.get(store.countKnown, {
      email: emailOf(email),
      address: subjects.pair,
      since: shiftTime(at, -KNOWN_MS),
    });
    // The network last: every attempt takes its locks in this order.
    for (const subject of [subjects.account, subjects.network]) await db.get(store.lockSubject, { subject });
    const isKnown = hasSession || Number(known?.count) > 0;
    const waits = [];
    for (const kind of isKnown ? (['pair'] as const) : (['pair', 'account', 'network'] as const)) {
      const found = await db.get(store.countFailures, { subject: subjects[kind], ...span });
      waits.push(
        waitOf(ALLOWED_FAILURES[kind], { count: Number(found?.count), last: found?.last ?? null }, at),
      );
    }
    const waitMs = Math.max(...waits);
    if (waitMs === 0)
      for (const subject of Object.values(subjects)) await db.run(store.insertFailure, { subject, at });
    return { waitMs, at, isKnown };
  },
);

/** Removes the provisional failure of an attempt. After a correct password, also removes all failures of this account from
 *  this network. */
export const settleAttempt = write(
  'settleAttempt',
  async (
    db,
    _: null,
    { email, address, at, isCorrect }: AttemptSource & { at: string; isCorrect: boolean },
  ): Promise<void> => {
    const { pair, ...others } = subjectsOf(email, address);
    if (isCorrect) await db.run(store.deleteFailures, { subject: pair });
    else await db.run(store.deleteFailure, { subject: pair, at });
    for (const subject of Object.values(others)) await db.run(store.deleteFailure, { subject, at });
  },
);

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/** Confirms a failure. If the account exists, failures 1, 2, 4, 8 and so on within the window are audited, so that guessing
 *  cannot flood the audit log. Writes in either case, so that the response time does not reveal whether it exists. */
export const confirmFailure = write(
  'confirmFailure',
  async (
    db,
    who: Actor | null,
    { email, address, at, user }: AttemptSource & { at: string; user: string | undefined },
  ): Promise<void> => {
    const now = timestamp();
    const span = { since: shiftTime(now, -WINDOW_MS), until: shiftTime(now, SKEW_MS) };
    const subjects = subjectsOf(email, address);
    for (const subject of Object.values(subjects)) await db.run(store.moveFailure, { subject, at, now });
    const failures = Number(
      (await db.get(store.countFailures, { subject: subjects.account, ...span }))?.count,
    );
    if (who && user !== undefined && isPowerOfTwo(failures))
      change(db, who, { action: 'session.refused', subject: user, counts: { failures } });
  },
);

/** Remembers the address of a successful sign-in. */
export const rememberAddress = async (
  db: Db,
  { workspace, actor }: Actor,
  { email, address }: { email: string; address: string },
): Promise<void> => {
  const used_at = timestamp();
  await db.run(store.deleteOldAddresses, { workspace, user: actor, before: shiftTime(used_at, -KNOWN_MS) });
  await db.run(store.upsertAddress, {
    workspace_id: workspace,
    user_id: actor,
    address: subjectsOf(email, address).pair,
    used_at,
  });
};
