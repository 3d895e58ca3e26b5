import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { expireEvents } from '../../../src/features/events/event.sequence.ts';
import { positionIn } from '../../../src/records/event.id.ts';
import { engines, postgresOn } from '../../kit/database/engines.ts';
import { startPostgres } from '../../kit/database/postgres-server.ts';
import { openTestStorage } from '../../kit/database/workspaces.ts';
import { report } from '../../kit/load/measurements.ts';
import { createClient, isSuccess, type WriteResult } from '../../kit/load/writers.ts';
import { type Program, withPrograms } from '../../kit/process/program.ts';
import { seededRandom } from '../../kit/random.ts';
import { createScopedKey } from '../../kit/service/scoped-key.ts';
import { type Json, startTestService } from '../../kit/service/test-service.ts';

export type Client = (method: string, path: string, body?: unknown) => Promise<WriteResult>;

/** One change of a contact. Its event has the value, unless its snapshot was erased. */
interface Change {
  readonly value: string;
  /** Whether the response was a success. Otherwise the change is stored completely or not at all. */
  readonly isAcknowledged: boolean;
}

export interface WrittenContact {
  id?: string;
  readonly changes: Change[];
  deletion?: 'acknowledged' | 'unknown';
}

const UPDATES = 12;
const END = '9999';
const AFTER_FAILURE_MS = 50;

interface WriteOptions {
  readonly phone: () => string;
  readonly random: () => number;
  readonly isStopped: () => boolean;
  /** Pause after each response. */
  readonly restMs?: number;
}

/** Creates, changes and deletes contacts, one after another, until it is stopped. */
export const writeContacts = async (
  client: Client,
  { phone, random, isStopped, restMs = 0 }: WriteOptions,
  written: Map<string, WrittenContact>,
): Promise<void> => {
  while (!isStopped()) {
    const phone_number = phone();
    const contact: WrittenContact = { changes: [] };
    written.set(phone_number, contact);
    const made = await client('POST', '/v1/contacts', { phone_number, first_name: '0' });
    contact.changes.push({ value: '0', isAcknowledged: isSuccess(made.status) });
    if (!isSuccess(made.status)) {
      await pause(AFTER_FAILURE_MS);
      continue;
    }
    contact.id = made.body.data.id;
    for (let value = 1; value <= UPDATES && !isStopped(); value++) {
      const { status } = await client('PATCH', `/v1/contacts/${contact.id}`, { first_name: `${value}` });
      contact.changes.push({ value: `${value}`, isAcknowledged: isSuccess(status) });
      await pause(isSuccess(status) ? restMs : AFTER_FAILURE_MS);
    }
    if (random() < 0.3) {
      const { status } = await client('DELETE', `/v1/contacts/${contact.id}`);
      contact.deletion = isSuccess(status) ? 'acknowledged' : 'unknown';
    }
  }
};

/** Compares the events of a contact with what its writer knows. */
const problemOf = ({ changes, deletion }: WrittenContact, events: readonly Json[]): string | undefined => {
  const deleted = events.filter(({ type }) => type === 'contact.deleted');
  const others = events.filter(({ type }) => type !== 'contact.deleted');
  if (deletion === 'acknowledged' && deleted.length !== 1) return `${deleted.length} deletes`;
  if (deletion === undefined && deleted.length > 0) return 'a delete that was not requested';
  if (deleted.length > 0 && events.at(-1)?.type !== 'contact.deleted') return 'a change after the delete';
  const known = changes.filter(({ isAcknowledged }) => isAcknowledged).map(({ value }) => value);
  if (others.length < known.length || others.length > changes.length)
    return `${others.length} changes, but ${known.length} of ${changes.length} are acknowledged`;
  const snapshots = others.flatMap(({ data }) => data ?? []);
  if (deleted.length === 0 && snapshots.length < others.length) return 'an erased snapshot';
  // The time of each change is after that of the one before, also of a change without a response.
  const times: string[] = snapshots.map(({ updated_at }) => updated_at);
  if (times.some((time, at) => at > 0 && time <= (times[at - 1] ?? ''))) return 'another order';
  const values: string[] = snapshots.map(({ first_name }) => first_name);
  if (new Set(values).size < values.length) return 'a change twice';
  if (deleted.length > 0) return undefined;
  const inOrder = values.filter((value) => known.includes(value));
  return inOrder.join() === known.join() ? undefined : `${inOrder}, but ${known} are acknowledged`;
};

/** Asserts that the feed has every position once and in order, and every acknowledged change. */
export const assertFeed = (written: ReadonlyMap<string, WrittenContact>, seen: readonly Json[]): void => {
  const positions = seen.map(({ id }) => positionIn(id));
  const [first = 0] = positions;
  assert.equal(first, 1);
  assert.deepEqual(
    positions.filter((position, at) => position !== first + at),
    [],
    'every position once, in order',
  );
  const bySubject = Map.groupBy(seen, ({ subject_id }) => subject_id as string);
  // A create without a response is identified by its number.
  const idOf = new Map(seen.flatMap(({ data }) => (data ? [[data.phone_number, data.id]] : [])));
  const problems: string[] = [];
  for (const [number, contact] of written) {
    const events = bySubject.get(contact.id ?? idOf.get(number) ?? '') ?? [];
    const problem = problemOf(contact, events);
    if (problem) problems.push(`${number}: ${problem}; ${JSON.stringify(events.map(({ type }) => type))}`);
  }
  assert.deepEqual(problems, []);
};

export const countChanges = (written: ReadonlyMap<string, WrittenContact>) => {
  const changes = [...written.values()].flatMap((contact) => contact.changes);
  const acknowledged = changes.filter(({ isAcknowledged }) => isAcknowledged).length;
  return { acknowledged, unknown: changes.length - acknowledged };
};

/** A function that returns a different number at each call. */
export const newPhones = (): (() => string) => {
  let count = 0;
  return () => {
    const at = count++;
    return `+1${200 + Math.floor(at / 100)}5550${100 + (at % 100)}`;
  };
};

export interface FollowOptions {
  readonly engine: keyof typeof engines;
  readonly instances: number;
  readonly kills: number;
  readonly writers?: number;
  readonly seed?: number;
}

/** Kills instances under concurrent writers while a reader follows the feed through all of them in small pages. The reader must
 *  see every acknowledged change once and in order, and no position may be missing. */
export const followUnderKills = async (
  test: TestContext,
  { engine, instances, kills, writers = 50, seed = Date.now() % 1_000_000 }: FollowOptions,
): Promise<void> => {
  const random = seededRandom(seed);
  const database = await engines[engine]();
  test.after(() => database.drop());
  await withPrograms(async (startProgram) => {
    const running: { program: Program; url: string }[] = [];
    const start = async (at: number) => {
      const program = startProgram({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
      running[at] = { program, url: (await program.ready()).url };
    };
    for (let at = 0; at < instances; at++) await start(at);
    const key = await createScopedKey(database, 'contacts:read', 'contacts:write', 'events:read');
    let next = 0;
    /** Each request goes to the next instance. */
    const client = (): Client => createClient(() => running[next++ % instances]?.url ?? '', key);
    let stopped = false;
    let isComplete = false;
    const written = new Map<string, WrittenContact>();
    const phone = newPhones();
    const writing = Array.from({ length: writers }, () =>
      writeContacts(client(), { phone, random, isStopped: () => stopped }, written),
    );
    const seen: Json[] = [];
    let pages = 0;
    const follow = async () => {
      const send = client();
      for (let after: string | null = null; ; ) {
        const isLast = isComplete;
        const limit = isLast ? 500 : 1 + Math.floor(random() * 100);
        const page = await send('GET', `/v1/events?limit=${limit}${after === null ? '' : `&after=${after}`}`);
        if (!isSuccess(page.status)) {
          assert.ok(page.status === 0 || page.status === 503, JSON.stringify(page.body));
          await pause(AFTER_FAILURE_MS);
          continue;
        }
        pages++;
        const { events, has_more } = page.body.data;
        after = page.body.data.after;
        seen.push(...events);
        if (isLast && !has_more && events.length === 0) return;
      }
    };
    const following = follow();
    for (let kill = 0; kill < kills; kill++) {
      await pause(300 + random() * 900);
      const at = kill % instances;
      running[at]?.program.kill('SIGKILL');
      await running[at]?.program.exit();
      await start(at);
    }
    await pause(500);
    stopped = true;
    await Promise.all(writing);
    isComplete = true;
    await following;
    assertFeed(written, seen);
    const counts = countChanges(written);
    const figures = { seed, writers, instances, kills, events: seen.length, ...counts, pages };
    report(test, `events-${engine}`, figures);
    assert.ok(counts.acknowledged > 0 && seen.length > kills * 10, JSON.stringify(figures));
  });
};

/** Erases, sequences and expires events of one workspace concurrently, on two instances. No transaction may deadlock. */
export const contendForEvents = async (test: TestContext, { ms }: { ms: number }): Promise<void> => {
  const server = await startPostgres({ flushes: false, log: true });
  test.after(() => server.stop());
  const database = await postgresOn(server.url);
  const services = [await startTestService(database), await startTestService(database)] as const;
  test.after(() => Promise.all(services.map(({ stop }) => stop())));
  const key = await createScopedKey(database, 'events:read');
  const storage = await openTestStorage(database);
  const [row] = await database.query(`select id from workspaces where name = 'default'`);
  const workspace = Number(row?.id);
  const end = performance.now() + ms;
  const counts = { deleted: 0, read: 0, gone: 0, expired: 0 };
  const failures: string[] = [];
  const expect = (reply: { status: number; text: string }, ...statuses: number[]) => {
    if (!statuses.includes(reply.status)) failures.push(reply.text);
  };
  let phones = 0;
  const write = async (at: number) => {
    const { post, patch, delete: remove } = services[at % 2] as (typeof services)[0];
    while (performance.now() < end) {
      const place = phones++;
      const phone_number = `+1${200 + Math.floor(place / 100)}5550${100 + (place % 100)}`;
      const made = await post('/v1/contacts', { phone_number });
      expect(made, 201);
      const path = `/v1/contacts/${made.body.data?.id}`;
      for (const first_name of ['a', 'b', 'c', 'd']) expect(await patch(path, { first_name }), 200);
      expect(await remove(path), 200);
      counts.deleted++;
    }
  };
  const follow = async (at: number) => {
    for (let after = 'latest'; performance.now() < end; ) {
      const reply = await (services[at % 2] as (typeof services)[0]).get(
        `/v1/events?limit=50&after=${after}`,
        { key },
      );
      expect(reply, 200, 410);
      counts[reply.status === 410 ? 'gone' : 'read']++;
      after = reply.body.data?.after ?? 'latest';
    }
  };
  const expire = async () => {
    while (performance.now() < end) {
      const before = new Date(Date.now() - 50).toISOString();
      counts.expired += await storage.run(expireEvents, null, { workspace, before, ahead: END });
    }
  };
  try {
    await Promise.all([
      ...Array.from({ length: 12 }, (_, at) => write(at)),
      follow(0),
      follow(1),
      expire(),
      expire(),
    ]);
  } finally {
    await storage.close();
  }
  report(test, 'events-contention', counts);
  const [deadlock] = /deadlock detected[\s\S]{0,3000}/.exec(readFileSync(server.log, 'utf8')) ?? [];
  assert.equal(deadlock, undefined);
  assert.deepEqual(failures, []);
  assert.ok(counts.deleted > 10 && counts.read > 10 && counts.expired > 10, JSON.stringify(counts));
};
