import { describe, it } from 'node:test';
import { manyConnections, overload } from './proofs/overload.ts';

describe('Five times the capacity for thirty seconds', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    for (const kind of ['searches', 'writes', 'reads'] as const) {
      it(`Overload leaves four fifths of the best rate of ${kind} on ${engine}`, (test) =>
        overload(test, { engine, kind, seconds: 30, connections: 4_000, contacts: 20_000, minShare: 0.8 }));
    }
  }
});

describe('Many connections within the capacity', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    for (const connections of [32, 256, 1_000]) {
      it(`${connections} connections are served on ${engine} without a 503`, (test) =>
        manyConnections(test, { engine, connections, seconds: 10 }));
    }
  }
});
