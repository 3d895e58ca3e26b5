import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashInt8 } from '../../src/db/postgres/citus/shard-hash.ts';
import { emptyEngines } from '../kit/database/engines.ts';

const VALUES = [0, 1, 2, 77, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 + 5, 123_456_789_012, 2 ** 52 + 99];

test('The hash of a workspace is the one by which PostgreSQL and Citus choose its shard', async () => {
  const database = await emptyEngines.postgres();
  try {
    const rows = await database.query(
      'select value::text as value, hashint8(value::bigint) as hash from json_array_elements_text(?::json) as value',
      JSON.stringify(VALUES),
    );
    assert.deepEqual(
      rows.map(({ hash }) => hash),
      VALUES.map(hashInt8),
    );
  } finally {
    await database.drop();
  }
});
