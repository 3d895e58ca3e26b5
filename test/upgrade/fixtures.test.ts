import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SCHEMA_VERSION } from '../../src/db/migrations/index.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { freePort } from '../kit/database/postgres-server.ts';
import { runRoster } from '../kit/process/cli.ts';
import { withPrograms } from '../kit/process/program.ts';
import type { Json } from '../kit/service/test-service.ts';
import { clientWithKey, FIXTURE_ENVIRONMENT } from './client.ts';
import { differencesFrom, readEverything } from './expectation.ts';
import { type Fixture, fixtureNames, readFixture, restoreFixture } from './fixture.ts';
import { startLoad } from './load.ts';

const PRELOAD = new URL('../kit/faults/clock.preload.ts', import.meta.url).href;

/** Imports expire, so the service runs at the time at which the fixture was made. */
const clockOf = ({ made_at }: Fixture, folder: string) => {
  const CLOCK_FILE = join(folder, 'clock');
  writeFileSync(CLOCK_FILE, `${Date.parse(made_at) + 60_000 - Date.now()}`);
  return { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_FILE };
};

/** A column that was added has another layout than one of a new table. */
const withoutLayout = (sql: string) => sql.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1');

/** The tables, indexes and constraints of a database. */
const schemaOf = async ({ database, query }: TestDatabase): Promise<Set<string>> => {
  const rows = await query(
    database.engine === 'sqlite'
      ? 'select name, sql from sqlite_schema'
      : `select table_name as name, concat_ws(' ', column_name, data_type, is_nullable, column_default) as sql
           from information_schema.columns where table_schema = 'public'
         union all select indexname, indexdef from pg_indexes where schemaname = 'public'
         union all select conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) from pg_constraint
           where connamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ name, sql }) => `${name}: ${withoutLayout(String(sql))}`));
};

/** A response of an earlier version with the names of today (see CHANGELOG.md). */
const withNewNames = (body: Json): Json =>
  JSON.parse(
    JSON.stringify(body).replaceAll('old_twilio_auth_token_expires_at', 'old_platform_secret_expires_at'),
  );

const assertUpgraded = async (url: string, fixture: Fixture) => {
  const { secrets, expected } = fixture;
  const actual = await readEverything(url, secrets);
  const differences = (['api', 'dashboard', 'otherWorkspace'] as const).flatMap((part) =>
    Object.entries(expected[part]).flatMap(([path, body]) =>
      differencesFrom(actual[part][path], withNewNames(body), path),
    ),
  );
  assert.deepEqual(differences, []);
  const { channel, key } = secrets;
  if (!channel) return;
  const active = await clientWithKey(url, channel.secret).send('GET', `/hooks/channels/${channel.id}/agent`);
  assert.match(active.instructions, /^You are Receptionist\./);
  assert.equal((await clientWithKey(url, key).call('GET', '/v1/contacts')).status, 200);
};

/** All fixtures with UPGRADE_ALL, otherwise those of the oldest and of the last earlier schema. */
const chosenFixtures = (): string[] => {
  const names = fixtureNames();
  if (process.env.UPGRADE_ALL) return names;
  const schemas = new Map(names.map((name) => [name, readFixture(name, 'sqlite').schema]));
  const earlier = [...schemas].filter(([, schema]) => schema < SCHEMA_VERSION).sort((a, b) => a[1] - b[1]);
  return [earlier.at(0), earlier.at(-1)].flatMap((chosen) => chosen?.[0] ?? []);
};

describe('Upgrade of an earlier database', { concurrency: 2 }, () => {
  const newSchemas = new Map<string, Promise<Set<string>>>();
  const newSchema = (engine: keyof typeof engines) => {
    const read = async () => {
      const database = await engines[engine]();
      return schemaOf(database).finally(() => database.drop());
    };
    const schema = newSchemas.get(engine) ?? read();
    newSchemas.set(engine, schema);
    return schema;
  };

  for (const name of chosenFixtures())
    for (const engine of ['sqlite', 'postgres'] as const)
      it(`The database ${name} on ${engine} is upgraded under load and keeps every record`, async () => {
        const { fixture, database } = await restoreFixture(name, engine);
        try {
          await withPrograms(async (start, folder) => {
            const environment = {
              ...FIXTURE_ENVIRONMENT,
              ...clockOf(fixture, folder),
              DATABASE_URL: database.url,
              PORT: String(await freePort()),
            };
            const url = `http://127.0.0.1:${environment.PORT}`;
            const program = start(environment);
            let isListening = false;
            const load = startLoad(url, {
              clients: 2,
              writeKey: fixture.secrets.otherWorkspace,
              isRefusalAllowed: () => !isListening,
            });
            await program.ready();
            isListening = true;
            await load.untilAnswered(20);
            assert.deepEqual((await load.stop()).failures, []);
            await assertUpgraded(url, fixture);
            assert.equal(await program.stop(), 0, program.stderr);
            const verified = await runRoster(environment, 'verify');
            assert.equal(verified.status, 0, verified.stdout + verified.stderr);
            const [row] = await database.query('select count(*) as count from migrations');
            assert.equal(Number(row?.count), SCHEMA_VERSION);
            const [schema, wanted] = [await schemaOf(database), await newSchema(engine)];
            assert.deepEqual([...schema.symmetricDifference(wanted)], []);
          });
        } finally {
          await database.drop();
        }
      });
});
