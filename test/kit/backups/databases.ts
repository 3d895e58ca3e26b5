import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolVersion } from '../../../src/db/postgres/client-tools.ts';
import { postgresOn, sqliteIn, type TestDatabase } from '../database/engines.ts';
import { startPostgres } from '../database/postgres-server.ts';

/** New databases of one engine whose backups can be made on this machine. */
export interface BackupEngine {
  readonly name: 'sqlite' | 'postgres';
  /** Why it cannot be tested here. */
  readonly skip: string | false;
  start(): Promise<void>;
  create(): Promise<TestDatabase>;
  stop(): Promise<void>;
}

const version = await toolVersion('pg_dump');
const installed = `/usr/lib/postgresql/${version}/bin`;

/** pg_dump refuses newer servers, so that the server of the tests is too new for older tools. */
const postgres = (): BackupEngine => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  const skip =
    version === undefined
      ? 'pg_dump is not installed'
      : !existsSync(join(installed, 'postgres')) &&
        `there is no PostgreSQL server of version ${version} for pg_dump`;
  return {
    name: 'postgres',
    skip,
    start: async () => {
      if (!skip) server = await startPostgres({ flushes: false, installed });
    },
    create: () => postgresOn(server.url),
    stop: async () => {
      if (!skip) await server.stop();
    },
  };
};

const sqlite = (): BackupEngine => ({
  name: 'sqlite',
  skip: false,
  start: async () => {},
  create: async () => sqliteIn(mkdtempSync(join(tmpdir(), 'roster-backups-'))),
  stop: async () => {},
});

export const backupEngines = (): BackupEngine[] => [sqlite(), postgres()];

const TABLES = {
  sqlite: `select name from sqlite_schema where type = 'table' and sql not like '%using fts5%' order by name`,
  postgres: `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
};

/** Every table with its rows sorted. */
export const tablesOf = async ({ database, query }: TestDatabase): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {};
  for (const { name } of await query(TABLES[database.engine]))
    tables[String(name)] = (await query(`select * from ${name}`)).map((row) => JSON.stringify(row)).sort();
  return tables;
};
