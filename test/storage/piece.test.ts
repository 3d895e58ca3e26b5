import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Operation } from '../../src/db/storage.ts';
import { createAgent } from '../../src/features/agents/agent.service.ts';
import { ApiError } from '../../src/lib/errors.ts';
import { engines } from '../kit/engines.ts';
import { holdDatabase, holdStorage } from '../kit/held.ts';
import { makeWorkspace } from '../kit/workspaces.ts';

const conflict = new ApiError('CONFLICT', 'no');

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(`A piece of a transaction on ${engine}`, () => {
    it('is undone alone when it throws, and the rest is kept; otherwise it is kept with the rest', async (test) => {
      const database = await holdDatabase(test, engine);
      const storage = await holdStorage(test, database);
      const { principal } = await makeWorkspace(storage);
      const make =
        (name: string): Operation =>
        (db, who) =>
          createAgent(db, who, { name, instructions: '' });
      const work: Operation = async (db, who, isFatal: boolean) => {
        await make(`before ${isFatal}`)(db, who, null);
        await db.piece(() => make(`kept ${isFatal}`)(db, who, null));
        const failing = db.piece(async () => {
          await make(`undone ${isFatal}`)(db, who, null);
          throw conflict;
        });
        if (isFatal) return failing;
        await assert.rejects(failing, conflict);
        return make(`after ${isFatal}`)(db, who, null);
      };
      await storage.write(work, principal, false);
      await assert.rejects(storage.write(work, principal, true), conflict);
      const names = (await database.query('select name from agents order by seq')).map(({ name }) => name);
      assert.deepEqual(names, ['before false', 'kept false', 'after false']);
    });
  });
}
