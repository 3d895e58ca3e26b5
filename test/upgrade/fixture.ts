import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { emptyEngines, sqliteIn, type TestDatabase } from '../kit/database/engines.ts';
import { restorePostgres } from './dump.ts';
import type { Expectation } from './expectation.ts';
import type { FilledSecrets } from './fill.ts';

/** A database that an earlier version has filled, and what that version returned. */
export interface Fixture {
  /** The version in its package.json. */
  readonly version: string;
  readonly schema: number;
  readonly made_at: string;
  readonly secrets: FilledSecrets;
  readonly expected: Expectation;
}

const FOLDER = fileURLToPath(new URL('./fixtures/', import.meta.url));

const read = (name: string, file: string) => gunzipSync(readFileSync(join(FOLDER, name, `${file}.gz`)));

export const fixtureNames = (): string[] =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

export const readFixture = (name: string, engine: keyof typeof emptyEngines): Fixture =>
  JSON.parse(read(name, `${engine}.json`).toString());

/** Restores the database of a fixture. */
export const restoreFixture = async (
  name: string,
  engine: keyof typeof emptyEngines,
): Promise<{ fixture: Fixture; database: TestDatabase }> => {
  const fixture = readFixture(name, engine);
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'roster-upgrade-'));
    writeFileSync(join(folder, 'roster.db'), read(name, 'sqlite.db'));
    return { fixture, database: sqliteIn(folder) };
  }
  const database = await emptyEngines.postgres();
  await restorePostgres(database.url, read(name, 'postgres.sql').toString());
  return { fixture, database };
};
