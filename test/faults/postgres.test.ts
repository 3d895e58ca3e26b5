import { describe, it } from 'node:test';
import { WIDE } from '../kit/figures.ts';
import { outages, outlast } from './proofs/postgres.ts';

describe('A PostgreSQL', () => {
  it('that is stopped, killed, cut off or forgotten loses nothing and is found again', (test) =>
    outlast(test, WIDE, [
      outages.stopped(3_000),
      outages.killed(500),
      outages.ended(500),
      outages.forgotten(),
      outages.cut(500),
    ]));
});
