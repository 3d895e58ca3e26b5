import { describe, it } from 'node:test';
import { contend } from './proofs/contention.ts';

describe('Imports, deletes and other writes to the same contacts on PostgreSQL, repeated', () => {
  it('never deadlock', (test) => contend(test, { rows: 3_000, rounds: 3, deleters: 8, isQuiet: true }));
});
