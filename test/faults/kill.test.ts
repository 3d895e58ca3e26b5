import { describe, it } from 'node:test';
import { killUnderWriters } from './proofs/kill.ts';

describe('Service killed under fifty writers', () => {
  it('A service killed under fifty writers loses no acknowledged write on SQLite', (test) =>
    killUnderWriters(test, { engine: 'sqlite', rounds: 2, readyWithinMs: 30_000 }));
  it('A service killed under fifty writers loses no acknowledged write on PostgreSQL', (test) =>
    killUnderWriters(test, { engine: 'postgres', rounds: 1, readyWithinMs: 30_000 }));
});
