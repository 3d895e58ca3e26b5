import assert from 'node:assert/strict';
import { it } from 'node:test';
import { explainSetupErrors } from '../../src/db/open/setup-errors.ts';
import { emptyEngines } from '../kit/database/engines.ts';

it('A server without the extensions is explained, and another unsupported statement shows its message', async () => {
  const { database, query, drop } = await emptyEngines.postgres();
  const explained = async (sql: string): Promise<string> => {
    const failed = explainSetupErrors(database, () => query(sql));
    return failed.then(
      () => assert.fail('the statement succeeded'),
      ({ message }) => message,
    );
  };
  try {
    await query('create table numbers (number integer, name text)');
    for (const index of ['number', 'name gin_trgm_ops'])
      assert.equal(
        await explained(`create index on numbers using gin (${index})`),
        'PostgreSQL does not have the extensions pg_trgm and btree_gin. Install its contrib package, or allow them in the settings of the service. If they are in another schema, add that schema to search_path of the role.',
      );
    assert.match(
      await explained('alter table numbers alter column number type unknown_type'),
      /^PostgreSQL at \S+ cannot run a statement of Roster: type "unknown_type" does not exist\.$/,
    );
    assert.match(
      await explained('select count(*) from numbers for update'),
      /^PostgreSQL at \S+ cannot run a statement of Roster: FOR UPDATE is not allowed with aggregate functions\.$/,
    );
  } finally {
    await drop();
  }
});
