import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { engines } from '../../kit/database/engines.ts';
import { withRestartableService } from '../../kit/faults/restartable-service.ts';
import { assertConsistent } from '../../kit/load/acknowledged-writes.ts';
import { quantile, report, roundedMax } from '../../kit/load/measurements.ts';
import { isSuccess, Writers } from '../../kit/load/writers.ts';
import { seededRandom } from '../../kit/random.ts';
import { KEY } from '../../kit/service/test-service.ts';

export interface KillOptions {
  readonly engine: keyof typeof engines;
  readonly rounds: number;
  readonly readyWithinMs: number;
  readonly environment?: Record<string, string>;
  readonly seed?: number;
}

const WRITERS = 50;
/** Rounds on one database before the next one is used. */
const ROUNDS_PER_DATABASE = 50;

/** Kills the service at random moments under concurrent writers, and verifies the acknowledged writes after each
 *  start. */
export const killUnderWriters = async (
  test: TestContext,
  { engine, rounds, readyWithinMs, environment, seed = Date.now() % 1_000_000 }: KillOptions,
): Promise<void> => {
  const random = seededRandom(seed);
  const total = { writers: WRITERS, seed, rounds: 0, acknowledged: 0, unanswered: 0, stored: 0, lost: 0 };
  const starts: number[] = [];
  while (total.rounds < rounds) {
    const until = Math.min(rounds, total.rounds + ROUNDS_PER_DATABASE);
    await withRestartableService(
      engine,
      async (service) => {
        await using writers = new Writers(service.url, { count: WRITERS, random, restMs: 20 });
        for (; total.rounds < until; total.rounds++) {
          const before = writers.results.length;
          writers.start();
          // After the first response, at a random moment.
          await writers.until(isSuccess);
          await pause(random() * 400);
          await service.kill();
          await writers.stop();
          total.acknowledged += writers.results
            .slice(before)
            .filter(({ status }) => isSuccess(status)).length;
          const began = performance.now();
          await service.start();
          starts.push(performance.now() - began);
          const { unanswered, stored } = await writers.acknowledged.verify(service.database);
          total.unanswered += unanswered;
          total.stored += stored;
          await assertConsistent(service.database);
          assert.deepEqual(writers.unexpected, []);
        }
      },
      { ROSTER_API_KEY: KEY, ...environment },
    );
  }
  const figures = { ...total, ready_p50_ms: quantile(starts, 0.5), ready_most_ms: roundedMax(starts) };
  report(test, `kill-${engine}`, figures);
  assert.equal(total.rounds, rounds);
  assert.ok(figures.ready_most_ms <= readyWithinMs, `ready again after ${figures.ready_most_ms} ms`);
};
