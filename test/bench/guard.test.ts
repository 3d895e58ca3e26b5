import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fillPlain } from '../../bench/contestants/plain.postgres.fill.ts';
import { startLimit } from '../../bench/embedded.ts';
import { type Filled, fill } from '../../bench/fill.ts';
import { type Server, startRoster, startServer } from '../../bench/server.ts';
import { targets } from '../../bench/targets.ts';
import { type Traffic, trafficByName } from '../../bench/works.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { throughputOf } from './throughput.ts';

/** Fails when speed collapses. `npm run bench` measures; this only checks that ratios do not fall below half of their
 *  targets. They compare the processor time per request of two servers, measured in turns, and most rounds must reach the
 *  bound, so that a busy machine does not fail it and a lucky round does not pass it. */

const skip = existsSync('/proc/self/task') ? false : 'only Linux reports the CPU time of threads';

const SIZE = { contacts: 5_000, neighbours: 5 };
/** Four of seven rounds decide. */
const MIN_ROUNDS_ABOVE = 4;

/** Measures the two in turns until four rounds have reached the bound, or four have missed it. */
const assertRatio = async (traffic: Traffic, roster: Server, other: Server, least: number): Promise<void> => {
  for (const server of [roster, other]) await throughputOf(server, traffic);
  const ratios: number[] = [];
  const missed = () => ratios.filter((ratio) => ratio < least).length;
  while (missed() < MIN_ROUNDS_ABOVE && ratios.length - missed() < MIN_ROUNDS_ABOVE)
    ratios.push((await throughputOf(roster, traffic)) / (await throughputOf(other, traffic)));
  assert.ok(
    missed() < MIN_ROUNDS_ABOVE,
    `most of the ratios ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} are below ${least}`,
  );
};

/** A service in another process, on its own filled database. */
const served = async (engine: keyof typeof engines) => {
  const database: TestDatabase = await engines[engine]();
  const filled: Filled = await fill(database.database, SIZE);
  return { database, filled, roster: await startRoster(database.url) };
};

describe('SQLite reaches at least half of its target share of the limit', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-guard-'));
  let roster: Awaited<ReturnType<typeof served>>;
  before(async () => {
    roster = await served('sqlite');
  });
  after(async () => {
    await roster?.roster.stop();
    await roster?.database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const name of ['get', 'list', 'tag', 'search.again', 'agent', 'create'] as const) {
    it(targets[name].title, async () => {
      const traffic = trafficByName[name](roster.filled);
      const limit = await startLimit(roster.roster, traffic, folder);
      await assertRatio(traffic, roster.roster, limit, targets[name].atLeast / 2).finally(limit.stop);
    });
  }
});

describe('PostgreSQL reaches at least half of its target lead over the plain build', { skip }, () => {
  let roster: Awaited<ReturnType<typeof served>>;
  let plain: Server;
  before(async () => {
    roster = await served('postgres');
    await fillPlain(roster.database.url);
    plain = await startServer('./contestants/plain.ts', { DATABASE_URL: roster.database.url });
  });
  after(async () => {
    await plain?.stop();
    await roster?.roster.stop();
    await roster?.database.drop();
  });

  for (const name of ['get', 'list', 'search', 'create'] as const) {
    it(targets[`pg.${name}`].title, () =>
      assertRatio(
        trafficByName[name](roster.filled),
        roster.roster,
        plain,
        targets[`pg.${name}`].atLeast / 2,
      ),
    );
  }
});
