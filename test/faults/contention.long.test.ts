import { describe, it } from 'node:test';
import { contend } from './proofs/contention.ts';

describe('Repeated concurrent writes to the same contacts on PostgreSQL', () => {
  it('Repeated imports, deletes and other writes to the same contacts never deadlock', (test) =>
    contend(test, { rows: 3_000, rounds: 3, deleters: 8, isIdle: true }));
});
