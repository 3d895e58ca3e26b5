import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ClusterNodes } from '../../src/db/postgres/citus/nodes.ts';
import { migratePostgres } from '../../src/db/postgres/migrate.ts';
import { openPool } from '../../src/db/postgres/pool.ts';
import { Servers } from '../../src/db/postgres/servers.ts';
import { adminUrl, dropTables } from '../kit/database/citus.ts';
import { workersOf } from '../kit/database/citus-worker.ts';
import { existingPostgres } from '../kit/database/engines.ts';

const url = process.env.CITUS_URL ?? '';
const database = existingPostgres(url);
const admin = existingPostgres(adminUrl(url, new URL(url).pathname));
const CHANGE_ALL_NODES = 'update workspaces set name = name';

/** Few shards, because all of them are moved. */
const setShardCount = (value: string) =>
  database.query(`alter role current_user set citus.shard_count = ${value}`);

describe('Removal of a Citus worker', () => {
  before(async () => {
    await dropTables(database);
    await setShardCount('2');
  });
  after(async () => {
    await setShardCount('default');
    await dropTables(database);
  });

  it('A worker that was down when it was disabled no longer blocks changes of reference tables', async (test) => {
    const pool = await openPool({ servers: new Servers(url), onFault: () => {} });
    test.after(() => pool.end());
    await migratePostgres(pool);
    const poolSize = pool.options.max;
    const nodes = await ClusterNodes.load(pool);
    assert.equal(pool.options.max, poolSize + 3);
    const lost = (await workersOf(url)).at(-1);
    const entry = [...nodes.workers()].find(({ port }) => port === lost?.port);
    assert.ok(entry, 'the worker has shards');
    const { node, host, port } = entry;
    const [shards] = await database.query(
      'select count(*)::int as count from pg_dist_placement where groupid = ?',
      lost?.group ?? 0,
    );
    assert.ok(Number(shards?.count) > 0);

    await admin.query(`select citus_drain_node('${host}', ${port}, 'block_writes')`);
    node.apply({ isReachable: false, began: performance.now() });
    await nodes.refresh();
    assert.throws(() => nodes.nodeFor(CHANGE_ALL_NODES, {}), /does not answer/);
    try {
      await admin.query(`select citus_disable_node('${host}', ${port}, synchronous => true)`);
      await nodes.refresh();
      assert.equal(nodes.nodeFor(CHANGE_ALL_NODES, {}), nodes.coordinator);
      assert.equal([...nodes.workers()].length, 1);
      assert.equal(pool.options.max, poolSize + 2);
    } finally {
      await admin.query(`select citus_activate_node('${host}', ${port})`);
      await admin.query(`select citus_set_node_property('${host}', ${port}, 'shouldhaveshards', true)`);
    }
    await admin.query(`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`);
    await nodes.refresh();
    assert.equal([...nodes.workers()].length, 2);
    assert.equal(nodes.nodeFor(CHANGE_ALL_NODES, {}), nodes.coordinator);
  });
});
