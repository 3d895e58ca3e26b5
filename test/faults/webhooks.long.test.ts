import { describe, it } from 'node:test';
import { deliverUnderKills } from './proofs/webhooks.ts';

/* With the times of the service: a delivery that was in flight at a kill is repeated when its lease of 30 s ends. */
describe('Webhooks under writers and kills', () => {
  const load = { kills: 25, writers: 20, everyMs: 4_000, withinMs: 120_000 };
  it('Every change reaches the receiver, in order if the webhook is ordered, on SQLite', (test) =>
    deliverUnderKills(test, { engine: 'sqlite', instances: 1, ...load }));
  it('Every change reaches the receiver through two instances, in order if the webhook is ordered, on PostgreSQL', (test) =>
    deliverUnderKills(test, { engine: 'postgres', instances: 2, ...load }));
});
