import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SCHEMA_VERSION } from '../../src/db/migrations/index.ts';
import { migrateConnection } from '../../src/db/sqlite/migrate.ts';
import { rowOf } from '../../src/features/contacts/contact.store.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { emptyTexts } from '../kit/fixtures/insert-contacts.ts';
import { CLI, runRoster } from '../kit/process/cli.ts';
import { fetchWithKey, withPrograms } from '../kit/process/program.ts';

/** Every table of a file with its rows sorted, including those of the search index. */
const tablesOf = (path: string): Record<string, unknown[]> => {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db
      .prepare(
        `select name from sqlite_schema where type = 'table' and sql not like '%using fts5%' order by name`,
      )
      .all()
      .map(({ name }) => String(name));
    return Object.fromEntries([
      ['schema', db.prepare('select type, name, tbl_name, sql from sqlite_schema order by 1, 2').all()],
      ...tables.map((table) => [
        table,
        db
          .prepare(`select * from ${table}`)
          .all()
          .map((row) => JSON.stringify(Object.values(row)))
          .sort(),
      ]),
    ]);
  } finally {
    db.close();
  }
};

const idsIn = (path: string): Set<string> => {
  const db = new DatabaseSync(path, { readOnly: true });
  const ids = db.prepare('select id from contacts').all();
  db.close();
  return new Set(ids.map(({ id }) => String(id)));
};

describe('Backup of a running service', () => {
  it('A backup has every write acknowledged before it began, passes verify, and restores identically', async () => {
    await withPrograms(async (start, folder) => {
      const data = { ROSTER_DATA_DIR: join(folder, 'data') };
      const file = join(folder, 'roster.backup');
      const service = start();
      const { url, key = '' } = await service.ready();
      assert.equal((await runRoster(data, 'demo')).status, 0);

      const answered = new Set<string>();
      let isDone = false;
      const write = async () => {
        while (!isDone) {
          const body = JSON.stringify({ phone_number: newPhone(), first_name: 'Ada', tags: ['vip'] });
          const reply = await fetchWithKey(`${url}/v1/contacts`, key, { method: 'POST', body });
          if (reply.status === 201) answered.add(((await reply.json()) as { data: { id: string } }).data.id);
        }
      };
      const writers = Array.from({ length: 8 }, write);
      while (answered.size < 100) await new Promise((resolve) => setTimeout(resolve, 20));
      const before = [...answered];
      const { status, stdout, stderr } = await runRoster(data, 'backup', file, '--json');
      const verified = await runRoster(data, 'verify', '--json');
      isDone = true;
      await Promise.all(writers);

      assert.equal(status, 0, stderr);
      const output = JSON.parse(stdout);
      const backedUpIds = idsIn(file);
      assert.deepEqual(
        before.filter((id) => !backedUpIds.has(id)),
        [],
      );
      assert.ok(answered.size > before.length, 'the writers went on');
      assert.deepEqual(
        [output.file, output.contacts, output.agents, output.bytes, output.key],
        [file, backedUpIds.size, 4, statSync(file).size, join(folder, 'data', 'secret.key')],
      );
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(readdirSync(folder).sort(), ['data', 'roster.backup'], 'no other file is left');
      assert.equal(verified.status, 0, verified.stdout);

      assert.equal(await service.stop(), 0);
      const other = { ROSTER_DATA_DIR: join(folder, 'other') };
      const withoutKey = await runRoster(other, 'restore', file);
      const remedy = `its key is missing: copy its secret.key to ${other.ROSTER_DATA_DIR}, or set ROSTER_SECRET_KEY`;
      assert.deepEqual(
        [withoutKey.status, withoutKey.stderr],
        [1, `The backup is valid, but ${remedy}. Nothing was changed.\n`],
      );
      assert.deepEqual(readdirSync(other.ROSTER_DATA_DIR), []);
      const unopened = await runRoster(other, 'verify', file);
      assert.equal(unopened.status, 1);
      assert.ok(
        unopened.stdout.includes(`secret.key decrypts the secrets of channels\n         ${remedy}\n`),
      );
      copyFileSync(join(folder, 'data', 'secret.key'), join(folder, 'other', 'secret.key'));
      const restored = await runRoster(other, 'restore', file);
      assert.equal(restored.status, 0, restored.stderr);
      assert.deepEqual(tablesOf(join(folder, 'other', 'roster.db')), tablesOf(file));

      const second = start(other);
      const again = await second.ready();
      const total = (await (await fetchWithKey(`${again.url}/v1/contacts`, key)).json()) as Json;
      assert.equal(total.pagination.total, backedUpIds.size - 500, 'the old key opens it');
      assert.equal(await second.stop(), 0);
    });
  });

  it('A backup of an idle database equals it row by row', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-backup-'));
    const data = { ROSTER_DATA_DIR: folder };
    assert.equal((await runRoster(data, 'demo')).status, 0);
    const [path, file] = [join(folder, 'roster.db'), join(folder, 'copy')];
    const source = tablesOf(path);
    assert.ok(Object.values(source).flat().length > 3_000);
    assert.equal((await runRoster(data, 'backup', file)).status, 0);
    assert.deepEqual(tablesOf(file), source);
    const db = new DatabaseSync(path);
    db.exec(`update workspaces set name = 'changed since'`);
    db.close();
    const { status, stdout, stderr } = await runRoster(data, 'restore', file, '--force', '--json');
    assert.equal(status, 0, stderr);
    assert.deepEqual(tablesOf(path), source);
    const { previous_database: previous } = JSON.parse(stdout);
    assert.match(basename(previous), /^roster\.db\.replaced-\d{4}-\d\d-\d\dT\d{9}Z$/);
    assert.match(JSON.stringify(tablesOf(previous).workspaces), /changed since/);
    rmSync(folder, { recursive: true });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
type Json = any;

describe('Refusals of backup and restore', () => {
  let folder: string;
  let data: Record<string, string>;
  let path: string;
  let file: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'roster-backup-'));
    data = { ROSTER_DATA_DIR: join(folder, 'data') };
    [path, file] = [join(folder, 'data', 'roster.db'), join(folder, 'good')];
    assert.equal((await runRoster(data, 'demo')).status, 0);
    assert.equal((await runRoster(data, 'backup', file)).status, 0);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** The files of the data folder, without the write-ahead log. */
  const filesInFolder = () => readdirSync(join(folder, 'data')).filter((name) => !/-(wal|shm)$/.test(name));

  /** Asserts that a command fails with this message, and that neither the database nor its folder has changed. */
  const assertFails = async (pattern: RegExp, code: number, ...args: string[]) => {
    const [rows, names] = [tablesOf(path), filesInFolder()];
    const { status, stderr, stdout } = await runRoster(data, ...args);
    assert.equal(status, code, stderr);
    assert.match(stderr, pattern);
    assert.doesNotMatch(stderr, /\bat .*:\d+:\d+/);
    assert.equal(stdout, '');
    assert.deepEqual(tablesOf(path), rows);
    assert.deepEqual(filesInFolder(), names);
  };

  /** A damaged copy of the good backup. */
  const damagedCopy = (name: string, damage: (copy: string) => void): string => {
    const copy = join(folder, name);
    copyFileSync(file, copy);
    damage(copy);
    return copy;
  };

  /** Flips bytes in a page of a table or an index. */
  const flipped = (owner: string, offset: number) =>
    damagedCopy(`${owner}-${offset}`, (copy) => {
      const db = new DatabaseSync(copy, { readOnly: true });
      const page = db
        .prepare(
          `select pageno, pgsize from dbstat where name = ? and pagetype = 'leaf' order by pageno desc`,
        )
        .get(owner) as { pageno: number; pgsize: number };
      db.close();
      const bytes = readFileSync(copy);
      const at = (page.pageno - 1) * page.pgsize + ((offset + page.pgsize) % page.pgsize);
      for (let next = at; next < at + 16; next++) bytes[next] = (bytes[next] ?? 0) ^ 0xff;
      writeFileSync(copy, bytes);
    });

  for (const [owner, offset] of [
    ['contacts', 0],
    ['contacts', -40],
    ['contacts', -160],
    ['contacts_search_data', -40],
    ['agent_versions_deployed', 0],
    ['sqlite_autoindex_contacts_3', -16],
    ['contact_tags', -16],
    ['tallies', -16],
  ] as const) {
    it(`Restore refuses a backup with flipped bits in ${owner} at ${offset}`, async () => {
      await assertFails(
        /failed verification\. Nothing was changed\.\nFAILED /,
        1,
        'restore',
        flipped(owner, offset),
        '--force',
      );
    });
  }

  it('Restore refuses a file that is truncated, empty, not a backup, or missing', async () => {
    const cut = damagedCopy('cut', (copy) => truncateSync(copy, statSync(copy).size - 4_096 * 50));
    await assertFails(/failed verification|is damaged/, 1, 'restore', cut, '--force');
    await assertFails(
      /is not a database/,
      1,
      'restore',
      damagedCopy('text', (copy) => writeFileSync(copy, 'no'.repeat(9_999))),
      '--force',
    );
    await assertFails(
      /is not a Roster database/,
      1,
      'restore',
      damagedCopy('none', (copy) => truncateSync(copy)),
      '--force',
    );
    await assertFails(/There is no database at /, 1, 'restore', join(folder, 'nowhere'), '--force');
    await assertFails(/is the database itself/, 2, 'restore', path, '--force');
  });

  it('Restore refuses a backup of a newer version', async () => {
    const newer = damagedCopy('newer', (copy) => {
      const db = new DatabaseSync(copy);
      db.exec(`insert into migrations (number, name) values (${SCHEMA_VERSION + 1}, 'newer')`);
      db.close();
    });
    await assertFails(
      /has schema version \d+; this version of Roster supports \d+\. Use the newer version/,
      1,
      'restore',
      newer,
      '--force',
    );
  });

  it('Backup and restore do not overwrite a database or a file without --force', async () => {
    await assertFails(/A database already exists at .*\. To replace it.*--force$/m, 2, 'restore', file);
    await assertFails(/already exists\. To replace it: npx roster backup .*--force$/m, 2, 'backup', file);
    await assertFails(/is the database itself/, 2, 'backup', path);
    await assertFails(/the folder does not exist/, 2, 'backup', join(folder, 'nowhere', 'x'));
    await assertFails(/Usage:\n {2}roster backup FILE/, 2, 'backup');
    await assertFails(/Usage:\n {2}roster restore FILE/, 2, 'restore', file, 'more');
  });

  it('Backup refuses a database whose key is missing', async () => {
    const env = { DATABASE_URL: `sqlite:${path}`, ROSTER_DATA_DIR: join(folder, 'keyless') };
    const target = join(folder, 'unopened');
    const { status, stderr } = await runRoster(env, 'backup', target);
    assert.equal(status, 1);
    assert.match(stderr, /^The database is valid, but its key is missing: .*unopened was not written\.\n$/);
    assert.deepEqual([target, `${target}.faulty`].map(existsSync), [false, false]);
  });

  it('Restore and verify refuse a backup with a trigger that Roster did not create', async () => {
    const foreign = damagedCopy('foreign', (copy) => {
      const db = new DatabaseSync(copy);
      db.exec(`create trigger odd after insert on contacts begin update workspaces set name = 'odd'; end`);
      db.close();
    });
    await assertFails(
      /foreign failed verification\. Nothing was changed\.\n.*the trigger odd is not part of Roster/s,
      1,
      'restore',
      foreign,
      '--force',
    );
    const verified = await runRoster(data, 'verify', foreign);
    assert.equal(verified.status, 1);
    assert.match(verified.stdout, /FAILED the schema .*\n +the trigger odd is not part of Roster\n/);
  });

  it('SIGTERM ends backup and verify during a long check, and leaves no copy behind', async () => {
    const slow = join(folder, 'slow');
    mkdirSync(slow);
    copyFileSync(join(folder, 'data', 'secret.key'), join(slow, 'secret.key'));
    copyFileSync(file, join(slow, 'roster.db'));
    const db = new DatabaseSync(join(slow, 'roster.db'));
    // The check of this table never ends.
    db.exec(`alter table bulk_jobs rename to slow; create view bulk_jobs as
      with recursive n (n) as (select 1 union all select n + 1 from n)
      select '' as id, 'queued' as status, n as total, n as processed, n as changed, 0 as unchanged, 0 as missing,
        0 as blocked, null as finished_at, null as error from n`);
    db.close();
    for (const args of [['verify'], ['backup', join(folder, 'slow-copy')]] as const) {
      const child = spawn(process.execPath, [CLI, ...args], {
        env: { PATH: process.env.PATH ?? '', ROSTER_DATA_DIR: slow },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      // Everything before that check takes less than four seconds of a core.
      const cpuTicks = () => {
        const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        return Number(fields[11]) + Number(fields[12]);
      };
      while (child.exitCode === null && cpuTicks() < 400) await pause(20);
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [null, 'SIGTERM'], args[0]);
    }
    assert.deepEqual(readdirSync(slow).sort(), ['roster.db', 'secret.key']);
    assert.equal(existsSync(join(folder, 'slow-copy')), false);
  });

  it('Restore removes the partial copies of killed commands and no other file', async () => {
    const target = join(folder, 'killed', 'roster.db');
    mkdirSync(dirname(target));
    const env = { ...data, DATABASE_URL: `sqlite:${target}` };
    const parts = () => readdirSync(dirname(target)).filter((name) => name.includes('.part'));
    const child = spawn(process.execPath, [CLI, 'restore', file], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    while (child.exitCode === null && parts().length === 0) await pause(1);
    child.kill('SIGKILL');
    await ended;
    assert.ok(parts().length > 0, 'the kill has left a copy');
    const gone = Number(child.pid);
    const others = [
      `roster.db.${process.pid}.part`,
      'roster.db.x.part',
      `roster.db.${gone}.part.txt`,
      `other.db.${gone}.part`,
    ];
    for (const name of [...others, `roster.db.${gone}.part-journal`])
      writeFileSync(join(dirname(target), name), '');
    const { status, stderr } = await runRoster(env, 'restore', file);
    assert.equal(status, 0, stderr);
    assert.deepEqual(parts().sort(), others.sort());
  });

  it('Restore refuses to replace the database of a running service', async () => {
    await withPrograms(async (start) => {
      const service = start(data);
      await service.ready();
      const { status, stderr } = await runRoster(data, 'restore', file, '--force');
      assert.equal(status, 1);
      assert.match(stderr, /^The database at .* is in use\. Stop the service and other commands first\.\n$/);
      assert.equal(await service.stop(), 0);
    });
  });

  it('Backup does not replace a good copy with one that fails verification', async () => {
    const other = join(folder, 'unsound');
    mkdirSync(other);
    copyFileSync(join(folder, 'data', 'secret.key'), join(other, 'secret.key'));
    copyFileSync(file, join(other, 'roster.db'));
    const db = new DatabaseSync(join(other, 'roster.db'));
    db.exec(`update tallies set count = count + 1 where list = 'agents'`);
    db.close();
    const target = damagedCopy('target', () => {});
    const { status, stderr } = await runRoster({ ROSTER_DATA_DIR: other }, 'backup', target, '--force');
    assert.equal(status, 1);
    assert.match(stderr, /failed verification.*FAILED stored counters.*npx roster verify/s);
    assert.ok(readFileSync(target).equals(readFileSync(file)));
    assert.ok(statSync(`${target}.faulty`).size > 0);
    const verified = await runRoster({ ROSTER_DATA_DIR: other }, 'verify');
    assert.equal(verified.status, 1);
    assert.match(verified.stdout, /\nFAILED stored counters.*\n1 of \d+ checks failed\.\n$/s);
  });
});

describe('Restore', () => {
  it('Restore replaces a damaged database and keeps a copy of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-backup-'));
    const data = { ROSTER_DATA_DIR: folder };
    const [path, file] = [join(folder, 'roster.db'), join(folder, 'good')];
    assert.equal((await runRoster(data, 'demo')).status, 0);
    assert.equal((await runRoster(data, 'backup', file)).status, 0);
    writeFileSync(path, 'what a failing disk has left'.repeat(500));
    assert.equal((await runRoster(data, 'restore', file)).status, 2, 'not unasked');
    const { status, stdout, stderr } = await runRoster(data, 'restore', file, '--force', '--json');
    assert.equal(status, 0, stderr);
    const { previous_database: previous } = JSON.parse(stdout);
    assert.match(readFileSync(previous, 'utf8'), /failing disk/);
    assert.deepEqual(tablesOf(path), tablesOf(file));
    rmSync(folder, { recursive: true });
  });

  it('Restore migrates a backup of an older version', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-backup-'));
    const data = { ROSTER_DATA_DIR: join(folder, 'data') };
    const file = join(folder, 'old');
    const old = new DatabaseSync(file);
    migrateConnection(old, { version: 16 });
    const at = '2026-01-01T00:00:00.000Z';
    const row = rowOf({
      ...emptyTexts,
      workspace_id: 1,
      id: 'contact_old',
      phone_number: '+12125550100',
      phone_identity: '+12125550100',
      phone_conflict: 0,
      identities: null,
      first_name: 'Ada',
      tags: '[]',
      crm_ids: '{}',
      fields: '{}',
      source: 'api',
      first_contact_at: at,
      last_contact_at: at,
      created_at: at,
      updated_at: at,
    });
    // The version has no columns for values of fields and for identities.
    const { fields: _, identities: __, ...placed } = { ...row, seq: 1 };
    old.exec(`insert into workspaces (id, name, created_at) values (1, 'default', '${at}')`);
    old
      .prepare(`insert into contacts (${Object.keys(placed)}) values (${Object.keys(placed).map(() => '?')})`)
      .run(...Object.values(placed));
    old.exec(`insert into contacts_search (rowid, text, phone) select 1 << 40 | 1, search_text || char(31, 31), search_phone || char(31, 31)
        from contacts;
      insert into tallies values (1, 'contacts', 0, 1), (1, 'contacts@2026-01-01/api', 0, 1), (1, 'contacts#/0', 0, 1),
        (1, 'contacts#0/0', 0, 1)`);
    old.close();
    const { status, stdout, stderr } = await runRoster(data, 'restore', file, '--json');
    assert.equal(status, 0, stderr);
    const output = JSON.parse(stdout);
    assert.deepEqual([output.contacts, output.schema, output.previous_database], [1, 16, null]);
    const verified = JSON.parse((await runRoster(data, 'verify', '--json')).stdout);
    assert.deepEqual([verified.ok, verified.schema, verified.contacts], [true, SCHEMA_VERSION, 1]);
    assert.equal(JSON.parse((await runRoster(data, 'verify', file, '--json')).stdout).schema, 16);
    assert.match((await runRoster(data, 'verify')).stdout, /: 1 contact and 0 agents\.\n$/);
    const again = await runRoster(data, 'restore', file, '--force');
    assert.match(again.stdout, /^Restored 1 contact and 0 agents to /);
    rmSync(folder, { recursive: true });
  });
});

describe('Backup and restore on PostgreSQL', () => {
  it('Without the tools of PostgreSQL, backup and restore say so and exit with 1', async () => {
    const DATABASE_URL = 'postgres://roster:pg-secret@db.example.com:5432/roster?sslmode=require';
    for (const [command, tool] of [
      ['backup', 'pg_dump'],
      ['restore', 'pg_restore'],
    ] as const) {
      const environment = { DATABASE_URL, PATH: '/nonexistent' };
      const { status, stdout, stderr } = await runRoster(environment, command, 'my file');
      assert.deepEqual([status, stdout], [1, '']);
      assert.ok(stderr.startsWith(`${tool} is not installed. Install the PostgreSQL client tools`), stderr);
    }
  });
});
