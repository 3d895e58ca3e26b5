import { describe, it } from 'node:test';
import { crowd, overload } from './proofs/overload.ts';

describe('Five times the capacity', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`leaves half of the searches on ${engine}, and the service alive`, (test) =>
      overload(test, { engine, kind: 'searches', seconds: 6, connections: 400, kept: 0.5 }));
  }
});

describe('A crowd that can be served', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`is served on ${engine}, nobody turned away`, (test) =>
      crowd(test, { engine, connections: 128, seconds: 3 }));
  }
});
