import { describe, it } from 'node:test';
import { RELAXED } from '../kit/load/measurements.ts';
import { outages, surviveOutages } from './proofs/postgres.ts';

describe('PostgreSQL outages', () => {
  it('The service loses no write and reconnects after PostgreSQL is stopped, killed or disconnected', (test) =>
    surviveOutages(test, RELAXED, [
      outages.stopped(3_000),
      outages.killed(500),
      outages.ended(500),
      outages.forgotten(),
      outages.cut(500),
    ]));
});
