import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { emptyEngines, engines, type TestDatabase } from '../kit/database/engines.ts';
import { fillLargeDatabase } from '../kit/fixtures/large-database.ts';
import { CLI } from '../kit/process/cli.ts';
import { environmentOf, interruptMove, move } from '../kit/process/move.ts';
import { seededRandom } from '../kit/random.ts';

const CONTACTS = Number(process.env.MOVE_CONTACTS ?? 1_000_000);
const MAX_RSS_MB = 200;

/** The resident memory of a process in megabytes. */
const rssOf = (pid: number): number => {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
};

/** Runs `roster move` and measures its memory. */
const measureMove = async (from: TestDatabase, to: TestDatabase) => {
  const child = spawn(process.execPath, [CLI, 'move', '--to', to.url, '--json'], {
    env: { PATH: process.env.PATH ?? '', ...environmentOf(from) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  const ended = once(child, 'exit');
  const began = performance.now();
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, rssOf(child.pid ?? 0));
    await Promise.race([pause(500), ended]);
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  return { ...JSON.parse(await output), peak: Math.round(peak), seconds };
};

describe(`Move of ${CONTACTS.toLocaleString('en')} contacts`, () => {
  let source: TestDatabase;
  const targets: TestDatabase[] = [];
  before(async () => {
    source = await engines.sqlite();
    await fillLargeDatabase(source, CONTACTS);
  });
  after(() => Promise.all([source, ...targets].map((each) => each?.drop())));

  const newTarget = async (engine: 'sqlite' | 'postgres') => {
    const target = await emptyEngines[engine]();
    targets.push(target);
    return target;
  };

  it(`A move to PostgreSQL and back needs less than ${MAX_RSS_MB} MB of memory`, async (test) => {
    const [target, copy] = [await newTarget('postgres'), await newTarget('sqlite')];
    for (const [from, to] of [
      [source, target],
      [target, copy],
    ] as const) {
      const { ok, rows, rows_per_second: rate, peak, seconds } = await measureMove(from, to);
      test.diagnostic(
        `to ${to.database.engine}: ${rows} rows, ${rate} rows per second, ${seconds} s with all checks, ${peak} MB`,
      );
      assert.equal(ok, true);
      assert.ok(peak < MAX_RSS_MB, `${peak} MB`);
    }
  });

  it('A move that is killed at random moments continues and copies every row once', async () => {
    const random = seededRandom(54);
    const target = await newTarget('postgres');
    for (let kills = 0; kills < 10; kills++) {
      const isDue = () => pause(1_000 + random() * 20_000);
      if (!(await interruptMove(source, target, { signal: 'SIGKILL', isDue })).interrupted) return;
    }
    const finished = await move(source, target);
    assert.equal(finished.status, 0, finished.stderr);
  });
});
