import { describe, it } from 'node:test';
import { slowClients, slowTlsClients } from './proofs/slow.ts';

describe('Five thousand slow clients', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`Slow clients are cut off within fifteen seconds on ${engine}, and others wait at most 40 ms`, (test) =>
      slowClients(test, { engine, connections: 5_000, within: 15, isAsserted: true }));
  }

  it('Slow clients are cut off within fifteen seconds over TLS and do not delay a stop', (test) =>
    slowTlsClients(test, { connections: 5_000, within: 15, isAsserted: true }));
});
