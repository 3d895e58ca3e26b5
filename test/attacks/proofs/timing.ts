import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { channelId } from '../../../src/features/channels/channel.service.ts';
import { createEncryptionKey, digest } from '../../../src/lib/encryption.ts';
import { engines } from '../../kit/database/engines.ts';
import { makeWorkspace, openTestStorage } from '../../kit/database/workspaces.ts';
import { requestBytes } from '../../kit/http/raw-connection.ts';
import { withPrograms } from '../../kit/process/program.ts';
import { Random } from '../../kit/random.ts';
import { report } from '../kit/report.ts';
import { Stopwatch } from '../kit/stopwatch.ts';
import { medianOf, welchT } from '../kit/welch-test.ts';

const MAX_T = 4.5;
/** Differences of medians, in microseconds, that other delays of a network hide. The row of a channel is read if it exists; its id,
 *  which the caller has to know, has 122 random bits. */
const TOLERATED_US: Readonly<Record<string, number>> = { keys: 5, events: 60, agent: 60 };

export interface TimingOptions {
  /** Requests for each kind of key. */
  readonly keys: number;
  /** Requests for each kind of account. Each hashes a password. */
  readonly accounts: number;
  /** Whether to compare times as well, which requires an idle machine and many requests. Messages are always
   *  compared. */
  readonly isAsserted: boolean;
}

const SECRET_KEY = Buffer.alloc(32, 7);
const EMAIL = 'known@example.com';
const tail = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
/** A new address each time, as reported by a proxy, because failures are limited per address. */
const fromNewAddress = () => ({
  'x-forwarded-for': [...randomBytes(4)].map((byte) => `${byte}`.padStart(3, '1')).join('.'),
});

const withKey = (key: string) =>
  requestBytes('GET', '/v1/agents', { headers: { authorization: `Bearer ${key}`, ...fromNewAddress() } });
const signIn = (email: string) =>
  requestBytes('POST', '/dashboard/api/session', {
    headers: { authorization: null, ...fromNewAddress() },
    body: JSON.stringify({ email, password: tail(16) }),
  });

const signedEvent = (id: string) =>
  requestBytes('POST', `/hooks/channels/${id}/events`, {
    headers: {
      authorization: null,
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': tail(28),
      ...fromNewAddress(),
    },
    body: 'CallSid=CA1&From=%2B14155550100',
  });
const agentRequest = (id: string) =>
  requestBytes('GET', `/hooks/channels/${id}/agent`, {
    headers: { authorization: `Bearer whsec_${tail(32)}`, ...fromNewAddress() },
  });

type RequestKinds = Readonly<Record<string, () => Buffer>>;

/** Times `count` requests of each kind in random order and compares every two kinds. All must be rejected with the
 *  same message. */
const compare = async (url: string, kinds: RequestKinds, count: number, beforeEach = async () => {}) => {
  const random = new Random('timing');
  const watch = await Stopwatch.open(url);
  const names = Object.keys(kinds);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  const order = names.flatMap((name) => Array<string>(count).fill(name));
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other] as string, order[at] as string];
  }
  const responses = new Set<string>();
  for (const name of order) {
    await beforeEach();
    const { us, answer } = await watch.time((kinds[name] as () => Buffer)());
    times.get(name)?.push(us);
    responses.add(answer.replace(/^date: .*$/im, '').replaceAll(/req_\w+/g, ''));
  }
  watch.close();
  assert.equal(responses.size, 1, [...responses].join('\n'));
  assert.match([...responses][0] ?? '', /^HTTP\/1.1 401 /);
  const sample = (name: string) => times.get(name) as number[];
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const));
  return {
    each: count,
    median_us: Object.fromEntries(names.map((name) => [name, Math.round(medianOf(sample(name)))])),
    t: Object.fromEntries(
      pairs.map(([one, other]) => [
        `${one} / ${other}`,
        Math.round(welchT(sample(one), sample(other)) * 100) / 100,
      ]),
    ),
  };
};

/** Sends credentials for known and unknown keys, accounts and channels, and compares the responses. */
export const timeRefusals = ({ keys, accounts, isAsserted }: TimingOptions): void => {
  for (const [engine, create] of Object.entries(engines)) {
    const what = isAsserted ? 'wording and the time' : 'wording';
    test(`The ${what} of a refusal do${isAsserted ? '' : 'es'} not depend on what exists, on ${engine}`, async () => {
      const database = await create();
      try {
        await withPrograms(async (start) => {
          const program = start({
            DATABASE_URL: database.url,
            ROSTER_ADMIN_EMAIL: EMAIL,
            ROSTER_ADMIN_PASSWORD: tail(20),
            TRUST_PROXY: 'true',
            LOG_LEVEL: 'warn',
            ROSTER_SECRET_KEY: SECRET_KEY.toString('base64'),
          });
          const { url } = await program.ready();
          const storage = await openTestStorage(database);
          const { key } = await makeWorkspace(storage);
          await storage.close();
          const [prefix, workspace] = key.split('_') as [string, string];
          const secret = key.slice(`${prefix}_${workspace}_`.length);
          const byKey = await compare(
            url,
            {
              known: () => withKey(`${prefix}_${workspace}_${secret.slice(0, 20)}${tail(12)}`),
              unknown: () => withKey(`${prefix}_${'z'.repeat(workspace.length)}_${tail(32)}`),
              malformed: () => withKey(`${prefix}.${workspace}.${tail(32)}`),
            },
            keys,
          );
          const [known, unknown] = [channelId.create(), channelId.create()];
          await database.query('insert into hooks (id, workspace_id) values (?, 1)', known);
          const encrypted = createEncryptionKey(SECRET_KEY).encrypt(`whsec_${tail(32)}`, known);
          await database.query(
            `insert into channels (workspace_id, id, seq, kind, name, address, secret_hash, secret_sealed, created_at, updated_at)
             values (1, ?, 1, 'phone', 'Line', '+14155550199', ?, ?, '', '')`,
            known,
            digest(tail(32)),
            encrypted,
          );
          const byHook = {
            events: await compare(
              url,
              { known: () => signedEvent(known), unknown: () => signedEvent(unknown) },
              keys,
            ),
            agent: await compare(
              url,
              { known: () => agentRequest(known), unknown: () => agentRequest(unknown) },
              keys,
            ),
          };
          const byAccount = await compare(
            url,
            { known: () => signIn(EMAIL), unknown: () => signIn(`${tail(5)}@example.com`) },
            accounts,
            // Failures of one account are limited, independent of their address.
            async () => void (await database.query('delete from sign_in_failures')),
          );
          const all = { keys: byKey, ...byHook, accounts: byAccount };
          if (!isAsserted) return;
          report(`timing.${engine}`, { ...all, limit: MAX_T });
          for (const [name, { t: each, median_us }] of Object.entries(all)) {
            const medians = Object.values(median_us);
            const difference = Math.max(...medians) - Math.min(...medians);
            if (difference <= (TOLERATED_US[name] ?? 0)) continue;
            for (const [pair, t] of Object.entries(each))
              assert.ok(
                Math.abs(t) < MAX_T,
                `${name}, ${pair}: t = ${t}, medians differ by ${difference} µs`,
              );
          }
        });
      } finally {
        await database.drop();
      }
    });
  }
};
