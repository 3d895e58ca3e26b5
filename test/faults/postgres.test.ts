import { describe, it } from 'node:test';
import { RELAXED } from '../kit/load/measurements.ts';
import { outages, surviveOutages } from './proofs/postgres.ts';

describe('PostgreSQL outages', () => {
  it('The service loses no write and reconnects after PostgreSQL is stopped, killed or disconnected', (test) =>
    surviveOutages(test, RELAXED, [
      // The health check notices a stopped server after at most 3.05 s.
      outages.stopped(4_000),
      outages.killed(500),
      outages.ended(500),
      outages.forgotten(),
      outages.cut(500),
    ]));
});
