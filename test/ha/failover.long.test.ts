import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { socketOf } from '../../src/db/postgres/connection.ts';
import { existingPostgres, type TestDatabase } from '../kit/database/engines.ts';
import { type Cluster, startCluster } from '../kit/database/patroni.ts';
import { AcknowledgedWrites, assertConsistent, type Entry } from '../kit/load/acknowledged-writes.ts';
import { PROMISED, report } from '../kit/load/measurements.ts';
import { createClient, isSuccess, isUnavailable, Writers } from '../kit/load/writers.ts';
import { runRoster } from '../kit/process/cli.ts';
import { Program } from '../kit/process/program.ts';
import { seededRandom } from '../kit/random.ts';
import { KEY } from '../kit/service/test-service.ts';
import { type Drill, drills } from './drills.ts';

const ROUNDS = Number(process.env.HA_ROUNDS || 5);
const ENVIRONMENT = { ROSTER_API_KEY: KEY, ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
const WRITERS = { count: 6, restMs: 20 };
/** Load before a fault and after the recovery. */
const CALM_MS = 1_500;

/** One instance of Roster, by the way in which it reaches the database. */
interface Instance {
  readonly route: 'proxy' | 'servers';
  readonly url: string;
  readonly databaseUrl: string;
}

/** Commits a transaction on a new connection to the server that accepts writes. */
const canCommit = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 500 });
  client.on('error', () => {});
  const commit = async () => {
    await client.connect();
    await client.query('insert into probe.commits default values');
    return true;
  };
  const isCommitted = await Promise.race([commit().catch(() => false), pause(1_500, false)]);
  socketOf(client).destroy();
  return isCommitted;
};

/** Records from when on a route leads to a database that commits, without Roster. */
const startProbe = (routes: readonly string[]) => {
  let isRunning = true;
  let lastFailure = 0;
  let firstSuccess: number | undefined;
  const running = (async () => {
    for (; isRunning; await pause(50)) {
      const began = performance.now();
      const isReachable = (await Promise.all(routes.map(canCommit))).some(Boolean);
      if (!isReachable) {
        lastFailure = began;
        firstSuccess = undefined;
      } else firstSuccess ??= performance.now();
    }
  })();
  return {
    /** When the database was reachable again after the last failure. Undefined if it always was. */
    reachableAt: () => (lastFailure === 0 ? undefined : firstSuccess),
    [Symbol.asyncDispose]: async () => {
      isRunning = false;
      await running;
    },
  };
};

/** Reads contacts whose last write was acknowledged, and counts those that are missing or old. */
const startReader = (url: string, entries: ReadonlyMap<string, Entry>) => {
  const request = createClient(() => url);
  const stale: string[] = [];
  const unexpected: string[] = [];
  let reads = 0;
  let isRunning = true;
  const running = (async () => {
    for (; isRunning; await pause(20)) {
      const entry = [...entries.values()]
        .slice(-50)
        .find(({ acknowledged, pending }) => acknowledged && pending === undefined);
      if (!entry?.acknowledged) continue;
      const { acknowledged, id } = entry;
      const { status, body } = await request('GET', `/v1/contacts/${id}`);
      if (isUnavailable(status)) continue;
      if (status !== 200 && status !== 404) unexpected.push(`GET ${status}`);
      // A writer may have changed it meanwhile.
      if (entry.pending !== undefined || entry.acknowledged !== acknowledged) continue;
      reads++;
      if (status !== 200 || body.data.notes !== acknowledged.notes) stale.push(`${id}: ${status}`);
    }
  })();
  return {
    stale,
    unexpected,
    reads: () => reads,
    [Symbol.asyncDispose]: async () => {
      isRunning = false;
      await running;
    },
  };
};

/** The longest time without an acknowledged write, in milliseconds. */
const longestGap = (writers: Writers): number => {
  const times = writers.since(0, isSuccess).map(({ at }) => at);
  return Math.max(0, ...times.slice(1).map((at, before) => at - (times[before] as number)));
};

describe('Fail-over of a Patroni cluster', () => {
  let cluster: Cluster;
  let instances: Instance[];
  const programs: Program[] = [];
  const onPrimary = async (): Promise<TestDatabase> => {
    const { port } = await cluster.primary();
    return existingPostgres(`postgres://roster@127.0.0.1:${port}/roster`);
  };

  before(async () => {
    cluster = await startCluster();
    await (await onPrimary()).query('create schema probe');
    await (await onPrimary()).query('create table probe.commits (at timestamptz default now())');
    const urls = cluster.urls('roster');
    const start = async (route: Instance['route']): Promise<Instance> => {
      const databaseUrl = urls[route];
      const program = new Program({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'error', ...ENVIRONMENT });
      programs.push(program);
      return { route, databaseUrl, url: (await program.ready()).url };
    };
    instances = [await start('proxy'), await start('servers')];
  });
  after(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    cluster?.stop();
  });

  /** Clients that write and read through one instance during a fault. */
  const startClients = (instance: Instance, at: number, seed: number) => {
    const writers = new Writers(() => instance.url, {
      ...WRITERS,
      random: seededRandom(seed),
      first: at * 40_000,
    });
    const reader = startReader(instance.url, writers.acknowledged.entries);
    const probe = startProbe(
      instance.route === 'proxy'
        ? [instance.databaseUrl]
        : cluster.nodes.map(({ port }) => `postgres://roster@127.0.0.1:${port}/roster`),
    );
    writers.start();
    return { route: instance.route, writers, reader, probe };
  };

  const runRound = async ({ begin, repair }: Drill, seed: number) => {
    await cluster.untilHealthy();
    await using stack = new AsyncDisposableStack();
    const clients = instances.map((instance, at) => {
      const each = startClients(instance, at, seed);
      stack.use(each.writers);
      stack.use(each.reader);
      stack.use(each.probe);
      return each;
    });
    for (const { writers } of clients) await writers.until(isSuccess);
    await pause(CALM_MS);
    await begin(cluster);
    const healing = await Promise.all(
      clients.map(async ({ writers, probe }) => {
        await writers.until(isSuccess);
        await pause(CALM_MS);
        const reachable = probe.reachableAt();
        const [first] = reachable === undefined ? [] : writers.since(reachable, isSuccess);
        return reachable === undefined ? 0 : (first?.at ?? Number.POSITIVE_INFINITY) - reachable;
      }),
    );
    await repair?.(cluster);
    await cluster.untilHealthy();
    await stack.disposeAsync();
    const all = new AcknowledgedWrites();
    for (const { writers } of clients)
      for (const [phone, entry] of writers.acknowledged.entries) all.entries.set(phone, entry);
    const database = await onPrimary();
    const { acknowledged } = await all.verify(database);
    await assertConsistent(database);
    await database.query('truncate contacts, contact_tags, tallies cascade');
    return clients.map(({ route, writers, reader }, at) => ({
      route,
      acknowledged,
      writes: writers.since(0, isSuccess).length,
      unavailable: writers.since(0, isUnavailable).length,
      withoutRetryAfter: writers.since(0, isUnavailable).filter(({ retryAfter }) => !retryAfter).length,
      broken: writers.since(0, (status) => status === 0).length,
      unexpected: [...writers.unexpected, ...reader.unexpected],
      stale: reader.stale,
      reads: reader.reads(),
      gapMs: Math.round(longestGap(writers)),
      healedMs: Math.round(healing[at] as number),
    }));
  };

  for (const drill of drills) {
    it(`${drill.name}: only 503, recovers automatically, loses and doubles nothing`, async (test) => {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(...(await runRound(drill, round + 1)));
      for (const route of ['proxy', 'servers']) {
        const own = rounds.filter((each) => each.route === route);
        const sum = (key: 'writes' | 'unavailable' | 'broken' | 'reads') =>
          own.reduce((total, each) => total + each[key], 0);
        report(test, `ha-${drill.name.replace(/\W+/g, '-')}-${route}`, {
          rounds: own.length,
          writes: sum('writes'),
          checked_reads: sum('reads'),
          status_503: sum('unavailable'),
          other_errors: own.flatMap(({ unexpected }) => unexpected).length + sum('broken'),
          lost: 0,
          doubled: 0,
          stale_reads: own.flatMap(({ stale }) => stale).length,
          unavailable_seconds: own.map(({ gapMs }) => (gapMs / 1000).toFixed(1)).join(' '),
          healed_ms: own.map(({ healedMs }) => healedMs).join(' '),
        });
      }
      for (const each of rounds) {
        assert.deepEqual(each.unexpected, []);
        assert.equal(each.broken, 0, 'no connection breaks');
        assert.equal(each.withoutRetryAfter, 0, 'every 503 has Retry-After');
        assert.deepEqual(each.stale, [], 'no read is stale');
        assert.ok(each.healedMs <= PROMISED.recoveryMs, `recovers after ${each.healedMs} ms`);
      }
    });
  }

  it('verify passes afterwards', async () => {
    const verified = await runRoster(
      { ...ENVIRONMENT, DATABASE_URL: cluster.urls('roster').servers },
      'verify',
    );
    assert.match(verified.stdout, /All \d+ checks passed/);
  });
});
