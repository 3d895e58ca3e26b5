import { describe, it } from 'node:test';
import { crowd, overload } from './proofs/overload.ts';

describe('Five times the capacity for thirty seconds', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    for (const kind of ['searches', 'writes', 'reads'] as const) {
      it(`leaves four fifths of the best rate of ${kind} on ${engine}`, (test) =>
        overload(test, { engine, kind, seconds: 30, connections: 4_000, contacts: 20_000, leastShare: 0.8 }));
    }
  }
});

describe('A crowd that can be served', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    for (const connections of [32, 256, 1_000]) {
      it(`of ${connections} connections is served on ${engine} without a 503`, (test) =>
        crowd(test, { engine, connections, seconds: 10 }));
    }
  }
});
