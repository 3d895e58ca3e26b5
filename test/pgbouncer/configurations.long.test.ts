import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type BackupEngine, backupEngines } from '../kit/backups/databases.ts';
import { postgresOn, type TestDatabase } from '../kit/database/engines.ts';
import { pgbouncerProgram, setRoleSettings, startPgbouncer } from '../kit/database/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../kit/database/postgres-server.ts';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { createClient, isSuccess, Writers } from '../kit/load/writers.ts';
import { runRoster } from '../kit/process/cli.ts';
import { seededRandom } from '../kit/random.ts';
import { KEY } from '../kit/service/test-service.ts';

const program = pgbouncerProgram() ?? 'pgbouncer';
const IGNORE = 'ignore_startup_parameters = options';
const TRANSACTION = ['pool_mode = transaction', 'max_prepared_statements = 200'];

describe('PgBouncer', () => {
  let server: PostgresServer;
  let direct: TestDatabase;
  before(async () => {
    server = await startPostgres({ flushes: false });
    direct = await postgresOn(server.url);
  });
  after(() => server.stop());

  const behind = async (settings: readonly string[], work: (url: string) => Promise<void>) => {
    const pooler = await startPgbouncer(program, server.url, settings);
    const url = new URL(pooler.url);
    url.pathname = new URL(direct.url).pathname;
    try {
      await work(url.href);
    } finally {
      await pooler.stop();
    }
  };
  const errorOf = async (url: string) => (await runRoster({ DATABASE_URL: url }, 'workspace', 'list')).stderr;

  for (const [title, settings] of [
    ['refuses', TRANSACTION],
    ['silently drops', [...TRANSACTION, IGNORE]],
  ] as const)
    it(`A pooler that ${title} the settings of the connection is reported with the statements to run`, () =>
      behind(settings, async (url) => {
        assert.match(
          await errorOf(url),
          /^A connection pooler drops settings that Roster needs\. .* alter role "roster" set lock_timeout = 4000;/,
        );
      }));

  describe('with the settings in the role', () => {
    before(() => setRoleSettings(server.url));

    it('Transaction mode without prepared statements is reported', () =>
      behind(['pool_mode = transaction', 'max_prepared_statements = 0'], async (url) => {
        assert.match(await errorOf(url), /^The connection pooler does not support prepared statements/);
      }));

    for (const [mode, settings] of [
      ['transaction', TRANSACTION],
      ['session', ['pool_mode = session', IGNORE]],
    ] as const)
      it(`In ${mode} mode no write is lost, and the timeouts are in force`, () =>
        behind(settings, (url) =>
          withRestartableService(
            { ...direct, url, drop: async () => {} },
            async (service) => {
              await using writers = new Writers(service.url, { count: 12, random: seededRandom(2) });
              writers.start();
              await writers.until(isSuccess);
              await new Promise((resolve) => setTimeout(resolve, 3_000));
              await writers.stop();
              assert.deepEqual(writers.unexpected, []);
              await writers.acknowledged.verify(direct);
              await assertConsistent(direct);
              await assertLockTimeout(service.url, direct);
              await direct.query('delete from contact_tags; delete from contacts; delete from tallies');
            },
            { ROSTER_API_KEY: KEY, ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') },
          ),
        ));
  });
});

const [, backups] = backupEngines() as [unknown, BackupEngine];

it('Backup and restore refuse to run their tools behind a pooler', { skip: backups.skip }, async () => {
  await backups.start();
  const direct = await backups.create();
  await setRoleSettings(direct.url);
  const pooler = await startPgbouncer(program, direct.url, TRANSACTION);
  const folder = mkdtempSync(join(tmpdir(), 'roster-pgbouncer-backup-'));
  const environment = { DATABASE_URL: pooler.url, ROSTER_DATA_DIR: folder };
  const run = (variables: Record<string, string>, ...args: string[]) =>
    runRoster({ ...environment, ...variables }, ...args);
  const file = join(folder, 'backup');
  const refusal =
    /^pg_dump and pg_restore need a connection without a pooler\. Set BACKUP_DATABASE_URL to the URL of the PostgreSQL server itself\./;
  await run({}, 'workspace', 'list');
  assert.match((await run({}, 'backup', file)).stderr, refusal);
  const made = await run({ BACKUP_DATABASE_URL: direct.url }, 'backup', file);
  assert.equal(made.status, 0, made.stderr);
  assert.match((await run({}, 'restore', file, '--force')).stderr, refusal);
  assert.match(
    (await run({ BACKUP_DATABASE_URL: 'postgres://roster@127.0.0.1:1/roster' }, 'backup', 'x')).stderr,
    /cannot be reached at 127\.0\.0\.1:1: no program listens there\. Start the server\. Check BACKUP_DATABASE_URL\./,
  );
  rmSync(folder, { recursive: true });
  await pooler.stop();
  await backups.stop();
});

/** A write that waits for a lock gets 503 after the lock timeout, not after that of a statement. */
const assertLockTimeout = async (url: () => string, { url: server }: TestDatabase): Promise<void> => {
  const request = createClient(url);
  const created = await request('POST', '/v1/contacts', { phone_number: '+14155550199' });
  const { Client } = await import('pg');
  const other = new Client({ connectionString: server });
  await other.connect();
  try {
    await other.query('begin; lock table contacts in access exclusive mode');
    const { status, ms } = await request('PATCH', `/v1/contacts/${created.body.data.id}`, { notes: 'later' });
    assert.equal(status, 503);
    assert.ok(ms > 3_000 && ms < 8_000, `${ms}`);
  } finally {
    await other.end();
  }
};
