import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { positionIn } from '../../../src/records/event.id.ts';
import { createSessionCookie } from '../../kit/dashboard/users.ts';
import { engines } from '../../kit/database/engines.ts';
import { report } from '../../kit/load/measurements.ts';
import { createClient } from '../../kit/load/writers.ts';
import { type Program, withPrograms } from '../../kit/process/program.ts';
import { seededRandom } from '../../kit/random.ts';
import { createScopedKey } from '../../kit/service/scoped-key.ts';
import type { Json } from '../../kit/service/test-service.ts';
import { type Arrivals, startVerifyingReceiver } from '../../kit/webhooks/verifying-receiver.ts';
import {
  assertFeed,
  type Client,
  countChanges,
  newPhones,
  type WrittenContact,
  writeContacts,
} from './events.ts';

const TYPES = ['contact.created', 'contact.updated', 'contact.deleted'];
const CONCURRENCY = 10;
/** How long to wait for the first webhooks after a start. */
const MAX_WAIT_MS = 10_000;
/** The results that an instance collects before it sends nothing more. */
const MAX_RESULTS = 400;

export interface DeliverOptions {
  readonly engine: keyof typeof engines;
  readonly instances: number;
  readonly kills: number;
  readonly writers: number;
  /** The longest time between two kills. */
  readonly everyMs: number;
  /** Ends the leases of the killed instance instead of waiting 30 s. Only for one instance. */
  readonly endsLeases?: boolean;
  /** How long the receiver may wait for the last webhook: a lease, and the work that is left. */
  readonly withinMs: number;
  readonly seed?: number;
}

/** The events of the feed, from the beginning. */
const readFeed = async (client: Client): Promise<Json[]> => {
  const events: Json[] = [];
  for (let after = ''; ; ) {
    const { status, body } = await client('GET', `/v1/events?limit=500${after && `&after=${after}`}`);
    assert.equal(status, 200);
    events.push(...body.data.events);
    after = body.data.after ?? '';
    if (!body.data.has_more && body.data.events.length === 0) return events;
  }
};

/** The first arrivals of a subject must be in the order of the feed. */
const outOfOrder = ({ events }: Arrivals): string[] => {
  const newest = new Map<string, number>();
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { id, subject_id } of events) {
    if (seen.has(id)) continue;
    seen.add(id);
    const position = positionIn(id) ?? 0;
    if (position < (newest.get(subject_id) ?? 0)) problems.push(`${subject_id}: ${position}`);
    newest.set(subject_id, position);
  }
  return problems;
};

const distinct = ({ events }: Arrivals): Set<string> => new Set(events.map(({ id }) => id));

/** Kills instances under concurrent writers while they send webhooks to a receiver in this process. Every change must reach both
 *  endpoints, and what was recorded as delivered must not be sent again. */
export const deliverUnderKills = async (test: TestContext, options: DeliverOptions): Promise<void> => {
  const {
    engine,
    instances,
    kills,
    writers,
    everyMs,
    endsLeases = false,
    withinMs,
    seed = Date.now() % 1_000_000,
  } = options;
  const random = seededRandom(seed);
  const database = await engines[engine]();
  test.after(() => database.drop());
  const receiver = await startVerifyingReceiver(() => random() * 10);
  test.after(() => receiver.close());
  await withPrograms(async (startProgram) => {
    const running: { program: Program; url: string }[] = [];
    const environment: Record<string, string> = {
      DATABASE_URL: database.url,
      LOG_LEVEL: 'warn',
      ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
    const start = async (at: number) => {
      const program = startProgram(environment);
      running[at] = { program, url: (await program.ready()).url };
    };
    for (let at = 0; at < instances; at++) await start(at);

    const cookie = await createSessionCookie(database, 'owner@example.com');
    const addEndpoint = async (name: string, ordered: boolean): Promise<Arrivals> => {
      const endpoint = receiver.at(name);
      const origin = running[0]?.url ?? '';
      const response = await fetch(`${origin}/v1/webhooks`, {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/json' },
        body: JSON.stringify({ url: endpoint.url, types: TYPES, ordered, max_concurrency: CONCURRENCY }),
      });
      const { data }: Json = await response.json();
      assert.equal(response.status, 201);
      endpoint.secret = data.secret;
      return endpoint;
    };
    const plain = await addEndpoint('plain', false);
    const ordered = await addEndpoint('ordered', true);

    const key = await createScopedKey(database, 'contacts:read', 'contacts:write', 'events:read');
    let next = 0;
    const client = (): Client => createClient(() => running[next++ % instances]?.url ?? '', key);
    let stopped = false;
    const written = new Map<string, WrittenContact>();
    const phone = newPhones();
    const writing = Array.from({ length: writers }, () =>
      writeContacts(client(), { phone, random, isStopped: () => stopped, restMs: 20 }, written),
    );
    for (let kill = 0; kill < kills; kill++) {
      // Most kills hit an instance that is sending.
      const before = plain.events.length + ordered.events.length;
      const deadline = performance.now() + MAX_WAIT_MS;
      while (plain.events.length + ordered.events.length < before + 20 && performance.now() < deadline)
        await pause(5);
      await pause(random() * (everyMs / 2));
      const at = Math.floor(random() * instances);
      running[at]?.program.kill('SIGKILL');
      await running[at]?.program.exit();
      if (endsLeases)
        await database.query(
          `update webhook_deliveries set due_at = ? where lease_id is not null`,
          new Date().toISOString(),
        );
      await start(at);
    }
    stopped = true;
    await Promise.all(writing);
    const ended = performance.now();

    const feed = await readFeed(client());
    assertFeed(written, feed);
    const expected = feed.map(({ id }) => id);
    const missingIn = (endpoint: Arrivals) => {
      const arrived = distinct(endpoint);
      return expected.filter((id) => !arrived.has(id));
    };
    while (performance.now() < ended + withinMs) {
      if (missingIn(plain).length + missingIn(ordered).length === 0) break;
      await pause(100);
    }
    const complete_ms = Math.round(performance.now() - ended);
    assert.deepEqual([missingIn(plain), missingIn(ordered)], [[], []], 'nothing is missing');
    assert.deepEqual(receiver.problems, []);
    assert.deepEqual(outOfOrder(ordered), []);

    const repeatedIn = (endpoint: Arrivals) => endpoint.events.length - distinct(endpoint).size;
    const repeated = repeatedIn(plain) + repeatedIn(ordered);
    const twice = await database.query(
      `select endpoint_id, event_id from webhook_attempts where result = 'delivered'
       group by endpoint_id, event_id having count(*) > 1`,
    );
    const counts = countChanges(written);
    const webhooks = plain.events.length + ordered.events.length;
    const figures = {
      seed,
      writers,
      instances,
      kills,
      events: feed.length,
      ...counts,
      webhooks,
      repeated,
      complete_ms,
    };
    report(test, `webhooks-${engine}`, figures);
    assert.deepEqual(twice, [], 'what was recorded is not sent again');
    const inFlight = kills * 2 * (CONCURRENCY + MAX_RESULTS);
    assert.ok(repeated <= inFlight, JSON.stringify(figures));
    assert.ok(counts.acknowledged > 0, JSON.stringify(figures));
  });
};
