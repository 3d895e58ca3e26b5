import { migrations, rowsAfter } from '../../../src/db/migrations/index.ts';
import type { TestDatabase } from './engines.ts';

/** Creates the schema of an earlier release in an empty database. */
export const createSchema = async (
  { database: { engine }, query }: Pick<TestDatabase, 'database' | 'query'>,
  version: number,
): Promise<void> => {
  const strict = engine === 'sqlite' ? 'strict' : '';
  await query(`create table migrations (number int primary key, name text not null) ${strict}`);
  let applied = 0;
  for (const migration of migrations.filter((each) => each.version <= version)) {
    for (const statement of migration.statements(engine)) await query(statement);
    for (const row of rowsAfter(applied, migration))
      await query('insert into migrations (number, name) values (?, ?)', ...row);
    applied = migration.version;
  }
};
