import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { migrations, SCHEMA_VERSION } from '../../src/db/migrations/index.ts';
import { openStorage } from '../../src/db/open/open.ts';
import type { Storage } from '../../src/db/storage.ts';
import { emptyEngines, engines, type TestDatabase } from '../kit/database/engines.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { runRoster } from '../kit/process/cli.ts';
import { environmentOf, move, newSource } from '../kit/process/move.ts';

const other = { sqlite: 'postgres', postgres: 'sqlite' } as const;

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Refusals of move from ${engine} to ${other[engine]}`, () => {
    let source: TestDatabase;
    let target: TestDatabase;
    let storage: Storage | undefined;
    const created: TestDatabase[] = [];
    const keep = async (database: Promise<TestDatabase>) => {
      created.push(await database);
      return database;
    };
    before(async () => {
      source = await keep(newSource(engine));
      target = await keep(emptyEngines[other[engine]]());
    });
    after(async () => {
      await storage?.close();
      await Promise.all(created.map((each) => each.drop()));
    });

    const refuses = async (pattern: RegExp, from = source, to: { url: string } = target) => {
      const { status, stdout, stderr } = await move(from, to);
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, pattern);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    };

    it('A database in use is refused as source and as target', async () => {
      storage = await openTestStorage(source);
      await refuses(/^The database .* is in use\. Stop the service and other commands first\.$/m);
      await storage.close();
      const busy = await keep(engines[other[engine]]());
      storage = await openTestStorage(busy);
      await refuses(/is in use\. Stop the service and other commands first\.$/m, source, busy);
      await storage.close();
      storage = undefined;
    });

    it('A target with data is refused', async () => {
      const full = await keep(newSource(other[engine]));
      await refuses(/^The target already contains data\. Choose an empty database\.$/m, source, full);
    });

    it('A target with tables of another application under the same names is refused', async () => {
      const foreign = await keep(emptyEngines[other[engine]]());
      await foreign.query('create table users (id text)');
      await refuses(/^The target has a table users that Roster did not create\./m, source, foreign);
    });

    it('A source or a target with another schema version is refused', async () => {
      const newer = await keep(engines[other[engine]]());
      await newer.query(`insert into migrations (number, name) values (${SCHEMA_VERSION + 1}, 'future')`);
      await refuses(
        /^The database has schema version \d+; this version of Roster supports \d+\./m,
        source,
        newer,
      );
      const older = await keep(newSource(engine));
      const previous = migrations.at(-2)?.version;
      await older.query(`delete from migrations where number > ${previous}`);
      await refuses(/schema version \d+; .* Start and stop the service once to migrate it\.$/m, older);
    });

    it('An unfinished move continues only from the same, unchanged source', async () => {
      const unfinished = await keep(newSource(other[engine]));
      const read = async ({ query }: TestDatabase) => {
        const [row] = await query('select name, created_at from workspaces');
        return [row?.name, row?.created_at];
      };
      // As if it had stopped before the end.
      await unfinished.query(
        'create table roster_move (name text not null primary key, value text not null)',
      );
      await unfinished.query(
        `insert into roster_move (name, value) values ('source', '{"identity":"another"}')`,
      );
      await refuses(/belongs to an unfinished move from another database\./m, source, unfinished);
      const restarted = await move(source, unfinished, '--restart');
      assert.equal(restarted.status, 0, restarted.stderr);
      assert.deepEqual(await read(unfinished), await read(source));
    });
  });
}

describe('Refusals of move', () => {
  let source: TestDatabase;
  let target: TestDatabase;
  before(async () => {
    source = await newSource('sqlite');
    target = await emptyEngines.postgres();
  });
  after(() => Promise.all([source, target].map((each) => each?.drop())));

  it('A wrong command line exits with status 2 and says what to send', async () => {
    const folder = mkdtempSync(`${tmpdir()}/roster-move-`);
    for (const [args, pattern] of [
      [[], /^Usage:\n {2}roster move \[--to URL\]/],
      [['--to', 'mysql://host/db'], /--to must start with postgres:\/\/ or be sqlite:/],
      [['--to', source.url], /--to is the database itself\./],
      [['--to', `sqlite:${folder}`], /is a folder\. Name a file in it: sqlite:.*\/roster\.db/],
    ] as const) {
      const { status, stderr } = await runRoster(environmentOf(source), 'move', ...args);
      assert.match(stderr, pattern);
      assert.equal(status, 2);
    }
    rmSync(folder, { recursive: true });
  });

  it('A server that rejects writes is refused', async () => {
    const name = new URL(target.url).pathname.slice(1);
    await target.query(`alter database ${name} set default_transaction_read_only = on`);
    const { status, stderr } = await move(source, target);
    assert.equal(status, 1);
    assert.match(stderr, /^PostgreSQL at .* is a standby and rejects writes\. Change --to to the primary/);
  });

  it('A service is detected although its URL sets an application_name', async () => {
    const used = await newSource('postgres');
    const url = `${used.url}?application_name=crm`;
    const storage = await openStorage({ engine: 'postgres', url }, { onFault: () => {} });
    const { status, stderr } = await move({ ...used, url }, await emptyEngines.sqlite());
    assert.deepEqual(
      [status, stderr],
      [1, 'The database in DATABASE_URL is in use. Stop the service and other commands first.\n'],
    );
    await storage.close();
    await used.drop();
  });

  it('U+0000, which PostgreSQL cannot store, is refused with the key of the row', async () => {
    const damaged = await newSource('sqlite');
    const to = await emptyEngines.postgres();
    await damaged.query(`update workspaces set name = 'a' || char(0) || 'b'`);
    const { status, stderr } = await move(damaged, to);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^A row of workspaces contains the character U\+0000, which PostgreSQL cannot store: 1\./m,
    );
    await Promise.all([damaged.drop(), to.drop()]);
  });
});
