import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { engines } from '../../kit/database/engines.ts';
import { randomFrom, withMortal } from '../../kit/faults/restartable-service.ts';
import { assertWhole } from '../../kit/load/acknowledged-writes.ts';
import { most, quantile, report } from '../../kit/load/measurements.ts';
import { isGood, Writers } from '../../kit/load/writers.ts';
import { KEY } from '../../kit/service/test-service.ts';

export interface KillOptions {
  readonly engine: keyof typeof engines;
  readonly rounds: number;
  readonly readyWithinMs: number;
  readonly environment?: Record<string, string>;
  readonly seed?: number;
}

const WRITERS = 50;
/** After so many rounds on one database the next has its turn. */
const ROUNDS_OF_ONE = 50;

/** Kills the service at random moments while many write, and looks after each start at all that was promised. */
export const killUnderWriters = async (
  test: TestContext,
  { engine, rounds, readyWithinMs, environment, seed = Date.now() % 1_000_000 }: KillOptions,
): Promise<void> => {
  const random = randomFrom(seed);
  const total = { writers: WRITERS, seed, rounds: 0, promised: 0, unanswered: 0, kept: 0, lost: 0 };
  const starts: number[] = [];
  while (total.rounds < rounds) {
    const until = Math.min(rounds, total.rounds + ROUNDS_OF_ONE);
    await withMortal(
      engine,
      async (mortal) => {
        await using writers = new Writers(mortal.url, { count: WRITERS, random, restMs: 20 });
        for (; total.rounds < until; total.rounds++) {
          const before = writers.answers.length;
          writers.start();
          // The first answer, and then any moment.
          await writers.until(isGood);
          await pause(random() * 400);
          await mortal.kill();
          await writers.stop();
          total.promised += writers.answers.slice(before).filter(({ status }) => isGood(status)).length;
          const began = performance.now();
          await mortal.start();
          starts.push(performance.now() - began);
          const { unanswered, kept } = await writers.ledger.settle(mortal.database);
          total.unanswered += unanswered;
          total.kept += kept;
          await assertWhole(mortal.database);
          assert.deepEqual(writers.surprises, []);
        }
      },
      { ROSTER_API_KEY: KEY, ...environment },
    );
  }
  const figures = { ...total, ready_p50_ms: quantile(starts, 0.5), ready_most_ms: most(starts) };
  report(test, `kill-${engine}`, figures);
  assert.equal(total.rounds, rounds);
  assert.ok(figures.ready_most_ms <= readyWithinMs, `ready again after ${figures.ready_most_ms} ms`);
};
