import { describe, it } from 'node:test';
import { contend } from './proofs/contention.ts';

describe('Concurrent writes to the same contacts on PostgreSQL', () => {
  it('Imports, deletes and other writes to the same contacts never deadlock', (test) =>
    contend(test, { rows: 100, rounds: 1, deleters: 4, isIdle: false }));
});
