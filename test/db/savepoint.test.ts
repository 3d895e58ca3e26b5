import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Db } from '../../src/db/db.ts';
import { write } from '../../src/db/operation.ts';
import { createAgent } from '../../src/features/agents/agent.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import { ApiError } from '../../src/lib/errors.ts';
import { engines } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

const conflict = new ApiError('CONFLICT', 'no');

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(`Savepoints on ${engine}`, () => {
    it('A savepoint that throws is rolled back alone; otherwise it commits with the transaction', async (test) => {
      const database = await databaseFor(test, engine);
      const storage = await storageFor(test, database);
      const { principal } = await makeWorkspace(storage);
      const make = (name: string) => (db: Db, who: Principal, _: null) =>
        createAgent(db, who, { name, instructions: '' });
      const work = write('work', async (db, who, isFatal: boolean) => {
        await make(`before ${isFatal}`)(db, who, null);
        await db.savepoint(() => make(`kept ${isFatal}`)(db, who, null));
        const failing = db.savepoint(async () => {
          await make(`undone ${isFatal}`)(db, who, null);
          throw conflict;
        });
        if (isFatal) return failing;
        await assert.rejects(failing, conflict);
        return make(`after ${isFatal}`)(db, who, null);
      });
      await storage.run(work, principal, false);
      await assert.rejects(storage.run(work, principal, true), conflict);
      const names = (await database.query('select name from agents order by seq')).map(({ name }) => name);
      assert.deepEqual(names, ['before false', 'kept false', 'after false']);
    });
  });
}
