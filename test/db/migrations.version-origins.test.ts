import assert from 'node:assert/strict';
import { it } from 'node:test';
import { emptyEngines } from '../kit/database/engines.ts';
import { createSchema } from '../kit/database/old-schema.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';

const AT = '2026-01-01T00:00:00.000Z';
/** The version before the authors of versions were stored. */
const OLD = 17;

for (const [engine, create] of Object.entries(emptyEngines)) {
  it(`An upgrade takes the authors of versions from the audit entries of their workspace, on ${engine}`, async () => {
    const database = await create();
    const { query } = database;
    try {
      await createSchema(database, OLD);
      for (const workspace of [1, 2]) {
        await query('insert into workspaces (name, created_at) values (?, ?)', `w${workspace}`, AT);
        await query(
          `insert into agents (workspace_id, seq, id, name, created_at, updated_at, wire) values (?, 1, 'agent', 'Ann', ?, ?, '{}')`,
          workspace,
          AT,
          AT,
        );
        for (const number of [1, 2])
          await query(
            `insert into agent_versions (workspace_id, agent_id, number, id, status, instructions, created_at)
              values (?, 'agent', ?, ?, 'draft', 'Words.', ?)`,
            workspace,
            number,
            `version${number}`,
            AT,
          );
        await query(
          `insert into audit_entries (workspace_id, seq, at, actor, action, subject) values (?, 1, ?, ?, 'version.created', 'version1')`,
          workspace,
          AT,
          `user${workspace}`,
        );
        await query(
          `insert into audit_entries (workspace_id, seq, at, actor, action, subject) values (?, 2, ?, 'deployer', 'version.deployed', 'version2')`,
          workspace,
          AT,
        );
      }
      await (await openTestStorage(database)).close();
      const rows = await query(
        'select workspace_id, number, created_by from agent_versions order by workspace_id, number',
      );
      assert.deepEqual(
        rows.map((row) => [Number(row.workspace_id), Number(row.number), row.created_by]),
        [
          [1, 1, 'user1'],
          [1, 2, null],
          [2, 1, 'user2'],
          [2, 2, null],
        ],
      );
    } finally {
      await database.drop();
    }
  });
}
