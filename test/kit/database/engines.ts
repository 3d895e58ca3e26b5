import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Database } from '../../../src/db/database.ts';
import { citusNodes, createOnCitus, dropOnCitus, onOneShard } from './citus.ts';

export interface TestDatabase {
  readonly database: Database;
  /** The value of DATABASE_URL for this database. */
  readonly url: string;
  /** Queries the database directly, for states that no operation shows or creates. `?` marks a value. */
  query(sql: string, ...values: (string | number | null)[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** A new file in a folder, which is removed with it. */
export const sqliteIn = (folder: string): TestDatabase => {
  const path = join(folder, 'roster.db');
  return {
    database: { engine: 'sqlite', path },
    url: `sqlite:${path}`,
    query: async (sql, ...values) => {
      const db = new DatabaseSync(path, { timeout: 5_000 });
      try {
        return db.prepare(sql).all(...values);
      } finally {
        db.close();
      }
    },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
};

const emptySqlite = async () => sqliteIn(mkdtempSync(join(tmpdir(), 'roster-test-')));

/** A copy of the file that the run has migrated (see templates.ts). */
const sqlite = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-test-'));
  if (process.env.TEST_SQLITE_TEMPLATE)
    copyFileSync(process.env.TEST_SQLITE_TEMPLATE, join(folder, 'roster.db'));
  return sqliteIn(folder);
};

const serverUrl = () => {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return url;
  throw new Error('TEST_DATABASE_URL is not set: run the tests with `npm test`, which starts a PostgreSQL.');
};

const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** A database that exists and stays. */
export const existingPostgres = (url: string): TestDatabase => ({
  database: { engine: 'postgres', url },
  url,
  query: (sql, ...values) => {
    let count = 0;
    const text = sql.replace(/\?/g, () => `$${++count}`);
    return withClient(url, async (client) => (await client.query(text, values)).rows);
  },
  drop: async () => {},
});

/** The same on all nodes of a Citus cluster. */
const citusOn = async (server: string, name: string, template: string): Promise<TestDatabase> => {
  await createOnCitus(server, name, template);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const forService = onOneShard(url.href);
  return {
    ...existingPostgres(url.href),
    database: { engine: 'postgres', url: forService },
    url: forService,
    drop: () => dropOnCitus(server, name),
  };
};

/** A new database on a server: empty, or a copy of a template. */
export const postgresOn = async (server: string, template = 'template1'): Promise<TestDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  if (citusNodes().length > 0) return citusOn(server, name, template);
  // To create and drop one takes 55 ms of CPU time instead of 110 with the default, which logs every page.
  await withClient(server, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    ...existingPostgres(url.href),
    drop: async () => {
      await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
};

const emptyPostgres = () => postgresOn(serverUrl());

const postgres = () => postgresOn(serverUrl(), process.env.TEST_POSTGRES_TEMPLATE);

/** A copy of a database to which no one is connected. */
export const copyPostgres = ({ url }: TestDatabase) =>
  postgresOn(serverUrl(), new URL(url).pathname.slice(1));

type Engines = Record<Database['engine'], () => Promise<TestDatabase>>;

/** Both engines, each with a new database of the current schema. Every test of behavior runs on both. */
export const engines: Engines = { sqlite, postgres };

/** The same without a schema, for tests of the first start and of migrations. */
export const emptyEngines: Engines = { sqlite: emptySqlite, postgres: emptyPostgres };
