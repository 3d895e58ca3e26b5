import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dropTables } from '../kit/database/citus.ts';
import { emptyEngines, engines, existingPostgres, type TestDatabase } from '../kit/database/engines.ts';
import { differences, dumpTables } from '../kit/database/table-dump.ts';
import { fillEveryTable } from '../kit/fixtures/every-table.ts';
import { move } from '../kit/process/move.ts';

const cluster = existingPostgres(process.env.CITUS_URL ?? '');

describe('Move to Citus and back', () => {
  let source: TestDatabase;
  let copy: TestDatabase;
  before(async () => {
    await dropTables(cluster);
    [source, copy] = await Promise.all([engines.sqlite(), emptyEngines.sqlite()]);
    await fillEveryTable(source);
  });
  after(async () => {
    await dropTables(cluster);
    await Promise.all([source, copy].map((each) => each?.drop()));
  });

  it('A round trip over the coordinator returns every row of every table unchanged', async () => {
    const there = await move(source, cluster);
    assert.equal(there.status, 0, there.stderr);
    const [placed] = await cluster.query(
      `select count(*)::int as count from citus_tables where citus_table_type = 'distributed'`,
    );
    assert.ok(Number(placed?.count) > 15);
    const back = await move(cluster, copy);
    assert.equal(back.status, 0, back.stderr);
    assert.deepEqual(differences(await dumpTables(source), await dumpTables(copy)), []);
  });

  it('A repeated move needs --restart or an empty database', async () => {
    const { status, stderr } = await move(source, cluster);
    assert.equal(status, 1);
    assert.match(stderr, /^The target already contains data\./m);
    await cluster.query('create table roster_move (name text not null primary key, value text not null)');
    const restarted = await move(source, cluster, '--restart');
    assert.equal(restarted.status, 0, restarted.stderr);
  });
});
