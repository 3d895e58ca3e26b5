import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { postgresOn, sqliteIn, type TestDatabase } from '../kit/database/engines.ts';
import { startPostgres } from '../kit/database/postgres-server.ts';
import { FIXTURE_ENVIRONMENT } from './client.ts';
import { dumpPostgres, recordDdl } from './dump.ts';
import { readEverything } from './expectation.ts';
import { fillService } from './fill.ts';
import type { Fixture } from './fixture.ts';
import { runRosterIn, startInFolder } from './program-folder.ts';

const USAGE = 'Usage: node test/upgrade/make-fixture.ts NAME [--program FOLDER]';

/** Makes the fixture NAME: fills an empty database on each engine with the program in FOLDER, by default this one. */
const make = async (folder: string, database: TestDatabase): Promise<Fixture> => {
  const data = mkdtempSync(join(tmpdir(), 'roster-fixture-'));
  const environment = { ...FIXTURE_ENVIRONMENT, DATABASE_URL: database.url, ROSTER_DATA_DIR: data };
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const program = await startInFolder(folder, environment);
  try {
    await program.ready();
    const runRoster = (...args: string[]) => {
      const { status, stdout, stderr } = runRosterIn(folder, environment, ...args);
      assert.equal(status, 0, stderr);
      return stdout;
    };
    const secrets = await fillService(program.url, runRoster);
    const expected = await readEverything(program.url, secrets);
    assert.equal(await program.stop(), 0, program.output());
    const [row] = await database.query('select count(*) as count from migrations');
    return { version, schema: Number(row?.count), made_at: new Date().toISOString(), secrets, expected };
  } finally {
    program.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
};

const { values, positionals } = parseArgs({
  options: { program: { type: 'string' } },
  allowPositionals: true,
});
const [name] = positionals;
if (positionals.length !== 1 || !name || !/^[\w.-]+$/.test(name)) {
  console.error(USAGE);
  process.exit(1);
}
const folder = resolve(values.program ?? '.');
const target = fileURLToPath(new URL(`./fixtures/${name}/`, import.meta.url));
mkdirSync(target, { recursive: true });
const save = (file: string, content: string | Uint8Array) => {
  const compressed = gzipSync(content, { level: 9 });
  writeFileSync(join(target, `${file}.gz`), compressed);
  console.log(`${file}.gz ${compressed.length} bytes`);
};

const sqlite = sqliteIn(mkdtempSync(join(tmpdir(), 'roster-fixture-')));
assert.ok(sqlite.database.engine === 'sqlite');
save('sqlite.json', JSON.stringify(await make(folder, sqlite)));
const db = new DatabaseSync(sqlite.database.path);
db.exec('vacuum');
db.close();
save('sqlite.db', readFileSync(sqlite.database.path));
await sqlite.drop();

const server = await startPostgres({ flushes: false });
const postgres = await postgresOn(server.url);
await recordDdl(postgres.url);
save('postgres.json', JSON.stringify(await make(folder, postgres)));
save('postgres.sql', await dumpPostgres(postgres.url));
await server.stop();
process.exit(0);
