import { describe, it } from 'node:test';
import { overload } from './proofs/overload.ts';

// The long suite compares rates. Here other tests share the machine, and some successful searches are enough.
describe('Service at five times its capacity', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`An overloaded service answers some searches and all health checks on ${engine}`, (test) =>
      overload(test, { engine, kind: 'searches', seconds: 3, connections: 400, contacts: 5_000 }));
  }
});
