import { describe, it } from 'node:test';
import { deliverUnderKills } from './proofs/webhooks.ts';

describe('Webhooks of a service that is killed', () => {
  it('A service killed under writers delivers every change, and repeats only what was in flight', (test) =>
    deliverUnderKills(test, {
      engine: 'sqlite',
      instances: 1,
      kills: 2,
      writers: 5,
      everyMs: 500,
      endsLeases: true,
      withinMs: 60_000,
    }));
});
