import { describe, it } from 'node:test';
import { killUnderWriters } from './proofs/kill.ts';

describe('A service that is killed under fifty writers', () => {
  it('loses no answered write on SQLite', (test) =>
    killUnderWriters(test, { engine: 'sqlite', rounds: 2, readyWithinMs: 30_000 }));
  it('loses no answered write on PostgreSQL', (test) =>
    killUnderWriters(test, { engine: 'postgres', rounds: 1, readyWithinMs: 30_000 }));
});
