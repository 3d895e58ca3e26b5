import { describe, it } from 'node:test';
import { killUnderDialers } from './proofs/claims.ts';

describe('Service killed under dialers', () => {
  it('A service killed under dialers hands out every contact, each to one dialer, on SQLite', () =>
    killUnderDialers('sqlite', 2));
  it('A service killed under dialers hands out every contact, each to one dialer, on PostgreSQL', () =>
    killUnderDialers('postgres', 2));
});
