import { describe, it } from 'node:test';
import { overload } from './proofs/overload.ts';

describe('Five times the capacity', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`leaves half of the searches on ${engine}, and the service alive`, (test) =>
      overload(test, { engine, kind: 'searches', seconds: 3, connections: 400, kept: 0.5 }));
  }
});
