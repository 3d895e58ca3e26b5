import { describe, it } from 'node:test';
import { PROMISED } from '../kit/load/measurements.ts';
import { outages, surviveOutages } from './proofs/postgres.ts';

const times = Number(process.env.OUTAGES ?? 3);

describe('PostgreSQL outages', () => {
  it('No acknowledged write is lost while PostgreSQL is stopped or unreachable for thirty seconds', (test) =>
    surviveOutages(test, PROMISED, [outages.stopped(30_000), outages.swallowed(30_000)]));
  for (let time = 1; time <= times; time++) {
    it(`No acknowledged write is lost when PostgreSQL is killed or its connections break, run ${time}`, (test) =>
      surviveOutages(test, PROMISED, [
        outages.killed(3_000),
        outages.ended(10_000),
        outages.cut(10_000),
        outages.forgotten(),
      ]));
  }
});
