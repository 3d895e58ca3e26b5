import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sqliteIn, type TestDatabase } from '../../kit/database/engines.ts';
import { type RestartableService, withRestartableService } from '../../kit/faults/restartable-service.ts';
import { createSmallDisk } from '../../kit/faults/small-disk.ts';
import { assertConsistent } from '../../kit/load/acknowledged-writes.ts';
import { type Limits, report, roundedMax } from '../../kit/load/measurements.ts';
import { createClient, isSuccess, isUnavailable, Writers } from '../../kit/load/writers.ts';
import { traceSyscalls } from '../../kit/process/strace.ts';
import { seededRandom } from '../../kit/random.ts';
import { KEY } from '../../kit/service/test-service.ts';

const FLUSHES = 'fsync,fdatasync';

const onSqlite = (work: (service: RestartableService) => Promise<void>, database?: TestDatabase) =>
  withRestartableService(database ?? 'sqlite', work, { ROSTER_API_KEY: KEY });

const pathOf = ({ database }: RestartableService) =>
  database.database.engine === 'sqlite' ? database.database.path : '';

/** Sequential writes, each of which must be flushed to disk before its response. */
export const countFlushes = (test: TestContext, writes: number): Promise<void> =>
  onSqlite(async (service) => {
    const request = createClient(service.url);
    const stopWatching = await traceSyscalls(service.pid(), FLUSHES);
    for (let at = 0; at < writes; at++) {
      const { status } = await request('POST', '/v1/agents', {
        name: `Agent ${at}`,
        instructions: 'Be kind.',
      });
      assert.equal(status, 201);
    }
    const flushes = (await stopWatching()).filter((line) => /f(data)?sync\(.* = 0$/.test(line)).length;
    report(test, 'flushes', { writes, flushes });
    assert.ok(flushes >= writes, `${flushes} flushes for ${writes} writes`);
  });

export interface FaultFigures {
  readonly unavailable: number;
  readonly recovered_ms: number;
}

/** Writes and reads during a fault: writes are refused and reads succeed while it lasts, and writes succeed again
 *  after it. All acknowledged writes are stored, also after the file is reopened. */
const duringFault = async (
  service: RestartableService,
  limits: Limits,
  { begin, isTotal = true, lengthMs, length }: Fault,
): Promise<FaultFigures & Record<string, number>> => {
  await using fault = new AsyncDisposableStack();
  await using writers = new Writers(service.url, { count: 10, random: seededRandom(1), restMs: 5, length });
  const request = createClient(service.url);
  const pid = service.pid();
  writers.start();
  await writers.until(isSuccess);
  await pause(300);
  fault.defer(await begin());
  const began = performance.now();
  await writers.until(isUnavailable, began);
  const failing = performance.now();
  const reads: number[] = [];
  while (performance.now() < failing + lengthMs) {
    for (const path of ['/v1/contacts?limit=5', '/v1/contacts?search=writer', '/healthz']) {
      reads.push((await request('GET', path)).status);
    }
    await pause(50);
  }
  const good = writers.successesSince(failing);
  await fault.disposeAsync();
  const recovered_ms = Math.round(await writers.until(isSuccess));
  await pause(500);
  await writers.stop();
  assert.deepEqual(writers.unexpected, []);
  assert.deepEqual([...new Set(reads)], [200], 'reads are answered');
  if (isTotal) assert.equal(good, 0, 'no write is answered well while the fault lasts');
  assert.ok(recovered_ms <= limits.recoveryMs, `recovered after ${recovered_ms} ms`);
  assert.equal(service.pid(), pid, 'without a restart');
  const { acknowledged } = await writers.acknowledged.verify(service.database);
  await assertConsistent(service.database);
  await service.kill();
  await writers.acknowledged.verify(service.database);
  await assertConsistent(service.database);
  const unavailable = writers.since(began, isUnavailable);
  return {
    writes_before_and_after: acknowledged,
    unavailable: unavailable.length,
    slowest_refusal_ms: roundedMax(unavailable.map(({ ms }) => ms)),
    good_meanwhile: good,
    reads_meanwhile: reads.length,
    lost: 0,
    recovered_ms,
  };
};

interface Fault {
  /** Starts the fault and returns a function that ends it. */
  begin(): Promise<() => Promise<void>>;
  /** Whether no write can succeed. */
  readonly isTotal?: boolean;
  readonly lengthMs: number;
  /** The length of the contacts' notes. */
  readonly length?: number;
}

export interface InjectOptions {
  readonly calls: string;
  /** The first call of a thread that fails. */
  readonly from: number;
  readonly lengthMs: number;
}

/** Injects disk errors. */
export const injectErrors = (
  test: TestContext,
  limits: Limits,
  { calls, from, lengthMs }: InjectOptions,
): Promise<void> =>
  onSqlite(async (service) => {
    const begin = async () => {
      const stopWatching = await traceSyscalls(service.pid(), calls, [`${calls}:error=EIO:when=${from}+`]);
      return async () => void (await stopWatching());
    };
    const figures = await duringFault(service, limits, { begin, isTotal: from === 1, lengthMs });
    report(test, `eio-${calls.split(',')[0]}-from-${from}`, figures);
  });

/** Fills the disk. */
export const fillDisk = async (test: TestContext, limits: Limits, lengthMs: number): Promise<void> => {
  const disk = createSmallDisk();
  try {
    await onSqlite(async (service) => {
      const begin = async () => {
        disk.fill(service.pid(), pathOf(service));
        return async () => disk.free(service.pid());
      };
      const figures = await duringFault(service, limits, { begin, isTotal: false, lengthMs, length: 1_500 });
      report(test, 'disk-full', { how: disk.method, ...figures });
    }, sqliteIn(disk.folder));
  } finally {
    disk.remove();
  }
};

/** A refused write takes the busy timeout plus the round trip. */
const MARGIN_MS = 500;

/** Locks the database from another process. */
export const lockDatabase = (test: TestContext, limits: Limits, lengthMs: number): Promise<void> =>
  onSqlite(async (service) => {
    const other = new DatabaseSync(pathOf(service), { timeout: 5_000 });
    const begin = async () => {
      other.exec('begin immediate');
      return async () => other.exec('rollback');
    };
    const figures = await duringFault(service, limits, { begin, lengthMs });
    other.close();
    report(test, 'locked', figures);
    assert.ok(Number(figures.slowest_refusal_ms) <= limits.responseMs + MARGIN_MS);
  });
