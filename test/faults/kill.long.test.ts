import { describe, it } from 'node:test';
import { killWhileDeploying } from './proofs/deploy.ts';
import { killUnderWriters } from './proofs/kill.ts';
import { killWhileMigrating } from './proofs/migration.ts';
import { killWhileRotating } from './proofs/rotation.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 200);
const fewer = Math.ceil(rounds / 5);
/** As fast as after a kill of any service: without what earlier starts have compiled. */
const promised = { readyWithinMs: 2_000, environment: { NODE_COMPILE_CACHE: '' } };

describe('A service that is killed', () => {
  it('under fifty writers loses no answered write on SQLite', (test) =>
    killUnderWriters(test, { engine: 'sqlite', rounds, ...promised }));
  it('under fifty writers loses no answered write on PostgreSQL', (test) =>
    killUnderWriters(test, { engine: 'postgres', rounds: fewer, ...promised }));
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`has deployed one version or the other on ${engine}`, (test) =>
      killWhileDeploying(test, { engine, rounds: fewer }));
    it(`has migrated wholly or not at all on ${engine}`, (test) =>
      killWhileMigrating(test, { engine, rounds: fewer, calls: 300_000 }));
    it(`has sealed every secret with one key or the other on ${engine}`, (test) =>
      killWhileRotating(test, { engine, rounds: fewer, channels: 2_000 }));
  }
});
