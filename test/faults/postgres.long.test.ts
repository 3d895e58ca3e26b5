import { describe, it } from 'node:test';
import { PROMISED } from '../kit/figures.ts';
import { outages, outlast } from './proofs/postgres.ts';

const times = Number(process.env.OUTAGES ?? 3);

describe('A PostgreSQL that goes away', () => {
  it('for thirty seconds, stopped or unreachable', (test) =>
    outlast(test, PROMISED, [outages.stopped(30_000), outages.swallowed(30_000)]));
  for (let time = 1; time <= times; time++) {
    it(`killed, cut off or forgotten, time ${time}`, (test) =>
      outlast(test, PROMISED, [
        outages.killed(3_000),
        outages.ended(10_000),
        outages.cut(10_000),
        outages.forgotten(),
      ]));
  }
});
