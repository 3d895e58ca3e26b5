import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parseSchedule, type Schedule } from '../../src/backups/cron.ts';
import { startScheduler } from '../../src/backups/scheduler.ts';
import { RunCounters } from '../../src/lib/run-counters.ts';
import { type BackupEngine, backupEngines } from '../kit/backups/databases.ts';
import { startS3 } from '../kit/backups/s3-server.ts';
import { emptyEngines } from '../kit/database/engines.ts';
import { runRoster } from '../kit/process/cli.ts';
import { type Program, withPrograms } from '../kit/process/program.ts';

/** Due once a year, so that a test does not cross a scheduled time. */
const YEARLY = '0 0 1 1 *';
const KEY = { ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), DRAIN_SECONDS: '0' };

const until = async (isTrue: () => boolean, what: string): Promise<void> => {
  for (let tries = 0; !isTrue(); tries++) {
    assert.ok(tries < 300, `did not happen: ${what}`);
    await pause(100);
  }
};

/** The logged lines with a message. */
const logged = (program: Program, message: string): Record<string, unknown>[] =>
  program.stdout
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(`"message":"${message}"`))
    .map((line) => JSON.parse(line));

const metricOf = async (url: string, name: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};

const isBackup = (name: string) => /^roster-.*\.(db|dump)(\.age)?$/.test(name);

const defineFor = (engine: BackupEngine) => {
  describe(`Scheduled backups of ${engine.name}`, { skip: engine.skip }, () => {
    before(() => engine.start());
    after(() => engine.stop());

    it(`A missed backup runs once at start-up${engine.name === 'postgres' ? ', by one of two instances' : ''}`, async () => {
      const database = await engine.create();
      await withPrograms(async (start, folder) => {
        const target = join(folder, 'backups');
        mkdirSync(target);
        const environment = {
          ...KEY,
          DATABASE_URL: database.url,
          BACKUP_SCHEDULE: YEARLY,
          BACKUP_TO: target,
          BACKUP_KEEP: '1',
        };
        const backups = () => readdirSync(target).filter(isBackup);
        const manifests = () => readdirSync(target).filter((name) => name.endsWith('.json'));
        const programs = (engine.name === 'postgres' ? [1, 2] : [1]).map(() => start(environment));
        const [{ url } = { url: '' }] = await Promise.all(programs.map((each) => each.ready()));
        await until(() => manifests().length > 0, 'a backup is stored');
        await until(() => programs.some((each) => logged(each, 'backup stored').length > 0), 'it is logged');
        const [stored] = programs.flatMap((each) => logged(each, 'backup stored'));
        assert.equal(stored?.backup, join(target, backups()[0] as string));
        if (engine.name === 'sqlite') {
          assert.ok((await metricOf(url, 'roster_backup_last_success_timestamp_seconds')) > 1.7e9);
          assert.ok((await metricOf(url, 'roster_backup_last_size_bytes')) > 10_000);
          assert.ok((await metricOf(url, 'roster_backup_last_duration_seconds')) > 0);
          assert.equal(await metricOf(url, 'roster_backup_failures_total'), 0);
        }
        for (const program of programs) assert.equal(await program.stop(), 0);
        assert.equal(programs.flatMap((each) => logged(each, 'backup stored')).length, 1);

        const [first = ''] = backups();
        const second = start(environment);
        const again = await second.ready();
        let known = 0;
        while (known === 0) {
          await pause(100);
          known = await metricOf(again.url, 'roster_backup_last_success_timestamp_seconds');
        }
        assert.deepEqual(backups(), [first], 'a backup that is not due is not repeated');
        assert.equal(await second.stop(), 0);

        const old = first.replace(/\d{8}T/, '20200101T');
        renameSync(join(target, first), join(target, old));
        renameSync(join(target, `${first}.json`), join(target, `${old}.json`));
        const third = start(environment);
        await third.ready();
        await until(() => logged(third, 'backup stored').length > 0, 'the missed backup is stored');
        assert.deepEqual(logged(third, 'backup stored')[0]?.deleted, [join(target, old)]);
        assert.equal(backups().length, 1);
        assert.equal(await third.stop(), 0);
      });
      await database.drop();
    });
  });
};

for (const engine of backupEngines()) defineFor(engine);

describe('Faults of scheduled backups', () => {
  it('A failure is logged with its reason and counted, and the service continues', async () => {
    await withPrograms(async (start, folder) => {
      const program = start({ ...KEY, BACKUP_SCHEDULE: '@hourly', BACKUP_TO: join(folder, 'unmounted') });
      const { url } = await program.ready();
      await until(() => logged(program, 'backup failed').length > 0, 'the failure is logged');
      const [line] = logged(program, 'backup failed');
      assert.equal(line?.reason, `Cannot read the folder ${join(folder, 'unmounted')}: it does not exist.`);
      assert.equal(line?.retry_in_seconds, 60);
      assert.equal(await metricOf(url, 'roster_backup_failures_total'), 1);
      assert.equal(await metricOf(url, 'roster_backup_last_success_timestamp_seconds'), 0);
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
      assert.equal(await program.stop(), 0);
    });
  });

  it('A process that cannot be started counts as a failure', async () => {
    const reasons: unknown[] = [];
    const ignore = () => {};
    const scheduler = startScheduler({
      schedule: parseSchedule('@hourly') as Schedule,
      command: ['invalid\0'],
      findProblem: async () => undefined,
      task: new RunCounters('task', 'task').register('backup'),
      log: {
        debug: ignore,
        info: ignore,
        warn: ignore,
        error: (message, fields) => reasons.push(message, fields?.reason),
        append: ignore,
        isPretty: false,
        flush: ignore,
        droppedLines: 0,
      },
    });
    await until(() => reasons.length > 0, 'the failure is logged');
    assert.match(reasons.join(), /^backup failed,.*without null bytes/);
    await scheduler.stop();
  });

  it('A stop interrupts a running backup before the drain time, and the backup aborts its upload', async (test) => {
    const server = await startS3();
    test.after(() => server.stop());
    await withPrograms(async (start, folder) => {
      server.fault = (request) => (request.includes('partNumber=') ? 503 : undefined);
      const program = start({
        ...KEY,
        ...server.environment,
        BACKUP_SCHEDULE: YEARLY,
        BACKUP_TO: 's3://backups/stopped',
        DRAIN_SECONDS: '60',
        BACKUP_PASSPHRASE: 'correct horse battery staple',
      });
      await program.ready();
      await until(() => server.requests.some((each) => each.includes('partNumber=')), 'it uploads');
      program.kill('SIGTERM');
      await until(() => server.requests.some((each) => /^DELETE .*uploadId=/.test(each)), 'it aborts');
      // A failure would be logged when the process has ended.
      await pause(1_000);
      const began = performance.now();
      // The second signal ends the drain time.
      assert.equal(await program.stop(), 0);
      assert.ok(performance.now() - began < 8_000);
      assert.deepEqual(logged(program, 'backup failed'), []);
      assert.deepEqual(
        readdirSync(join(folder, 'data')).filter((name) => name.endsWith('.part')),
        [],
      );
    });
  });

  it('Without the tools of PostgreSQL, the service says so at the start', async () => {
    const database = await emptyEngines.postgres();
    await withPrograms(async (start, folder) => {
      const environment = { ...KEY, DATABASE_URL: database.url, PATH: '/nonexistent' };
      const program = start({ ...environment, BACKUP_SCHEDULE: YEARLY, BACKUP_TO: folder });
      await program.ready();
      await until(() => logged(program, 'scheduled backups cannot work').length > 0, 'it is logged');
      assert.match(
        String(logged(program, 'scheduled backups cannot work')[0]?.reason),
        /^pg_dump is not installed\. Install the PostgreSQL client tools/,
      );
      await until(() => logged(program, 'backup failed').length > 0, 'the failure is logged');
      assert.match(String(logged(program, 'backup failed')[0]?.reason), /^pg_dump is not installed/);
      assert.equal(await program.stop(), 0);
    });
    await database.drop();
  });

  it('An invalid schedule ends the start with one sentence', async () => {
    const { status, stderr } = await runRoster({ BACKUP_SCHEDULE: '61 * * * *', BACKUP_TO: '/tmp' }, 'start');
    assert.equal(status, 1);
    assert.match(stderr, /^Roster did not start: BACKUP_SCHEDULE must be @hourly.*not 61 \* \* \* \*\.\n$/);
  });
});
