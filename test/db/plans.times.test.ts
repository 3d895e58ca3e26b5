import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import { allStatements } from '../../src/db/statement.ts';
import '../../src/wiring/routes.ts';
import '../../src/wiring/operations.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';

/** Lists, and statements about all records of a workspace before, after or between times, keys that expire, the depth of a search in
 *  texts, expired transcripts, contacts by day, jobs that are due, and campaigns that wait for events. */
const BY_TIME =
  /"\."workspace_id" = \?|delete from|expiry_noticed_at|from call_texts|select call_id from transcripts|c\.created_at >= d\.key|from jobs/;

describe('Query plans of statements with times on SQLite', () => {
  let database: TestDatabase;
  before(async () => {
    database = await engines.sqlite();
  });
  after(() => database?.drop());

  it('A statement about one record reads no range of times of its workspace', async () => {
    const found: string[] = [];
    for (const statement of allStatements()) {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const rows = await database.query(`explain query plan ${sql}`, ...order.map(() => null));
      for (const { detail } of rows)
        if (/\(workspace_id=\? AND \w*(?:_at|\bat)[<>]\?/.test(String(detail)) && !BY_TIME.test(sql))
          found.push(`${detail}\n${sql.replace(/\s+/g, ' ')}`);
    }
    assert.deepEqual(found, []);
  });
});
