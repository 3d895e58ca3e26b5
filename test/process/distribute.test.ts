import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { emptyEngines } from '../kit/database/engines.ts';
import { runRoster } from '../kit/process/cli.ts';

test('distribute refuses a database without Citus and names the statement to run', async () => {
  const database = await emptyEngines.postgres();
  const folder = mkdtempSync(join(tmpdir(), 'roster-distribute-'));
  try {
    const refused = await runRoster({ DATABASE_URL: database.url, ROSTER_DATA_DIR: folder }, 'distribute');
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /does not have the Citus extension.*create extension citus/s);
    const [tables] = await database.query(
      `select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace`,
    );
    assert.equal(tables?.count, 0, 'nothing was created');
    const sqlite = await runRoster({ ROSTER_DATA_DIR: folder }, 'distribute');
    assert.notEqual(sqlite.status, 0);
    assert.match(sqlite.stderr, /SQLite cannot be distributed\. Set DATABASE_URL/);
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});
