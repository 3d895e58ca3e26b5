import { describe, it } from 'node:test';
import { manyConnections, overload } from './proofs/overload.ts';

/** Four of five writes are rejected. On PostgreSQL, four rejections take nearly half the time of a write (docs/reliability.md). */
const minShareOf = (engine: string, kind: string) => (engine === 'postgres' && kind === 'writes' ? 0.4 : 0.8);

describe('Five times the capacity for thirty seconds', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    for (const kind of ['searches', 'writes', 'reads'] as const) {
      const minShare = minShareOf(engine, kind);
      it(`Overload leaves ${minShare} of the best rate of ${kind} on ${engine}`, (test) =>
        overload(test, { engine, kind, seconds: 30, connections: 4_000, contacts: 20_000, minShare }));
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
