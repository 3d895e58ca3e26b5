import assert from 'node:assert/strict';
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type FaultReason, faultReasons } from '../../../src/lib/errors.ts';
import { sqliteIn, type TestDatabase } from '../../kit/database/engines.ts';
import { mountFreezable } from '../../kit/faults/freezable-disk.ts';
import { type RestartableService, withRestartableService } from '../../kit/faults/restartable-service.ts';
import { createSmallDisk } from '../../kit/faults/small-disk.ts';
import { newPhone } from '../../kit/fixtures/factories.ts';
import { assertConsistent } from '../../kit/load/acknowledged-writes.ts';
import { type Limits, report, roundedMax } from '../../kit/load/measurements.ts';
import { createClient, isSuccess, isUnavailable, Writers } from '../../kit/load/writers.ts';
import { withPrograms } from '../../kit/process/program.ts';
import { traceSyscalls } from '../../kit/process/strace.ts';
import { seededRandom } from '../../kit/random.ts';
import { KEY } from '../../kit/service/test-service.ts';
import { eventually } from '../../kit/webhooks/deliveries.ts';

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
  { begin, reason, code, isTotal = true, lengthMs, length }: Fault,
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
  await untilLost(service, reason);
  const reads: number[] = [];
  do {
    for (const path of ['/v1/contacts?limit=5', '/v1/contacts?search=writer', '/healthz']) {
      reads.push((await request('GET', path)).status);
    }
    await pause(50);
  } while (performance.now() < failing + lengthMs);
  const good = writers.successesSince(failing);
  await fault.disposeAsync();
  const recovered_ms = Math.round(await writers.until(isSuccess));
  await untilFound(service);
  await writers.stop();
  assertTwoLines(service, reason, code);
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
  if (reason === 'disk_full')
    for (const { body } of unavailable)
      assert.match(body.error.message, /^The disk of the database is full\./);
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

const readiness = async (service: RestartableService) => {
  const reply = await fetch(`${service.url()}/readyz`);
  return { status: reply.status, body: (await reply.json()) as { error?: { message: string } } };
};

/** Waits until readiness and metrics name the reason. */
const untilLost = async (service: RestartableService, reason: FaultReason): Promise<void> => {
  const lost = { status: 503, message: faultReasons[reason] };
  await eventually(`/readyz says "${lost.message}"`, async () => {
    const { status, body } = await readiness(service);
    return isDeepStrictEqual({ status, message: body.error?.message }, lost);
  });
  // The first requests fail without the reason if their thread ended before it answered.
  const refused = new RegExp(`^roster_requests_refused_total\\{reason="${reason}"\\} [1-9]`, 'm');
  const metrics = await eventually('a refused request is counted', async () => {
    const text = await (await fetch(`${service.url()}/metrics`)).text();
    return refused.test(text) && text;
  });
  assert.match(metrics, new RegExp(`^roster_database_lost\\{reason="${reason}"\\} 1$`, 'm'));
  assert.match(metrics, /^roster_database_up 0$/m);
};

const untilFound = (service: RestartableService) =>
  eventually(
    'the service is ready again',
    async () =>
      (await readiness(service)).status === 200 &&
      service.errors().some((line) => line.includes('database found')),
  );

/** The log has one line for the begin and one for the end of the fault, and none for each request. */
const assertTwoLines = (service: RestartableService, reason: FaultReason, code: RegExp, minRefused = 1) => {
  const lines = service
    .errors()
    .map((line) => JSON.parse(line))
    // A writer that is silent for long is replaced.
    .filter(({ message }) => reason !== 'no_answer' || message !== 'thread hangs and is replaced');
  assert.deepEqual(
    lines.map(({ level, message, reason }) => [level, message, reason]),
    [
      ['warn', 'database lost', reason],
      ['warn', 'database found', reason],
    ],
  );
  const [lost, found] = lines;
  assert.match(lost.code, code);
  assert.ok(found.seconds > 0 && found.refused_requests >= minRefused, JSON.stringify(found));
};

interface Fault {
  /** How the service names the fault, and the code of SQLite. */
  readonly reason: FaultReason;
  readonly code: RegExp;
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
    const isTotal = from === 1;
    const fault = { begin, reason: 'disk_error', code: /^SQLITE_IOERR \(\d+\)$/, isTotal, lengthMs } as const;
    const figures = await duringFault(service, limits, fault);
    report(test, `eio-${calls.split(',')[0]}-from-${from}`, figures);
  });

/** Stalls the disk: flushes do not return for a while. Writes are 503 in time. */
export const delayFlushes = (test: TestContext, limits: Limits, lengthMs: number): Promise<void> =>
  onSqlite(async (service) => {
    const begin = async () => {
      const rule = `${FLUSHES}:delay_enter=${lengthMs * 2_000}`;
      const stopWatching = await traceSyscalls(service.pid(), FLUSHES, [rule]);
      return async () => void (await stopWatching());
    };
    const code = /^the writer thread is silent$/;
    const figures = await duringFault(service, limits, { begin, reason: 'no_answer', code, lengthMs });
    report(test, 'flushes-delayed', figures);
    assert.ok(Number(figures.slowest_refusal_ms) <= limits.responseMs + MARGIN_MS);
  });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Freezes the file system, as a snapshot does: no thread can write to it, or to a mapped file. Writes are 503 in time, reads are
 *  answered, and a stop waits only for the thaw. */
export const freezeDisk = async (
  test: TestContext,
  limits: Limits,
  environment: Record<string, string>,
): Promise<void> => {
  const disk = mountFreezable();
  if (!disk) return test.skip('this user may not mount a file system');
  const proof = async (service: RestartableService) => {
    await using writers = new Writers(service.url, { count: 5, random: seededRandom(1), restMs: 5 });
    const request = createClient(service.url);
    const pid = service.pid();
    const freeze = async () => {
      writers.start();
      await writers.until(isSuccess);
      await pause(300);
      disk.freeze();
      const began = performance.now();
      await writers.until(isUnavailable, began);
      return began;
    };
    const began = await freeze();
    const statusOf = async (path: string) => (await request('GET', path)).status;
    await untilLost(service, 'no_answer');
    for (const path of ['/v1/contacts?limit=5', '/v1/agents', '/healthz'])
      assert.equal(await statusOf(path), 200, path);
    const refused = writers.since(began, isUnavailable);
    assert.deepEqual([...new Set(refused.map(({ retryAfter }) => retryAfter))], ['1']);
    assert.ok(roundedMax(refused.map(({ ms }) => ms)) <= limits.responseMs + MARGIN_MS);
    disk.thaw();
    await writers.until(isSuccess);
    await untilFound(service);
    await writers.stop();
    assertTwoLines(service, 'no_answer', /^the writer thread is silent$/);
    await writers.acknowledged.verify(service.database);

    await freeze();
    process.kill(pid, 'SIGTERM');
    await pause(1_000);
    disk.thaw();
    await eventually('it stops after the thaw', () => !isAlive(pid));
    await writers.stop();
    assert.deepEqual(writers.unexpected, []);
    await writers.acknowledged.verify(service.database);
    await assertConsistent(service.database);
  };
  try {
    const thawing = (service: RestartableService) => proof(service).finally(disk.thaw);
    await withRestartableService(sqliteIn(disk.folder), thawing, { ROSTER_API_KEY: KEY, ...environment });
  } finally {
    disk.remove();
  }
};

/** Fills the disk. */
export const fillDisk = async (test: TestContext, limits: Limits, lengthMs: number): Promise<void> => {
  const disk = createSmallDisk();
  try {
    await onSqlite(async (service) => {
      const begin = async () => {
        disk.fill(service.pid(), pathOf(service));
        return async () => disk.free(service.pid());
      };
      const fault = { begin, reason: 'disk_full', code: /^SQLITE_FULL$/, isTotal: false } as const;
      const figures = await duringFault(service, limits, { ...fault, lengthMs, length: 1_500 });
      report(test, 'disk-full', { how: disk.method, ...figures });
    }, sqliteIn(disk.folder));
  } finally {
    disk.remove();
  }
};

/** Starts on a full disk, without and with a database. */
export const startOnFullDisk = async (test: TestContext): Promise<void> => {
  const disk = createSmallDisk();
  try {
    if (!disk.isMounted) return test.skip('this user may not mount a small disk');
    await withPrograms(async (start) => {
      const failToStart = async () => {
        const program = start({ ROSTER_DATA_DIR: disk.folder });
        assert.equal(await Promise.race([program.exit(), program.ready()]), 1);
        assert.match(program.stderr, /^Roster did not start: [Tt]he disk of .* is full\. Free some space/);
      };
      const fill = () => disk.fill(0, disk.folder);
      fill();
      await failToStart();
      disk.free(0);
      const program = start({ ROSTER_DATA_DIR: disk.folder });
      await program.ready();
      assert.equal(await program.stop(), 0);
      fill();
      // Space for the shared memory of SQLite and one page, so that reads work and no write does.
      const rest = join(disk.folder, '..', 'rest');
      truncateSync(rest, statSync(rest).size - 9 * 4_096);
      await failToStart();
      fill();
      await failToStart();
    });
  } finally {
    disk.remove();
  }
};

const checkpointFailures = async (service: RestartableService): Promise<number> => {
  const metrics = await (await fetch(`${service.url()}/metrics`)).text();
  return Number(/^roster_task_failures_total\{task="wal_checkpoint"\} (\d+)$/m.exec(metrics)?.[1]);
};

/** Fills the disk between some writes and the checkpoint that follows them. */
export const failCheckpoint = async (test: TestContext): Promise<void> => {
  const disk = createSmallDisk();
  try {
    if (!disk.isMounted) return test.skip('this user may not mount a small disk');
    await onSqlite(async (service) => {
      const request = createClient(service.url);
      const notes = 'x'.repeat(1_500);
      const operations = Array.from({ length: 500 }, () => ({
        op: 'create',
        phone_number: newPhone(),
        notes,
      }));
      const { body } = await request('POST', '/v1/contacts/batch', { operations });
      assert.equal(body.data.created, 500);
      disk.fill(service.pid(), pathOf(service));
      await eventually('a checkpoint fails', async () => (await checkpointFailures(service)) > 0);
      disk.free(service.pid());
      await untilFound(service);
      assertTwoLines(service, 'disk_full', /^SQLITE_FULL$/, 0);
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
    const fault = { begin, reason: 'locked', code: /^SQLITE_BUSY$/, lengthMs } as const;
    const figures = await duringFault(service, limits, fault);
    other.close();
    report(test, 'locked', figures);
    assert.ok(Number(figures.slowest_refusal_ms) <= limits.responseMs + MARGIN_MS);
  });
