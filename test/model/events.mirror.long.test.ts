import { it } from 'node:test';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';
import { compareMirror } from './events.mirror.ts';

const SEEDS = ['one', 'two', 'three', 'four'];

for (const engine of ['sqlite', 'postgres'] as const) {
  for (const seed of SEEDS) {
    it(`A copy that is built only from events equals the records after 1,500 changes on ${engine}, seed ${seed}`, async (test) => {
      const service = await serviceFor(test, await databaseFor(test, engine));
      test.diagnostic(JSON.stringify(await compareMirror(service, { operations: 1_500, seed })));
    });
  }
}
