import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import type { Diagnosis } from '../../src/lib/diagnosis.ts';
import { emptyEngines } from '../kit/database/engines.ts';
import { createSmallDisk } from '../kit/faults/small-disk.ts';
import { makeCertificate } from '../kit/http/certificate.ts';
import { runRoster, runRosterAs } from '../kit/process/cli.ts';
import { withPrograms } from '../kit/process/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'roster-doctor-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const diagnose = async (environment: Record<string, string>) => {
  const { status, stdout, stderr } = await runRoster({ PORT: '1', ...environment }, 'doctor', '--json');
  assert.equal(stderr, '');
  const { checks } = JSON.parse(stdout) as { checks: Diagnosis[] };
  const find = (subject: string) => checks.find((check) => check.subject === subject);
  return { status, checks, find };
};

describe('roster doctor', { concurrency: 2 }, () => {
  for (const [name, engine] of Object.entries(emptyEngines))
    it(`roster doctor finds no fault with a new service (${name})`, async () => {
      const database = await engine();
      const dataDir = join(folder, name);
      mkdirSync(dataDir, { mode: 0o700 });
      const environment = { DATABASE_URL: database.url, ROSTER_DATA_DIR: dataDir };
      await withPrograms(async (start) => {
        const { url } = await start(environment).ready();
        const running = { ...environment, PORT: new URL(url).port };
        const { checks, find } = await diagnose(running);
        // The PostgreSQL server of the tests runs without flushes, for speed, which doctor must report.
        const expected = name === 'postgres' ? ['Durability'] : [];
        assert.deepEqual(
          checks.filter(({ level }) => level === 'problem').map(({ subject }) => subject),
          expected,
        );
        assert.match(find('Service')?.message ?? '', /^Ready at http:\/\/127\.0\.0\.1:\d+\/readyz\.$/);
        assert.match(find('Schema')?.message ?? '', /^Version \d+, the one of this program\.$/);
        assert.equal(find('Encryption key')?.level, 'ok');
        const health = await runRoster(running, 'health');
        assert.deepEqual([health.status, health.stderr], [0, '']);
        assert.match(health.stdout, /^The service is ready\. \(http/);
      });
      renameSync(join(dataDir, 'secret.key'), join(dataDir, 'elsewhere.key'));
      const { status, find } = await diagnose(environment);
      assert.equal(status, 1);
      assert.match(find('Encryption key')?.fix ?? '', /^Copy its secret\.key to /);
      assert.equal(find('Service')?.level, 'ok');
      await database.drop();
    });

  it('roster doctor reports PostgreSQL settings that lose writes and says what to set', async () => {
    const DATABASE_URL = process.env.TEST_DATABASE_URL ?? '';
    const { status, find } = await diagnose({ DATABASE_URL, DATABASE_POOL_SIZE: '4' });
    assert.equal(status, 1);
    assert.match(find('Durability')?.message ?? '', /fsync and full_page_writes off/);
    assert.match(find('Durability')?.fix ?? '', /fsync = on and full_page_writes = on/);
    for (const subject of ['Primary', 'Encoding', 'Extensions', 'Connections'])
      assert.equal(find(subject)?.level, 'ok', subject);
    assert.match(find('Schema')?.message ?? '', /The database is empty/);
  });

  it('roster doctor reads a database before its first migration', async () => {
    const path = join(folder, 'before.db');
    using db = new DatabaseSync(path);
    db.exec('create table migrations (number int primary key, name text not null) strict');
    const { find } = await diagnose({ DATABASE_URL: `sqlite:${path}`, ROSTER_DATA_DIR: folder });
    assert.match(find('Schema')?.message ?? '', /^Version 0; the next start migrates it to \d+\./);
  });

  it('roster doctor warns if all instances together need more connections than PostgreSQL allows', async () => {
    const DATABASE_URL = process.env.TEST_DATABASE_URL ?? '';
    const { find } = await diagnose({ DATABASE_URL, DATABASE_POOL_SIZE: '200' });
    assert.equal(find('Connections')?.level, 'warning');
    assert.match(
      find('Connections')?.message ?? '',
      /^\d+ instances? needs? up to \d+ connections; \d+ are available/,
    );
    assert.match(find('Connections')?.fix ?? '', /lower DATABASE_POOL_SIZE/);
  });

  it('roster doctor explains an invalid variable, an unknown one and an unreachable server', async () => {
    const invalid = await diagnose({ RATE_LIMIT: 'many' });
    assert.equal(invalid.status, 1);
    assert.match(invalid.find('Configuration')?.message ?? '', /RATE_LIMIT/);
    const keyFile = join(folder, 'api.key');
    writeFileSync(keyFile, 'a-key-of-my-own-0123456789\n');
    const unreachable = await diagnose({
      DATABASE_URL: 'postgres://roster@127.0.0.1:1/roster',
      ROSTER_SECRT_KEY: 'x',
      BACKUP_SHEDULE: '@daily',
      SERVE_THREAD: '2',
      DATABSE_URL: 'x',
      LOGLEVEL: 'debug',
      TRUSTPROXY: '1',
      // Names of other programs that resemble short ones of Roster.
      HOSE: 'x',
      HOSTNAME: 'x',
      ROSTER_API_KEY_FILE: keyFile,
      ROSTER_SERVICE_HOST: '10.0.0.1',
    });
    assert.equal(unreachable.status, 1);
    assert.match(
      unreachable.find('Configuration')?.message ?? '',
      /does not read ROSTER_SECRT_KEY, BACKUP_SHEDULE, SERVE_THREAD, DATABSE_URL, LOGLEVEL, TRUSTPROXY\./,
    );
    assert.deepEqual(unreachable.find('Database'), {
      level: 'problem',
      subject: 'Database',
      message: 'PostgreSQL cannot be reached at 127.0.0.1:1: no program listens there.',
      fix: 'Start the server. Check DATABASE_URL.',
    });
    const unknown = await diagnose({ DATABASE_URL: 'postgres://roster@nowhere.invalid/roster' });
    assert.match(
      unknown.find('Database')?.message ?? '',
      /^PostgreSQL cannot be reached at nowhere\.invalid: (?:there is no such host|the name server does not answer)\.$/,
    );
  });

  it('roster doctor fails if another program holds the port, whatever it speaks', async () => {
    const http = createServer((_, response) => response.end('<html>'));
    // It accepts connections and says nothing in HTTP.
    const tcp = createTcpServer((socket) => socket.on('error', () => {}).end('220 ready\r\n'));
    for (const server of [http, tcp]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const { status, find } = await diagnose({ PORT: `${port}`, ROSTER_DATA_DIR: join(folder, 'port') });
        assert.equal(status, 1);
        assert.equal(find('Service')?.level, 'problem');
        assert.match(find('Service')?.fix ?? '', /set PORT to another one or end that program/);
      } finally {
        server.close();
      }
    }
    const { find } = await diagnose({ HOST: '203.0.113.7', ROSTER_DATA_DIR: join(folder, 'port') });
    assert.match(find('Service')?.fix ?? '', /HOST to an address of this machine|set PORT/i);
  });

  it('roster doctor fails if another Roster with another data folder holds the port', async () => {
    await withPrograms(async (start) => {
      const { url } = await start().ready();
      const stopped = { ROSTER_DATA_DIR: join(folder, 'stopped') };
      for (const hasDatabase of [false, true]) {
        if (hasDatabase) assert.equal((await runRoster(stopped, 'workspace', 'create', 'default')).status, 0);
        const { status, find } = await diagnose({ ...stopped, PORT: new URL(url).port });
        assert.equal(status, 1);
        assert.match(find('Service')?.message ?? '', /Another Roster answers, with another database\.$/);
      }
    });
  });

  for (const [name, engine] of Object.entries(emptyEngines))
    it(`roster doctor names a damaged key file that a new database would use (${name})`, async () => {
      const database = await engine();
      const dataDir = mkdtempSync(join(folder, 'new-'));
      writeFileSync(join(dataDir, 'secret.key'), 'garbage\n');
      const { status, find } = await diagnose({ DATABASE_URL: database.url, ROSTER_DATA_DIR: dataDir });
      assert.equal(status, 1);
      assert.equal(find('Encryption key')?.message, 'The database may be new, but its key file is damaged.');
      await database.drop();
    });

  it('roster doctor and the start refuse an empty file next to a key or a log of a former database', async () => {
    await withPrograms(async (start, former) => {
      for (const rest of ['secret.key', 'roster.db-wal']) {
        const dataDir = join(former, rest);
        mkdirSync(dataDir);
        writeFileSync(join(dataDir, 'roster.db'), '');
        writeFileSync(join(dataDir, rest), `${Buffer.alloc(32, 1).toString('base64')}\n`);
        const program = start({ ROSTER_DATA_DIR: dataDir });
        assert.equal(await Promise.race([program.exit(), program.ready()]), 1);
        assert.match(
          program.stderr,
          /roster\.db is empty, but .* former database\. Restore the newest backup/,
        );
        assert.deepEqual(readdirSync(dataDir).sort(), [rest, 'roster.db'].sort());
        const { status, find } = await diagnose({ ROSTER_DATA_DIR: dataDir });
        assert.equal(status, 1);
        assert.match(find('Database')?.message ?? '', /roster\.db is empty/);
      }
      // A first start that was killed leaves no more than this.
      const killed = join(former, 'killed');
      mkdirSync(killed);
      writeFileSync(join(killed, 'roster.db'), '');
      await start({ ROSTER_DATA_DIR: killed }).ready();
    });
  });

  it('roster doctor and the start refuse a database that this user cannot write', async (test) => {
    await withPrograms(async (start, above) => {
      const dataDir = join(above, 'data');
      const user = process.getuid?.() === 0 ? 65_534 : undefined;
      chmodSync(above, 0o755);
      mkdirSync(dataDir, { mode: 0o700 });
      if (user) chownSync(dataDir, user, user);
      const environment = { ROSTER_DATA_DIR: dataDir };
      const first = start(environment, { user });
      try {
        await first.ready();
      } catch {
        return test.skip(`another user cannot run the program: ${first.stderr}`);
      }
      // The log stays.
      first.kill('SIGKILL');
      await first.exit();
      for (const [name, mode] of [
        ['roster.db', 0o600],
        ['roster.db-wal', 0o600],
        ['', 0o700],
      ] as const) {
        const path = join(dataDir, name);
        chmodSync(path, mode & 0o500);
        const program = start(environment, { user });
        assert.equal(await Promise.race([program.exit(), program.ready()]), 1, path);
        const reason = `cannot write to ${path.replace(/\/$/, '')}.`;
        assert.ok(program.stderr.includes(reason), program.stderr);
        const found = await runRosterAs(user, { PORT: '1', ...environment }, 'doctor');
        assert.equal(found.status, 1);
        assert.match(found.stdout, /PROBLEM (?:Database|Data folder): This user cannot write/);
        chmodSync(path, mode);
      }
      await start(environment, { user }).ready();
    });
  });

  it('roster doctor names a damaged key file and a damaged page', async () => {
    const dataDir = join(folder, 'damaged');
    const environment = { ROSTER_DATA_DIR: dataDir };
    await withPrograms(async (start) => {
      const program = start(environment);
      await program.ready();
      assert.equal(await program.stop(), 0);
    });
    assert.equal((await diagnose(environment)).find('Pages')?.level, 'ok');
    writeFileSync(join(dataDir, 'secret.key'), 'garbage\n');
    const garbage = await diagnose(environment);
    assert.equal(garbage.status, 1);
    assert.deepEqual(
      [garbage.find('Encryption key')?.message, garbage.find('Encryption key')?.fix],
      [
        'The database exists, but its key file is damaged.',
        `Restore ${join(dataDir, 'secret.key')} from a copy; each line is a key of 32 bytes in base64.`,
      ],
    );
    const file = openSync(join(dataDir, 'roster.db'), 'r+');
    const db = new DatabaseSync(join(dataDir, 'roster.db'), { readOnly: true });
    const root = db.prepare(`select rootpage from sqlite_schema where name = 'contacts'`).get()?.rootpage;
    db.close();
    writeSync(file, Buffer.alloc(4_096, 0xff), 0, 4_096, (Number(root) - 1) * 4_096);
    closeSync(file);
    const damaged = await diagnose(environment);
    assert.equal(damaged.status, 1);
    assert.match(damaged.find('Pages')?.message ?? '', /^The database file is damaged: /);
    assert.match(damaged.find('Pages')?.fix ?? '', /restore the newest backup/);
  });

  it('roster doctor reports readable data, a data folder in memory and a damaged database', async () => {
    const dataDir = mkdtempSync('/dev/shm/roster-doctor-');
    try {
      chmodSync(dataDir, 0o755);
      writeFileSync(join(dataDir, 'roster.db'), 'not a database'.repeat(100), { mode: 0o644 });
      const { status, find } = await diagnose({ ROSTER_DATA_DIR: dataDir });
      assert.equal(status, 1);
      assert.match(find('Permissions')?.fix ?? '', /^Run: chmod go= \S+ \S+roster\.db'$/);
      assert.match(find('File system')?.message ?? '', /is in memory/);
      assert.equal(find('Database')?.level, 'ok');
      assert.ok(
        (await diagnose({ ROSTER_DATA_DIR: dataDir })).checks.some(({ message }) =>
          /is not a database/.test(message),
        ),
      );
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('roster doctor reports a full disk and does not write to it', async (test) => {
    const disk = createSmallDisk();
    test.after(() => disk.remove());
    if (!disk.method.startsWith('tmpfs')) return test.skip('needs the permission to mount');
    disk.fill(process.pid, disk.folder);
    const { status, find } = await diagnose({ ROSTER_DATA_DIR: disk.folder });
    assert.equal(status, 1);
    assert.equal(find('Free space')?.level, 'problem');
    assert.equal(find('Free space')?.fix, 'Free some space or enlarge the disk.');
    assert.equal(find('Disk speed'), undefined);
  });

  it('roster doctor warns about plain HTTP on a public address and about an expiring certificate', async () => {
    const open = await diagnose({ ROSTER_DATA_DIR: folder, HOST: '0.0.0.0' });
    assert.match(open.find('Network')?.message ?? '', /without TLS/);
    const { cert, key } = makeCertificate();
    const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(TLS_CERT, cert);
    writeFileSync(TLS_KEY, key);
    const secured = await diagnose({ ROSTER_DATA_DIR: folder, TLS_CERT, TLS_KEY });
    assert.match(secured.find('Certificate')?.message ?? '', /is valid for \d+ more days/);
    assert.equal(secured.find('Certificate')?.level, 'warning');
  });
});

describe('roster health', () => {
  it('roster health exits with status 1 if no service answers', async () => {
    const { status, stdout } = await runRoster({ PORT: '1' }, 'health');
    assert.equal(status, 1);
    assert.match(stdout, /^The service does not answer: no program listens on this port\. \(http/);
  });

  it('roster health reports what a service says that is not ready, and a program that is not Roster', async () => {
    let respond = () => '{"error":{"message":"The service is stopping."}}';
    const server = createServer((_, response) => response.writeHead(503).end(respond()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const PORT = String((server.address() as AddressInfo).port);
    const stopping = await runRoster({ PORT }, 'health');
    assert.deepEqual([stopping.status, stopping.stdout.split(' (')[0]], [1, 'The service is stopping.']);
    respond = () => 'Apache';
    assert.match(
      (await runRoster({ PORT }, 'health')).stdout,
      /Another program answers on this port, with status 503/,
    );
    server.close();
  });

  it('roster health stops waiting for a program that does not respond', async () => {
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const PORT = String((silent.address() as AddressInfo).port);
    const { status, stdout } = await runRoster({ PORT }, 'health');
    assert.equal(status, 1);
    assert.match(stdout, /no response in 5 seconds/);
    silent.close();
    silent.unref();
  });
});
