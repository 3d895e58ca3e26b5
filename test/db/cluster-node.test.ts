import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { ClusterNode } from '../../src/db/postgres/citus/node.ts';
import { withClient } from '../../src/db/postgres/connection.ts';
import { openPool } from '../../src/db/postgres/pool.ts';
import { Servers } from '../../src/db/postgres/servers.ts';
import { databaseFor } from '../kit/service/scoped-resources.ts';

const LIMITS = { connections: 2, longReads: 1 };

const nodeFor = async (test: TestContext) => {
  const { url } = await databaseFor(test, 'postgres');
  const pool = await openPool({ servers: new Servers(url), onFault: () => {}, size: 4 });
  test.after(() => pool.end());
  return { pool, node: new ClusterNode(pool, LIMITS) };
};

const takeDown = (node: ClusterNode) => node.apply({ isReachable: false, began: performance.now() });

it('A node that goes down while the pool connects leaves no connection checked out', async (test) => {
  const { pool, node } = await nodeFor(test);
  const requests = [
    node.query('select 1'),
    node.query('select 1'),
    node.shortReads.query('select 1'),
    node.longReads.query('select 1'),
  ];
  takeDown(node);
  const results = await Promise.allSettled(requests);
  assert.deepEqual(
    results.map(({ status }) => status),
    requests.map(() => 'rejected'),
  );
  assert.equal(pool.idleCount, pool.totalCount, 'the pool is idle');

  node.apply({ isReachable: true, began: performance.now() });
  // More statements than the node may use connections: no slot was lost.
  await Promise.all(Array.from({ length: 5 }, () => node.query('select 1')));
  assert.equal(pool.idleCount, pool.totalCount);
});

it('A node goes down during a probe although a failed transaction was rolled back', async (test) => {
  const { node } = await nodeFor(test);
  const failed = { isReachable: false, began: performance.now() };
  await assert.rejects(withClient(node, (client) => client.query('select 1 / 0')));
  node.apply(failed);
  assert.equal(node.isDown, true);
});

it('A node that has answered a statement during a failed probe stays up', async (test) => {
  const { node } = await nodeFor(test);
  const failed = { isReachable: false, began: performance.now() };
  await node.query('select 1');
  node.apply(failed);
  assert.equal(node.isDown, false);
});
