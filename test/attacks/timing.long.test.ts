import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey, revokeKey } from '../../src/features/workspaces/key.service.ts';
import { requireWorkspace } from '../../src/features/workspaces/workspace.service.ts';
import { COMMAND_LINE } from '../../src/records/change.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { startProxy } from '../kit/faults/tcp-proxy.ts';
import { databaseFor } from '../kit/service/scoped-resources.ts';
import { onEveryEngine, startTestService } from '../kit/service/test-service.ts';
import { timeRefusals } from './proofs/timing.ts';

timeRefusals({ keys: 50_000, accounts: 300, isAsserted: true });

onEveryEngine('Promised times', (service) => {
  it('A revoked key is rejected within one second, also while it is in use', async () => {
    const storage = await openTestStorage(service.database);
    try {
      const { id: workspace } = await storage.run(requireWorkspace, null, { name: 'default' });
      const principal = { workspace, actor: COMMAND_LINE };
      const input = { name: 'short-lived', scope: 'read', expires_at: null } as const;
      const { id, key } = await storage.run(createKey, principal, input);
      const status = async () => (await service.get('/v1/contacts?limit=1', { key })).status;
      assert.equal(await status(), 200);
      await storage.run(revokeKey, principal, { id });
      const revoked = performance.now();
      while ((await status()) === 200) {
        assert.ok(performance.now() - revoked < 1_000, 'it is still accepted');
        await sleep(10);
      }
      // Each serving thread has its own cache.
      await sleep(Math.max(0, revoked + 1_000 - performance.now()));
      for (let round = 0; round < 20; round++) assert.equal(await status(), 401);
    } finally {
      await storage.close();
    }
  });
});

it('A scrape answers within two seconds while PostgreSQL does not answer', async (test) => {
  const database = await databaseFor(test, 'postgres');
  const proxy = await startProxy(database.url);
  const service = await startTestService({ ...database, database: { engine: 'postgres', url: proxy.url } });
  try {
    proxy.stall();
    for (let round = 0; round < 5; round++) {
      const began = performance.now();
      assert.match((await service.get('/metrics')).text, /^roster_database_up 0$/m);
      const ms = performance.now() - began;
      assert.ok(ms < 2_000, `${ms} ms`);
    }
  } finally {
    proxy.resume();
    await service.stop();
    proxy.close();
  }
});
