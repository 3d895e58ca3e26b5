import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SCHEMA_VERSION } from '../../../src/db/migrations/index.ts';
import { emptyEngines, type TestDatabase } from '../../kit/database/engines.ts';
import { createSchema } from '../../kit/database/old-schema.ts';
import { report } from '../../kit/load/measurements.ts';
import { withPrograms } from '../../kit/process/program.ts';
import { seededRandom } from '../../kit/random.ts';

const OLD = 16;

/** The numbers from 1, as a table `numbers (n)`. */
const numbers = (engine: keyof typeof emptyEngines, count: number) =>
  engine === 'sqlite'
    ? `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`
    : `with numbers as (select n from generate_series(1, ${count}) as each (n))`;

/** A database of an older version with this many calls. */
const createOldDatabase = async (engine: keyof typeof emptyEngines, calls: number): Promise<TestDatabase> => {
  const database = await emptyEngines[engine]();
  const { query } = database;
  await createSchema(database, OLD);
  await query(
    `insert into workspaces (id, name, created_at) values (1, 'default', '2025-01-01T00:00:00.000Z')`,
  );
  await query(
    `${numbers(engine, calls)} insert into calls (workspace_id, id, seq, channel_id, contact_id, agent_id, version_id,
       medium, direction, status, number, number_identity, provider_id, started_at, ended_at, seconds)
     select 1, 'call_' || n, n, 'none', null, 'agent_' || n % 100, null, 'call',
       case when n % 2 = 0 then 'inbound' else 'outbound' end, 'completed', null, null, 'p' || n,
       '2025-01-01T00:00:00.000Z', null, n % 600 from numbers`,
  );
  await query(`insert into tallies (workspace_id, list, part, count) values (1, 'calls', 0, ${calls})`);
  if (engine === 'sqlite') await query('pragma journal_mode = wal');
  return database;
};

const countOf = async ({ query }: TestDatabase, sql: string) => Number((await query(sql))[0]?.count);
const appliedMigrations = (database: TestDatabase) =>
  countOf(database, 'select count(*) as count from migrations');

/** Kills the service ever later during its first start on an old database, and starts it again: each time either no
 *  migration or all of them were applied. */
export const killWhileMigrating = async (
  test: TestContext,
  { engine, rounds, calls }: { engine: keyof typeof emptyEngines; rounds: number; calls: number },
): Promise<void> => {
  const random = seededRandom(1);
  const count = { rolled_back: 0, done: 0 };
  const round = async (killAfterMs: number | undefined): Promise<number> => {
    const database = await createOldDatabase(engine, calls);
    try {
      let ready = 0;
      await withPrograms(async (start) => {
        const began = performance.now();
        const program = start({ DATABASE_URL: database.url, LOG_LEVEL: 'error' });
        if (killAfterMs !== undefined) {
          await pause(killAfterMs);
          program.kill('SIGKILL');
          await program.exit();
          const steps = await appliedMigrations(database);
          assert.ok([OLD, SCHEMA_VERSION].includes(steps), `${steps} steps were taken`);
          count[steps === OLD ? 'rolled_back' : 'done']++;
          await start({ DATABASE_URL: database.url, LOG_LEVEL: 'error' }).ready();
        } else await program.ready();
        ready = performance.now() - began;
      });
      assert.equal(await appliedMigrations(database), SCHEMA_VERSION);
      assert.equal(await countOf(database, 'select count(*) as count from calls'), calls);
      assert.equal(
        await countOf(database, `select sum(count) as count from tallies where list = 'calls'`),
        calls,
      );
      if (engine === 'sqlite') {
        assert.equal((await database.query('pragma integrity_check'))[0]?.integrity_check, 'ok');
      }
      return ready;
    } finally {
      await database.drop();
    }
  };
  const unbroken = await round(undefined);
  for (let at = 0; at < rounds; at++) await round(unbroken * (0.2 + 0.8 * random()));
  report(test, `kill-migration-${engine}`, {
    rounds,
    calls,
    ...count,
    unbroken_start_ms: Math.round(unbroken),
  });
};
