import { it } from 'node:test';
import fc from 'fast-check';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { type Command, commands } from './commands.ts';
import { Model } from './model.ts';
import { runCommand } from './run.ts';

/** FC_RUNS sets the number of sequences; without it the test runs for a given time. FC_SEED and FC_PATH, which a
 *  failure prints as seed and path, repeat one. */
const RUNS = process.env.FC_RUNS ? Number(process.env.FC_RUNS) : undefined;
const SHRINK_MS = 40_000;
const REPEAT = {
  ...(process.env.FC_SEED && { seed: Number(process.env.FC_SEED) }),
  ...(process.env.FC_PATH && { path: process.env.FC_PATH }),
};

/** Reads everything at the end, so that no difference is missed. */
const FINAL_READS: Command[] = (['contacts', 'agents'] as const).flatMap((resource) => {
  const look = { resource, prefix: '/v1', body: {}, query: {} } as const;
  const each = Array.from({ length: 10 }, (_, place): Command => {
    return { ...look, call: 'get', target: { kind: 'token', place } };
  });
  return [{ ...look, call: 'list', target: { kind: 'unknown', place: 0 } }, ...each];
});

export const compareWithModel = (runMs: number): void =>
  onEveryEngine('Model-based test', (service) => {
    it('An in-memory model and the service agree on every response to random sequences of calls', {
      timeout: RUNS ? 3_600_000 : 110_000,
    }, async () => {
      // A failure is shrunk for a limited time, then reported.
      let end = RUNS ? Number.POSITIVE_INFINITY : performance.now() + runMs;
      const storage = await openTestStorage(service.database);
      let differs = false;
      const checked = fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          if (performance.now() > end) return;
          const { key } = await makeWorkspace(storage);
          const model = new Model();
          try {
            for (const command of [...sequence, ...FINAL_READS])
              await runCommand(service, model, command, key);
          } catch (error) {
            if (!differs) end = performance.now() + SHRINK_MS;
            differs = true;
            throw error;
          }
        }),
        { numRuns: RUNS ?? 2_000, ...REPEAT },
      );
      await checked.finally(() => storage.close());
    });
  });
