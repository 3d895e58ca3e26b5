import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { digest } from '../../lib/encryption.ts';
import { networkOf } from '../../lib/ip-address.ts';
import { type Actor, record } from '../audit/audit.service.ts';
import * as store from './sign-in.store.ts';
import { emailOf } from './user.store.ts';

const MINUTE_MS = 60_000;

/** How many failures within the window are free; each further one doubles the wait. */
const FREE = { pair: 10, account: 20, network: 30 } as const;
const WINDOW_MS = 60 * MINUTE_MS;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;
/** How far the clocks of instances may differ. A failure from further ahead was counted before the clock was set back. */
const SKEW_MS = MINUTE_MS;
/** How long an address stays known to an account. */
const KNOWN_MS = 90 * 24 * 60 * MINUTE_MS;

const around = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString();

/** An account and a network, as digests: neither is stored in the clear. */
export const subjectsOf = (email: string, address: string) => {
  const [account, network] = [emailOf(email), networkOf(address)];
  return {
    pair: digest(`${network} ${account}`),
    account: digest(`account ${account}`),
    network: digest(`network ${network}`),
  };
};

export interface Attempted {
  readonly email: string;
  readonly address: string;
  /** Whether the caller has a session of the account already. */
  readonly hasSession: boolean;
}

/** How long to wait, and the moment under which an admitted attempt is counted. */
export interface Admission {
  readonly waitMs: number;
  readonly at: string;
}

const waitOf = (free: number, { count, last }: { count: number; last: string | null }, now: string) => {
  if (last === null || count < free) return 0;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - free));
  return Math.max(0, Date.parse(last) + wait - Date.parse(now));
};

/** Admits an attempt, or says how long to wait. An admitted one counts as a failure until `settleAttempt`, so that of many
 *  at the same moment no more are admitted than one after another. Failures are counted for the network and the account
 *  together, for the account and for the network; the last two do not keep out callers who are known to the account. */
export const admitAttempt = write(
  'admitAttempt',
  async (db: Db, _: null, { email, address, hasSession }: Attempted): Promise<Admission> => {
    const at = timestamp();
    const span = { since: around(at, -WINDOW_MS), until: around(at, SKEW_MS) };
    await db.run(store.forgetFailures, span);
    const subjects = subjectsOf(email, address);
    const known = await db.get(store.countKnown, {
      email: emailOf(email),
      address: subjects.pair,
      since: around(at, -KNOWN_MS),
    });
    const isKnown = hasSession || Number(known?.count) > 0;
    const waits = [];
    for (const kind of isKnown ? (['pair'] as const) : (['pair', 'account', 'network'] as const)) {
      const found = await db.get(store.countFailures, { subject: subjects[kind], ...span });
      waits.push(waitOf(FREE[kind], { count: Number(found?.count), last: found?.last ?? null }, at));
    }
    const waitMs = Math.max(...waits);
    if (waitMs === 0)
      for (const subject of Object.values(subjects)) await db.run(store.insertFailure, { subject, at });
    return { waitMs, at };
  },
);

/** Takes back what an attempt counted. After a right password, the failures of this account from this network are
 *  forgotten, too. */
export const settleAttempt = write(
  'settleAttempt',
  async (
    db: Db,
    _: null,
    { email, address, at, isRight }: Attempted & { at: string; isRight: boolean },
  ): Promise<void> => {
    const { pair, ...others } = subjectsOf(email, address);
    if (isRight) await db.run(store.deleteFailures, { subject: pair });
    else await db.run(store.deleteFailure, { subject: pair, at });
    for (const subject of Object.values(others)) await db.run(store.deleteFailure, { subject, at });
  },
);

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/** Lets an attempt count as failed from now on. Where the account exists, the first, second, fourth, eighth failure within
 *  the window and so on are recorded: guessing cannot fill the audit. Whether it exists is not to be told by the time that
 *  this takes: it writes in any case. */
export const confirmFailure = write(
  'confirmFailure',
  async (
    db: Db,
    who: Actor | null,
    { email, address, at, user }: Attempted & { at: string; user: string | undefined },
  ): Promise<void> => {
    const now = timestamp();
    const span = { since: around(now, -WINDOW_MS), until: around(now, SKEW_MS) };
    const subjects = subjectsOf(email, address);
    for (const subject of Object.values(subjects)) await db.run(store.moveFailure, { subject, at, now });
    const failures = Number(
      (await db.get(store.countFailures, { subject: subjects.account, ...span }))?.count,
    );
    if (who && user !== undefined && isPowerOfTwo(failures))
      record(db, who, { action: 'session.refused', subject: user, counts: { failures } });
  },
);

/** Remembers from where a user has signed in. */
export const rememberAddress = async (
  db: Db,
  { workspace, actor }: Actor,
  { email, address }: { email: string; address: string },
): Promise<void> => {
  const used_at = timestamp();
  await db.run(store.forgetAddresses, { workspace, user: actor, before: around(used_at, -KNOWN_MS) });
  await db.run(store.putAddress, {
    workspace_id: workspace,
    user_id: actor,
    address: subjectsOf(email, address).pair,
    used_at,
  });
};
