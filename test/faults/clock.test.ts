import { describe, it } from 'node:test';
import { jumpClock } from './proofs/clock.ts';

describe('A clock that jumps a year back and forth', { concurrency: true }, () => {
  it('changes no order and holds up no work on SQLite', (test) => jumpClock(test, 'sqlite'));
  it('changes no order and holds up no work on PostgreSQL', (test) => jumpClock(test, 'postgres'));
});
