import { describe, it } from 'node:test';
import { overload } from './proofs/overload.ts';

// The long form judges how much is left. Here other tests share the machine: some searches must still be answered.
describe('A service at five times its capacity', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`still answers searches on ${engine}, and its health checks`, (test) =>
      overload(test, { engine, kind: 'searches', seconds: 3, connections: 400, kept: 0.01 }));
  }
});
