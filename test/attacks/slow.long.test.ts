import { describe, it } from 'node:test';
import { slowClients } from './proofs/slow.ts';

describe('Five thousand slow clients', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`are cut off within fifteen seconds on ${engine}, and others wait at most twice as long`, (test) =>
      slowClients(test, { engine, connections: 5_000, within: 15, isJudged: true }));
  }
});
