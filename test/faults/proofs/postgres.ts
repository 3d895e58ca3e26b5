import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultReason } from '../../../src/lib/errors.ts';
import { postgresOn, type TestDatabase } from '../../kit/database/engines.ts';
import { type PostgresServer, startPostgres } from '../../kit/database/postgres-server.ts';
import { type RestartableService, withRestartableService } from '../../kit/faults/restartable-service.ts';
import { startProxy } from '../../kit/faults/tcp-proxy.ts';
import { assertConsistent } from '../../kit/load/acknowledged-writes.ts';
import { type Limits, type Measurements, report, roundedMax } from '../../kit/load/measurements.ts';
import { createClient, isSuccess, isUnavailable, type WriteResult, Writers } from '../../kit/load/writers.ts';
import { seededRandom } from '../../kit/random.ts';
import { KEY } from '../../kit/service/test-service.ts';

export interface Outage {
  readonly name: string;
  readonly lengthMs: number;
  /** Whether no request can succeed while it lasts. */
  readonly isTotal: boolean;
  /** Why the log says that the database was lost, if the health check certainly notices it. */
  readonly reason?: FaultReason;
  /** Starts it and returns a function that ends it. */
  begin(environment: Environment): Promise<() => Promise<void>>;
}

interface Environment {
  readonly server: PostgresServer;
  readonly proxy: Awaited<ReturnType<typeof startProxy>>;
  /** The database without the proxy. */
  readonly direct: TestDatabase;
}

/** Kinds of outages. */
export const outages = {
  stopped: (lengthMs: number): Outage => ({
    name: 'stopped',
    lengthMs,
    isTotal: true,
    reason: 'no_answer',
    begin: async ({ server }) => {
      server.signal('SIGSTOP');
      return async () => server.signal('SIGCONT');
    },
  }),
  killed: (lengthMs: number): Outage => ({
    name: 'killed',
    lengthMs,
    isTotal: true,
    begin: async ({ server }) => {
      server.signal('SIGKILL');
      return () => server.restart();
    },
  }),
  /** Every connection of the service is terminated repeatedly. */
  ended: (lengthMs: number): Outage => ({
    name: 'ended',
    lengthMs,
    isTotal: false,
    begin: async ({ direct }) => {
      let isRunning = true;
      const loop = (async () => {
        while (isRunning) {
          await direct.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name like 'roster%'`);
          await pause(50);
        }
      })();
      return async () => {
        isRunning = false;
        await loop;
      };
    },
  }),
  swallowed: (lengthMs: number): Outage => ({
    name: 'swallowed',
    lengthMs,
    isTotal: true,
    begin: async ({ proxy }) => {
      proxy.stall();
      return async () => proxy.resume();
    },
  }),
  /** The connections die silently, as behind a restarted router. */
  forgotten: (): Outage => ({
    name: 'forgotten',
    lengthMs: 0,
    isTotal: false,
    begin: async ({ proxy }) => {
      proxy.stallCurrent();
      return async () => {};
    },
  }),
  cut: (lengthMs: number): Outage => ({
    name: 'cut',
    lengthMs,
    isTotal: false,
    begin: async ({ proxy }) => {
      const timer = setInterval(proxy.disconnect, 100);
      return async () => clearInterval(timer);
    },
  }),
};

/** Reads continuously and records the responses. */
const startReading = (url: () => string) => {
  const request = createClient(url);
  const answers: WriteResult[] = [];
  let isRunning = true;
  const read = async () => {
    while (isRunning) {
      for (const path of ['/v1/contacts?limit=5', '/v1/contacts?search=writer']) {
        answers.push(await request('GET', path));
      }
      await pause(50);
    }
  };
  const running = Promise.all([read(), read()]);
  const stop = async () => {
    isRunning = false;
    await running;
  };
  return { answers, stop, [Symbol.asyncDispose]: stop };
};

/** The log has the changes of state, and no line for each request. */
const assertStateLines = (lines: readonly string[], reason: FaultReason | undefined) => {
  const entries = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    entries.filter(({ stack, message }) => stack !== undefined || message === 'request failed'),
    [],
  );
  if (!reason) return;
  const changes = entries.filter(({ message }) => /^database (?:lost|found)$/.test(message));
  assert.deepEqual(
    changes.map(({ level, message, reason }) => [level, message, reason]),
    [
      ['warn', 'database lost', reason],
      ['warn', 'database found', reason],
    ],
  );
  const [lost, found] = changes;
  assert.ok(lost.code !== '' && found.seconds > 0 && found.refused_requests > 0, lines.join(''));
};

/** Writes and reads during one outage, and verifies the acknowledged writes. */
const surviveOne = async (
  service: RestartableService,
  environment: Environment,
  outage: Outage,
): Promise<Measurements> => {
  const logged = service.errors().length;
  await using fault = new AsyncDisposableStack();
  await using writers = new Writers(service.url, { count: 20, random: seededRandom(1), restMs: 5 });
  await using reading = startReading(service.url);
  writers.start();
  await writers.until(isSuccess);
  await pause(300);
  fault.defer(await outage.begin(environment));
  const began = performance.now();
  await pause(outage.lengthMs);
  const good_meanwhile = writers.successesSince(began);
  await fault.disposeAsync();
  const recovered_ms = Math.round(await writers.until(isSuccess));
  await pause(500);
  await Promise.all([writers.stop(), reading.stop()]);
  assertStateLines(service.errors().slice(logged), outage.reason);
  assert.deepEqual(writers.unexpected, []);
  const others = reading.answers.filter(({ status }) => !isSuccess(status) && !isUnavailable(status));
  assert.deepEqual(others, [], 'reads are answered or refused');
  const { acknowledged, stored } = await writers.acknowledged.verify(environment.direct);
  await assertConsistent(environment.direct);
  await environment.direct.query('delete from contact_tags; delete from contacts; delete from tallies');
  const refused = writers.since(0, isUnavailable).length;
  if (outage.isTotal) {
    assert.equal(good_meanwhile, 0, 'nothing is answered well meanwhile');
    assert.ok(refused > 0, 'some were refused');
  }
  const slowest_ms = roundedMax([...writers.results, ...reading.answers].map(({ ms }) => ms));
  return {
    length_ms: outage.lengthMs,
    good_writes: writers.since(0, isSuccess).length,
    contacts: acknowledged,
    refused,
    stored_unanswered: stored,
    lost: 0,
    doubled: 0,
    slowest_ms,
    recovered_ms,
  };
};

/** Runs all outages in sequence, on a dedicated server. */
export const surviveOutages = async (
  test: TestContext,
  limits: Limits,
  outages: readonly Outage[],
): Promise<void> => {
  const server = await startPostgres();
  const proxy = await startProxy(server.url);
  try {
    const direct = await postgresOn(server.url);
    const url = new URL(direct.url);
    url.port = new URL(proxy.url).port;
    const surviveAll = async (service: RestartableService) => {
      for (const outage of outages) {
        const figures = await surviveOne(service, { server, proxy, direct }, outage);
        report(test, `postgres-${outage.name}`, figures);
        assert.ok(
          Number(figures.slowest_ms) <= limits.responseMs,
          `the slowest took ${figures.slowest_ms} ms`,
        );
        assert.ok(
          Number(figures.recovered_ms) <= limits.recoveryMs,
          `recovered after ${figures.recovered_ms} ms`,
        );
      }
    };
    await withRestartableService({ ...direct, url: url.href }, surviveAll, { ROSTER_API_KEY: KEY });
  } finally {
    proxy.close();
    await server.stop();
  }
};
