import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { emptyEngines } from '../kit/database/engines.ts';
import { makeCertificate } from '../kit/http/certificate.ts';
import { runRoster } from '../kit/process/cli.ts';
import { withPrograms } from '../kit/process/program.ts';

const SENTENCE = /^Roster did not start: [^\n]+\.\n$/;
/** Terms of drivers, libraries and the system, which do not help an operator. */
const INTERNAL_TERMS = /\bE[A-Z]{4,}\b|routines|errno|syscall|SQLITE|getaddrinfo|undefined|\bat .*:\d+:\d+/;

/** The URL of a database that does not exist on the server. */
const missing = (): URL => {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = '/nobody_made_this';
  return url;
};

/** The error message of a failed start. */
const startAndFail = async (environment: Record<string, string>): Promise<string> => {
  let message = '';
  await withPrograms(async (start) => {
    const program = start(environment);
    assert.equal(await program.exit(), 1, program.stdout);
    assert.equal(program.stdout, '');
    assert.match(program.stderr, SENTENCE);
    assert.doesNotMatch(program.stderr, INTERNAL_TERMS);
    message = program.stderr;
  });
  return message;
};

describe('Invalid configuration', { concurrency: 2 }, () => {
  for (const [environment, pattern] of [
    [{ PORT: 'http' }, /PORT/],
    [{ PORT: '65536' }, /PORT/],
    [{ PORT: '-1' }, /PORT/],
    [{ DATABASE_URL: 'mysql://somewhere/db' }, /DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://[/db' }, /DATABASE_URL/],
    [{ DATABASE_URL: 'sqlite:' }, /DATABASE_URL/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL.*debug, info, warn, error, silent/],
    [{ TRUST_PROXY: 'maybe' }, /TRUST_PROXY/],
    [{ TLS_CERT: '/nowhere/cert.pem' }, /TLS_CERT and TLS_KEY/],
    [{ TLS_KEY: '/nowhere/key.pem' }, /TLS_CERT and TLS_KEY/],
    [{ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' }, /TLS_CERT.*\/nowhere\/cert\.pem/],
    [{ ROSTER_ADMIN_EMAIL: 'a@example.com' }, /ROSTER_ADMIN_EMAIL and ROSTER_ADMIN_PASSWORD/],
    [{ ROSTER_ADMIN_PASSWORD: 'long enough for all' }, /ROSTER_ADMIN_EMAIL and ROSTER_ADMIN_PASSWORD/],
    [{ ROSTER_ADMIN_EMAIL: 'nobody', ROSTER_ADMIN_PASSWORD: 'long enough for all' }, /ROSTER_ADMIN_EMAIL/],
    [{ ROSTER_ADMIN_EMAIL: 'a@example.com', ROSTER_ADMIN_PASSWORD: 'short' }, /ROSTER_ADMIN_PASSWORD/],
    [{ ROSTER_API_KEY: 'short' }, /ROSTER_API_KEY/],
    [{ ROSTER_API_KEY: 'with spaces in between' }, /ROSTER_API_KEY/],
  ] as const) {
    it(`Invalid configuration is rejected in one plain sentence: ${JSON.stringify(environment)}`, async () => {
      const message = await startAndFail(environment);
      assert.match(message, pattern);
      assert.doesNotMatch(message, /long enough for all/);
    });
  }
});

describe('Invalid environment', { concurrency: 2 }, () => {
  it('Start reports a port that is in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      assert.match(
        await startAndFail({ PORT: `${port}` }),
        new RegExp(`port ${port} is already in use.*PORT`),
      );
    } finally {
      server.close();
    }
  });

  it('Start reports an address that this machine does not have', async () => {
    assert.match(await startAndFail({ HOST: '192.0.2.1' }), /HOST/);
    assert.match(await startAndFail({ HOST: 'nowhere.invalid' }), /HOST/);
  });

  it('Start reports an unusable PostgreSQL server, however its host is named', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'nowhere.invalid']) {
      const message = await startAndFail({ DATABASE_URL: `postgres://roster:pg-secret@${host}:1/roster` });
      assert.match(message, /DATABASE_URL|PostgreSQL/);
      assert.doesNotMatch(message, /pg-secret/);
    }
  });

  it('Start reports a missing PostgreSQL database', async () => {
    assert.match(await startAndFail({ DATABASE_URL: missing().href }), /nobody_made_this|DATABASE_URL/);
  });

  it('Start reports a role that may not create tables, with the command that fixes it', async () => {
    const database = await emptyEngines.postgres();
    const role = `role-${database.url.split('_').at(-1)}`;
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    [url.username, url.password] = [role, 'pg-secret'];
    await database.query(`create role "${role}" login password 'pg-secret'`);
    try {
      await database.query(`grant create on database ${name} to "${role}"`);
      const message = await startAndFail({ DATABASE_URL: url.href });
      const [, line = ''] = /"(alter database .*)"\.\n$/.exec(message) ?? [];
      assert.equal(line, `alter database ${name} owner to "${role}"`);
      await database.query(line);
      const made = await runRoster({ DATABASE_URL: url.href }, 'workspace', 'create', 'default');
      assert.equal(made.status, 0, made.stderr);
    } finally {
      for (const step of [`reassign owned by "${role}" to current_user`, `drop owned by "${role}"`])
        await database.query(step);
      await database.query(`drop role "${role}"`);
      await database.drop();
    }
  });

  it('Start reports an unusable data folder and a file that is not a database', async () => {
    await withPrograms(async (_, folder) => {
      const file = join(folder, 'file');
      writeFileSync(file, 'This is no database, and it is long enough to be seen as one. '.repeat(100));
      assert.match(await startAndFail({ ROSTER_DATA_DIR: file }), /file/);
      const reason = await startAndFail({ DATABASE_URL: `sqlite:${file}` });
      assert.match(reason, /is damaged, or is not a SQLite database\. Restore the newest backup/);
      mkdirSync(join(folder, 'folder'));
      assert.match(await startAndFail({ DATABASE_URL: `sqlite:${join(folder, 'folder')}` }), /folder/);
    });
  });

  const noProc = !existsSync('/proc/self') && 'this system has no /proc';
  it('Start reports a data folder that the system does not create', { skip: noProc }, async () => {
    // In /proc, the system says that the parent does not exist.
    const env = { ROSTER_DATA_DIR: '/proc/roster/data' };
    await withPrograms(async (start, folder) => {
      const other = { ...env, DATABASE_URL: `sqlite:${join(folder, 'new.db')}` };
      for (const [environment, reason] of [
        [env, /The folder \/proc\/roster cannot be created\. Check that \/proc is a folder in which/],
        [other, /Cannot write \/proc\/roster\/data\/secret\.key\. Check ROSTER_DATA_DIR/],
      ] as const) {
        const program = start(environment);
        const timer = setTimeout(() => program.kill('SIGKILL'), 30_000);
        assert.equal(await program.exit(), 1, 'it ends');
        clearTimeout(timer);
        assert.match(program.stderr, SENTENCE);
        assert.match(program.stderr, reason);
      }
    });
  });

  it('Start reports a missing secret key and does not create another one', async () => {
    await withPrograms(async (start, folder) => {
      const [data, other] = [join(folder, 'data'), join(folder, 'other')];
      const first = start();
      await first.ready();
      assert.equal(await first.stop(), 0);
      const url = { DATABASE_URL: `sqlite:${join(data, 'roster.db')}`, ROSTER_DATA_DIR: other };
      const missing = new RegExp(
        `The database exists, but its key is missing: copy its secret.key to ${other}, or set`,
      );
      assert.match(await startAndFail(url), missing);
      assert.match((await runRoster(url, 'demo')).stderr, missing);
      assert.equal(existsSync(other), false);
      const wrong = { ...url, ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
      assert.match(
        await startAndFail(wrong),
        /encrypted with another key: set ROSTER_SECRET_KEY to that key\.\n$/,
      );
      writeFileSync(join(folder, 'file'), '');
      const unusable = {
        ROSTER_DATA_DIR: join(folder, 'file'),
        DATABASE_URL: `sqlite:${join(folder, 'new.db')}`,
      };
      assert.match(await startAndFail(unusable), /Cannot write .*file\/secret\.key\. Check ROSTER_DATA_DIR/);
    });
  });

  it('Start reports invalid certificate files and a key that does not match', async () => {
    await withPrograms(async (_, folder) => {
      const write = (name: string, text: string) => {
        writeFileSync(join(folder, name), text);
        return join(folder, name);
      };
      const [one, two] = [makeCertificate(), makeCertificate()];
      const cert = write('cert.pem', one.cert);
      const key = write('key.pem', one.key);
      for (const pair of [
        { TLS_CERT: write('nonsense.pem', 'nonsense'), TLS_KEY: key },
        { TLS_CERT: cert, TLS_KEY: write('nonsense.pem', 'nonsense') },
        { TLS_CERT: cert, TLS_KEY: write('other.pem', two.key) },
      ]) {
        assert.match(await startAndFail(pair), /TLS_(CERT|KEY)/);
      }
    });
  });
});

describe('Commands on an unusable database', { concurrency: 2 }, () => {
  for (const args of [['verify'], ['key', 'list'], ['export'], ['demo'], ['audit'], ['user', 'list']]) {
    it(`A command reports an unusable database in the words of the start: ${args.join(' ')}`, async () => {
      for (const [url, pattern] of [
        [
          'postgres://roster:pg-secret@127.0.0.1:1/roster',
          /^PostgreSQL cannot be reached at 127\.0\.0\.1:1: no program listens there\./,
        ],
        [missing().href, /^PostgreSQL has no database nobody_made_this\./],
      ] as const) {
        const { status, stdout, stderr } = await runRoster({ DATABASE_URL: url }, ...args);
        assert.deepEqual([status, stdout], [1, '']);
        assert.match(stderr, pattern);
        assert.match(stderr, /^[^\n]+\.\n$/);
        assert.doesNotMatch(stderr, INTERNAL_TERMS);
      }
    });
  }
});
