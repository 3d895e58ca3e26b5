import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { databaseFor } from '../kit/service/scoped-resources.ts';
import { checkOutPrevious, copyWithMigration, removeFolder } from './next-version.ts';
import { upgradeRolling } from './rolling.ts';

describe('Rolling upgrade on PostgreSQL', () => {
  it('No request fails while this version and an additive migration replace the previous release', async (test) => {
    const folders = [checkOutPrevious(), copyWithMigration()] as const;
    test.after(() => folders.forEach(removeFolder));
    const requests = await upgradeRolling({
      oldFolder: folders[0],
      newFolder: folders[1],
      database: await databaseFor(test, 'postgres', { isEmpty: true }),
      clients: 16,
      phaseMs: 10_000,
      longReadMs: 20_000,
      isThorough: true,
    });
    assert.ok(requests > 1_000, `${requests} requests`);
    test.diagnostic(`${requests} requests`);
  });
});
