import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Client } from 'pg';
import { urlWithoutPassword } from '../../src/db/postgres/client-tools.ts';
import { type BackupEngine, backupEngines, tablesOf } from '../kit/backups/databases.ts';
import { type S3Server, startS3 } from '../kit/backups/s3-server.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { CLI, runRoster } from '../kit/process/cli.ts';

const PASSPHRASE = 'correct horse battery staple';

interface KeyPair {
  readonly recipient: string;
  /** The file with the secret key. */
  readonly identity: string;
}

const hasAge = (() => {
  try {
    return execFileSync('age', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

const newKeyPair = async (folder: string, name: string): Promise<KeyPair> => {
  const secret = await generateX25519Identity();
  const identity = join(folder, name);
  writeFileSync(identity, `# created by a test\n${secret}\n`);
  return { recipient: await identityToRecipient(secret), identity };
};

const ran = async (environment: Record<string, string>, ...args: string[]) => {
  const { status, stdout, stderr } = await runRoster(environment, ...args);
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
};

const defineFor = (engine: BackupEngine) => {
  describe(`Backups of ${engine.name}`, { skip: engine.skip }, () => {
    let folder: string;
    let server: S3Server;
    let source: TestDatabase;
    let environment: Record<string, string>;
    let keys: KeyPair;
    before(async () => {
      await engine.start();
      folder = mkdtempSync(join(tmpdir(), 'roster-backups-'));
      mkdirSync(join(folder, 'data'));
      server = await startS3();
      source = await engine.create();
      keys = await newKeyPair(folder, 'key.txt');
      environment = {
        ROSTER_DATA_DIR: join(folder, 'data'),
        ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        DATABASE_URL: source.url,
        ...server.environment,
      };
      await ran(environment, 'demo');
    });
    after(async () => {
      await source.drop();
      await server.stop();
      await engine.stop();
      rmSync(folder, { recursive: true });
    });

    /** Asserts that a restore gives an equal database that passes verify. */
    const assertRestores = async (...args: string[]) => {
      const target = await engine.create();
      const env = { ...environment, DATABASE_URL: target.url };
      await ran(env, 'restore', ...args);
      assert.deepEqual(await tablesOf(target), await tablesOf(source));
      await ran(env, 'verify');
      await target.drop();
    };

    const renameWorkspaces = async () => {
      const before = await tablesOf(source);
      await source.query(`update workspaces set name = name || ' changed' returning id`);
      assert.notDeepEqual(await tablesOf(source), before);
    };

    /** Asserts that a restore fails with this message and changes nothing. */
    const assertRefuses = async (pattern: RegExp, ...args: string[]) => {
      const before = await tablesOf(source);
      const files = readdirSync(environment.ROSTER_DATA_DIR as string);
      const { status, stdout, stderr } = await runRoster(environment, 'restore', '--force', ...args);
      assert.ok(status === 1 || status === 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, pattern);
      assert.doesNotMatch(stderr, /\bat .*:\d+:\d+/);
      assert.deepEqual(await tablesOf(source), before);
      assert.deepEqual(readdirSync(environment.ROSTER_DATA_DIR as string), files);
    };

    it('A backup in a bucket is listed and restores identically, plain and encrypted for two keys', async () => {
      assert.ok(Object.values(await tablesOf(source)).flat().length > 1_000);
      const first = JSON.parse(await ran(environment, 'backup', '--to', 's3://backups/service', '--json'));
      assert.match(
        first.backup,
        new RegExp(`^s3://backups/service/roster-\\d{8}T\\d{9}Z-${engine.name}-schema\\d+\\.\\w+$`),
      );
      const other = await newKeyPair(folder, 'other.txt');
      const second = JSON.parse(
        await ran(
          environment,
          ...['backup', '--to', 's3://backups/service', '--encrypt-to', keys.recipient],
          ...['--encrypt-to', other.recipient, '--json'],
        ),
      );
      assert.match(second.backup, /\.age$/);
      assert.equal(second.encrypted, true);
      const listed = JSON.parse(
        await ran({ ...environment, BACKUP_TO: 's3://backups/service' }, 'backups', '--json'),
      );
      assert.deepEqual(
        listed.map((each: Record<string, unknown>) => [each.backup, each.bytes, each.engine, each.encrypted]),
        [
          [second.backup, second.bytes, engine.name, true],
          [first.backup, first.bytes, engine.name, false],
        ],
      );
      assert.match(
        await ran(environment, 'backups', '--from', 's3://backups/service'),
        /^TIME +SIZE +ENGINE/,
      );
      await assertRestores('--from', 's3://backups/service', '--identity', other.identity);
      await assertRestores('--from', first.backup);
      await assertRefuses(
        /is encrypted\. Use --identity FILE.* Nothing was changed\./s,
        '--from',
        's3://backups/service',
      );
      await assertRefuses(
        /There is no backup roster-\d+T\d+Z-\w+-schema1\.db/,
        '--from',
        's3://backups/roster-20200101T000000000Z-sqlite-schema1.db',
      );
      await assertRefuses(
        /There are no backups at s3:\/\/backups\/nothing\//,
        '--from',
        's3://backups/nothing',
      );
    });

    // The format of encrypted files does not depend on the engine.
    const onSqlite = { skip: engine.name !== 'sqlite' && 'the same on every engine' };

    it('A passphrase encrypts a file, and only this passphrase decrypts it', onSqlite, async () => {
      const file = join(folder, 'passphrase.age');
      const output = JSON.parse(
        await ran({ ...environment, BACKUP_PASSPHRASE: PASSPHRASE }, 'backup', file, '--json'),
      );
      assert.deepEqual([output.file, output.encrypted], [file, true]);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const [right, wrong] = [join(folder, 'right'), join(folder, 'wrong')];
      writeFileSync(right, `${PASSPHRASE}\n`);
      writeFileSync(wrong, 'another long passphrase\n');
      await assertRestores(file, '--passphrase-file', right);
      await assertRefuses(
        /was encrypted for another key or passphrase\. Nothing was changed\./,
        file,
        '--passphrase-file',
        wrong,
      );
      await assertRefuses(/was encrypted for another key or passphrase/, file, '--identity', keys.identity);
    });

    it('Files that are encrypted with the age tool can be restored, and it decrypts ours', {
      skip: hasAge ? onSqlite.skip : 'age is not installed',
    }, async () => {
      const [ours, plain, theirs] = ['ours.age', 'plain', 'theirs.age'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      await ran({ ...environment, BACKUP_ENCRYPT_TO: keys.recipient }, 'backup', ours);
      execFileSync('age', ['--decrypt', '--identity', keys.identity, '--output', plain, ours]);
      await assertRestores(plain);
      execFileSync('age', ['--recipient', keys.recipient, '--output', theirs, plain]);
      await assertRestores(theirs, '--identity', keys.identity);
      const armored = join(folder, 'armored.age');
      execFileSync('age', ['--armor', '--recipient', keys.recipient, '--output', armored, plain]);
      await assertRefuses(/is armored/, armored, '--identity', keys.identity);
    });

    it('Truncated and changed files are refused and change nothing', onSqlite, async () => {
      const good = join(folder, 'good.age');
      await ran(environment, 'backup', good, '--encrypt-to', keys.recipient);
      const verified = await runRoster(environment, 'verify', good);
      assert.match(verified.stderr, /good\.age is encrypted\. Decrypt it with age/);
      const bytes = readFileSync(good);
      const broken = join(folder, 'broken.age');
      const refuses = (content: Buffer) => {
        writeFileSync(broken, content);
        return assertRefuses(
          /broken\.age cannot be decrypted: it is incomplete, or was changed after it was encrypted\. Nothing was changed\./,
          ...[broken, '--identity', keys.identity],
        );
      };
      await refuses(bytes.subarray(0, bytes.length - 1));
      await refuses(bytes.subarray(0, 200 + 2 * 65_552));
      const changed = Buffer.from(bytes);
      changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1;
      await refuses(changed);
      await refuses(bytes.subarray(0, 60));
    });

    it(
      'Retention in a folder deletes the oldest backups, says so, and leaves other files',
      onSqlite,
      async () => {
        const target = join(folder, 'kept');
        mkdirSync(target);
        writeFileSync(join(target, 'notes.txt'), 'mine');
        const [abandoned, recent] = ['.roster-1.db.7.part', '.roster-2.db.7.part'].map((name) =>
          join(target, name),
        ) as [string, string];
        for (const path of [abandoned, recent]) writeFileSync(path, 'killed');
        utimesSync(abandoned, new Date(), new Date(Date.now() - 25 * 3_600_000));
        const names: string[] = [];
        for (let count = 0; count < 3; count++) {
          const text = await ran(environment, 'backup', '--to', target, '--keep', '2');
          names.push(
            readdirSync(target)
              .filter((name) => /\.(db|dump)$/.test(name))
              .at(-1) as string,
          );
          const deleted = /^Deleted (.*)\.$/m.exec(text)?.[1];
          assert.equal(deleted, count < 2 ? undefined : join(target, names[0] as string));
        }
        rmSync(recent);
        assert.deepEqual(
          readdirSync(target).sort(),
          ['notes.txt', ...names.slice(1).flatMap((name) => [name, `${name}.json`])].sort(),
        );
        await assertRestores('--from', `file://${target}`);
        const skipped = await ran(
          environment,
          'backup',
          '--to',
          target,
          '--unless-since',
          '2020-01-01',
          '--json',
        );
        assert.equal(JSON.parse(skipped).skipped, true);
        const damaged = join(target, names[2] as string);
        writeFileSync(damaged, readFileSync(damaged).subarray(1));
        await assertRefuses(
          /is damaged: it differs from its manifest.* Nothing was changed\./,
          '--from',
          target,
        );
      },
    );

    it('A backup that is dated in the future does not count as done', onSqlite, async () => {
      const target = join(folder, 'future');
      mkdirSync(target);
      const backup = async () =>
        JSON.parse(
          await ran(environment, 'backup', '--to', target, '--unless-since', '2026-01-01', '--json'),
        );
      const first = await backup();
      const future = first.backup.replace(/\d{8}T/, '29991231T');
      for (const suffix of ['', '.json']) renameSync(first.backup + suffix, future + suffix);
      const second = await backup();
      assert.deepEqual([second.skipped, second.ignored], [undefined, [future]]);
      assert.deepEqual((await backup()).backup, second.backup);
      const { stderr } = await runRoster(environment, 'backup', '--to', target);
      assert.equal(
        stderr,
        `${future} is dated in the future and is ignored. Check the clock, and delete or rename it.\n`,
      );
    });

    it('A file that cannot be written completely is an error without a stack', async () => {
      const file = join(folder, 'limited');
      // Enough for the shared memory of SQLite.
      const blocks = engine.name === 'sqlite' ? 128 : 8;
      const limited = spawn(
        '/bin/sh',
        ['-c', `ulimit -f ${blocks}; exec ${process.execPath} ${CLI} backup ${file}`],
        {
          env: { PATH: process.env.PATH ?? '', ...environment },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      const [errors, [code]] = await Promise.all([text(limited.stderr), once(limited, 'close')]);
      assert.match(
        errors,
        /^Cannot write to \/[^:]*\/limited[.\dpart]*: the (file has reached the maximum size|system refused the write, .*)\.\n$/,
      );
      assert.ok(code > 0);
      assert.equal(existsSync(file), false);
    });

    it('An interrupted upload is aborted and leaves no temporary file', async () => {
      const parts = () => server.requests.filter((each) => each.includes('partNumber='));
      let uploading = () => {};
      const started = new Promise<void>((resolve) => {
        uploading = resolve;
      });
      server.requests.length = 0;
      server.fault = (request) => {
        if (!request.includes('partNumber=')) return undefined;
        uploading();
        return 503;
      };
      const child = spawn(process.execPath, [CLI, 'backup', '--to', 's3://backups/interrupted'], {
        env: { PATH: process.env.PATH ?? '', ...environment },
        stdio: 'ignore',
      });
      await started;
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      server.fault = () => undefined;
      assert.equal(code, 130);
      assert.ok(parts().length > 0);
      assert.ok(server.requests.some((each) => /^DELETE .*uploadId=/.test(each)));
      assert.match(
        await ran(environment, 'backups', '--from', 's3://backups/interrupted'),
        /There are no backups/,
      );
      assert.deepEqual(
        readdirSync(join(folder, 'data')).filter((name) => name.endsWith('.part')),
        [],
      );
    });

    it('Restore replaces data only with --force and the right key', async () => {
      const file = join(folder, 'plain-backup');
      // The first of two servers does not answer.
      const DATABASE_URL = source.url.replace(/@(127[^/]*)/, '@127.0.0.1:1,$1');
      await ran({ ...environment, DATABASE_URL }, 'backup', file);
      const { status, stderr } = await runRoster({ ...environment, DATABASE_URL }, 'restore', file);
      assert.equal(status, 2);
      assert.match(stderr, /--force/);
      const keyless = { ...environment, ROSTER_SECRET_KEY: Buffer.alloc(32, 2).toString('base64') };
      const target = await engine.create();
      const refused = await runRoster({ ...keyless, DATABASE_URL: target.url }, 'restore', file);
      assert.equal(refused.status, 1);
      assert.match(
        refused.stderr,
        /The backup is valid, but its secrets were encrypted with another key.* Nothing was changed\./,
      );
      await target.drop();
      const before = await tablesOf(source);
      await renameWorkspaces();
      writeFileSync(`${file}.list`, 'mine');
      await ran({ ...environment, DATABASE_URL }, 'restore', file, '--force');
      assert.equal(readFileSync(`${file}.list`, 'utf8'), 'mine');
      assert.deepEqual(await tablesOf(source), before);
      assert.deepEqual(
        readdirSync(environment.ROSTER_DATA_DIR as string).filter((name) =>
          name.startsWith('roster.restore'),
        ),
        [],
      );
      copyFileSync(keys.identity, join(folder, 'text'));
      await assertRefuses(/is not a database|not appear to be a valid archive/, join(folder, 'text'));
    });

    it('An interrupted restore ends pg_restore before it can commit', {
      skip: engine.name !== 'postgres' && 'only PostgreSQL has a tool of its own',
    }, async () => {
      const file = join(folder, 'interrupted');
      await ran(environment, 'backup', file);
      await renameWorkspaces();
      const before = await tablesOf(source);
      const blocker = new Client({ connectionString: source.url });
      await blocker.connect();
      await blocker.query('begin; lock table workspaces in access share mode');
      const child = spawn(process.execPath, [CLI, 'restore', file, '--force'], {
        env: { PATH: process.env.PATH ?? '', ...environment },
        stdio: 'ignore',
      });
      const sessions = async (condition: string) =>
        (
          await source.query(
            `select pid from pg_stat_activity where application_name = 'pg_restore' and ${condition}`,
          )
        ).length;
      while ((await sessions(`wait_event_type = 'Lock'`)) === 0) assert.equal(child.exitCode, null);
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      assert.equal(code, 130);
      await blocker.query('commit');
      await blocker.end();
      while ((await sessions('true')) > 0);
      assert.deepEqual(await tablesOf(source), before);
      await ran(environment, 'restore', file, '--force');
    });
  });
};

for (const engine of backupEngines()) defineFor(engine);

it('The URL of a command line has no password, and all servers', () => {
  for (const [url, shown] of [
    [
      'postgres://roster:secret@one:5432,two:5433/db?sslmode=require',
      'postgres://roster@one:5432,two:5433/db?sslmode=require',
    ],
    ['postgresql://one/db?user=x&password=secret', 'postgresql://one/db?user=x'],
    ['postgres://a%40b:s%2Fe@host/db', 'postgres://a%40b@host/db'],
  ] as const)
    assert.equal(urlWithoutPassword(url), shown);
});

it('The doctor checks the target of scheduled backups', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-backups-'));
  const target = join(folder, 'target');
  const environment = { ROSTER_DATA_DIR: folder, BACKUP_SCHEDULE: '0 0 1 1 *', BACKUP_TO: target };
  const diagnosis = async () => {
    const { checks } = JSON.parse((await runRoster(environment, 'doctor', '--json')).stdout);
    return checks.find(({ subject }: { subject: string }) => subject === 'Backups');
  };
  await ran(environment, 'demo');
  assert.deepEqual(
    [(await diagnosis()).level, (await diagnosis()).message],
    ['problem', `Cannot read the folder ${target}: it does not exist.`],
  );
  mkdirSync(target);
  assert.equal((await diagnosis()).level, 'warning');
  await ran(environment, 'backup');
  assert.equal((await diagnosis()).level, 'ok');
  rmSync(folder, { recursive: true });
});

describe('Options of backups', () => {
  const refuses = async (pattern: RegExp, environment: Record<string, string>, ...args: string[]) => {
    const { status, stdout, stderr } = await runRoster(environment, ...args);
    assert.ok(status === 1 || status === 2, stderr);
    assert.match(stderr, pattern);
    assert.doesNotMatch(stderr, /\bat .*:\d+:\d+/);
    assert.equal(stdout, '');
  };

  it('A wrong limit or target on the command line exits with status 2, and one of the environment with 1', async () => {
    const folder = ['backup', '--to', '/tmp'];
    for (const args of [
      [...folder, '--keep', '0'],
      [...folder, '--keep-days', 'x'],
      ['backups', '--from', 'ftp://x'],
      ['restore', '--from', 'ftp://x'],
    ])
      assert.equal((await runRoster({}, ...args)).status, 2, args.join(' '));
    assert.equal((await runRoster({ BACKUP_KEEP: '0' }, ...folder)).status, 1);
  });

  it('Invalid options are refused with a sentence that says what to use instead', async () => {
    await refuses(
      /^--to must be a folder, file:\/\/\/folder or s3:\/\/bucket\/prefix with a bucket of 3 to 63 characters, not ftp:\/\/x\.$/m,
      {},
      'backup',
      '--to',
      'ftp://x',
    );
    await refuses(/set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/, {}, 'backup', '--to', 's3://bucket');
    await refuses(
      /--keep must be a number from 1 to 99999, not 0\./,
      {},
      'backup',
      '--to',
      '/tmp',
      '--keep',
      '0',
    );
    await refuses(
      /A recipient must be a public key of age that starts with age1/,
      {},
      'backup',
      '--to',
      '/tmp',
      '--encrypt-to',
      'ssh-ed25519 AAAA',
    );
    await refuses(/not a secret key\.$/m, {}, 'backup', 'x', '--encrypt-to', 'AGE-SECRET-KEY-1QQQ');
    await refuses(/at least 12 characters/, { BACKUP_PASSPHRASE: 'short' }, 'backup', 'x');
    await refuses(
      /for public keys or with a passphrase, not both/,
      { BACKUP_PASSPHRASE: PASSPHRASE, BACKUP_ENCRYPT_TO: `age1${'q'.repeat(58)}` },
      'backup',
      'x',
    );
    await refuses(/Usage:\n {2}roster backups/, {}, 'backups');
    await refuses(/Usage:\n {2}roster restore FILE/, {}, 'restore', 'x', '--from', '/tmp');
    await refuses(/Cannot read the folder \/nowhere: it does not exist\./, {}, 'backup', '--to', '/nowhere');
    await refuses(
      /AWS_ENDPOINT_URL_S3 must be a URL/,
      { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL: 'minio:9000' },
      'backups',
      '--from',
      's3://bucket',
    );
  });
});
