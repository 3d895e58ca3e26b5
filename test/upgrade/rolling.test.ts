import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { databaseFor } from '../kit/service/scoped-resources.ts';
import { copyWithMigration, removeFolder } from './next-version.ts';
import { upgradeRolling } from './rolling.ts';

describe('Rolling upgrade on PostgreSQL', () => {
  it('No request fails while a version with an additive migration replaces this one', async (test) => {
    const newFolder = copyWithMigration();
    test.after(() => removeFolder(newFolder));
    await upgradeRolling({
      oldFolder: fileURLToPath(new URL('../../', import.meta.url)),
      newFolder,
      database: await databaseFor(test, 'postgres'),
      clients: 6,
      phaseMs: 1_000,
    });
  });
});
