import { describe, it } from 'node:test';
import { contendForEvents, followUnderKills } from './proofs/events.ts';

describe('Feed of events under fifty writers and kills', () => {
  it('A reader sees every committed change once and in order on SQLite', (test) =>
    followUnderKills(test, { engine: 'sqlite', instances: 1, kills: 25 }));
  it('A reader of two instances sees every committed change once and in order on PostgreSQL', (test) =>
    followUnderKills(test, { engine: 'postgres', instances: 2, kills: 25 }));
  it('Erasing, sequencing and expiring events concurrently never deadlock', (test) =>
    contendForEvents(test, { ms: 60_000 }));
});
