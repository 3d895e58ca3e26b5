import { describe, it } from 'node:test';
import { slowClients } from './proofs/slow.ts';

describe('Clients that hold a connection and send or take next to nothing', () => {
  it('are cut off, and hold up nobody', (test) =>
    slowClients(test, { engine: 'sqlite', connections: 100, within: 20, isJudged: false }));
});
