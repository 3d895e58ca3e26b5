import { describe, it } from 'node:test';
import { jumpClock } from './proofs/clock.ts';

describe('Clock jumps of a year', { concurrency: true }, () => {
  it('A jumping clock changes no order and delays no job on SQLite', (test) => jumpClock(test, 'sqlite'));
  it('A jumping clock changes no order and delays no job on PostgreSQL', (test) =>
    jumpClock(test, 'postgres'));
});
