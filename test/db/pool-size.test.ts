import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MIN_POOL_SIZE, maxLongReads } from '../../src/db/postgres/pool-size.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';

it('Long reads leave connections for short reads and writes in a pool of any size', () => {
  assert.deepEqual([4, 6, 12, 22, 200].map(maxLongReads), [1, 2, 6, 12, 118]);
});

it('A pool of the smallest size serves short reads, long reads and writes concurrently', async (test) => {
  const created = await databaseFor(test, 'postgres');
  const database = { engine: 'postgres', url: created.url, poolSize: MIN_POOL_SIZE } as const;
  const service = await serviceFor(test, { ...created, database });
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, at) => [
      service.post('/v1/contacts', { phone_number: `+1415555${String(100 + at).padStart(4, '0')}` }),
      service.get('/v1/contacts?search=415'),
      service.get('/v1/contacts?limit=1'),
    ]).flat(),
  );
  assert.deepEqual([...new Set(replies.map(({ status }) => status))].sort(), [200, 201]);
  const [open] = await created.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'roster'`,
  );
  assert.ok(Number(open?.count) <= MIN_POOL_SIZE, `${open?.count} connections`);
});
