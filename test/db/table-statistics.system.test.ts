import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { analyzeGrownTables } from '../../src/db/postgres/table-statistics.ts';
import { RunCounters } from '../../src/lib/run-counters.ts';
import { citusNodes } from '../kit/database/citus.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { databaseFor, serviceFor, storageFor } from '../kit/service/scoped-resources.ts';

const CONTACTS = 5_000;

describe('Statistics of tables on PostgreSQL', { skip: citusNodes().length > 0 }, () => {
  it('A table that has grown is analyzed once, and prepared statements get a new plan', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const { principal } = await makeWorkspace(await storageFor(test, database));
    const { workspace } = principal;
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const isAnalyzedNow = async () => {
      const statements: string[] = [];
      const query = (config: { text: string }) => {
        statements.push(config.text);
        return client.query(config);
      };
      await analyzeGrownTables({ query } as never, new RunCounters('task', 'task').register('analyze'));
      return statements.includes('analyze (skip_locked) contacts');
    };
    const rowsRead = async () => {
      const { rows } = await client.query(
        `explain (analyze, format json) execute one(${workspace}, 'contact_unknown')`,
      );
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      return plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
    };

    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query('prepare one as select wire from contacts where workspace_id = $1 and id = $2');
    await client.query('alter table contacts set (autovacuum_enabled = false)');
    await rowsRead();
    assert.equal(await isAnalyzedNow(), false);
    await fillContacts(database, workspace, CONTACTS);
    assert.equal(await rowsRead(), CONTACTS);
    // The connection that inserted the rows reports their number when it is closed.
    let tries = 0;
    while (!(await isAnalyzedNow()) && tries++ < 50) await pause(100);
    assert.equal(await rowsRead(), 0);
    assert.equal(await isAnalyzedNow(), false);
    await client.end();
  });

  it('The service analyzes tables while they grow', async (test) => {
    const database = await databaseFor(test, 'postgres');
    await serviceFor(test, database);
    await database.query('alter table contacts set (autovacuum_enabled = false)');
    await fillContacts(database, 1, CONTACTS);
    const isAnalyzed = async () => {
      const [row] = await database.query(`select reltuples from pg_class where relname = 'contacts'`);
      return Number(row?.reltuples) > 0;
    };
    for (let tries = 0; !(await isAnalyzed()) && tries < 100; tries++) await pause(100);
    assert.ok(await isAnalyzed());
  });
});
