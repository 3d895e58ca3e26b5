import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrations } from '../../src/db/migrations/index.ts';
import { emptyEngines } from '../kit/database/engines.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';

const AT = '2026-01-01T00:00:00.000Z';
/** The last migration before an email could belong to users of several workspaces. */
const OLD = migrations.findIndex(({ name }) => name.startsWith('emails unique in a workspace'));

for (const [engine, create] of Object.entries(emptyEngines)) {
  it(`An upgrade keeps all users and allows the same email in several workspaces, on ${engine}`, async () => {
    const database = await create();
    const { query } = database;
    const addUser = (id: string, workspace: number, email: string) =>
      query(
        `insert into users (id, workspace_id, email, password, role, created_at) values (?, ?, ?, 'none', 'owner', ?)`,
        id,
        workspace,
        email,
        AT,
      );
    try {
      await query('create table migrations (number int primary key, name text not null)');
      for (const [at, { name, statements }] of migrations.slice(0, OLD).entries()) {
        for (const statement of statements(database.database.engine)) await query(statement);
        await query('insert into migrations (number, name) values (?, ?)', at + 1, name);
      }
      for (const name of ['default', 'other'])
        await query('insert into workspaces (name, created_at) values (?, ?)', name, AT);
      await addUser('user_a', 1, 'a@example.com');
      await addUser('user_b', 2, 'b@example.com');
      const before = await query('select * from users order by id');
      await (await openTestStorage(database)).close();
      assert.deepEqual(await query('select * from users order by id'), before);
      await addUser('user_c', 2, 'a@example.com');
      await assert.rejects(async () => addUser('user_d', 2, 'a@example.com'));
    } finally {
      await database.drop();
    }
  });
}
