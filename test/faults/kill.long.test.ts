import { describe, it } from 'node:test';
import { killWhileDeploying } from './proofs/deploy.ts';
import { killUnderWriters } from './proofs/kill.ts';
import { killWhileMigrating } from './proofs/migration.ts';
import { killWhileRotating } from './proofs/rotation.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 200);
const fewer = Math.ceil(rounds / 5);
/** Without the compile cache of earlier starts. */
const promised = { readyWithinMs: 2_000, environment: { NODE_COMPILE_CACHE: '' } };

describe('Killed service', () => {
  it('A service killed under fifty writers loses no acknowledged write on SQLite', (test) =>
    killUnderWriters(test, { engine: 'sqlite', rounds, ...promised }));
  it('A service killed under fifty writers loses no acknowledged write on PostgreSQL', (test) =>
    killUnderWriters(test, { engine: 'postgres', rounds: fewer, ...promised }));
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`A service killed during a deploy has either the old or the new version deployed on ${engine}`, (test) =>
      killWhileDeploying(test, { engine, rounds: fewer }));
    it(`A migration that is killed is applied completely or not at all on ${engine}`, (test) =>
      killWhileMigrating(test, { engine, rounds: fewer, calls: 300_000 }));
    it(`A key rotation that is killed leaves all secrets encrypted with one key on ${engine}`, (test) =>
      killWhileRotating(test, { engine, rounds: fewer, channels: 2_000 }));
  }
});
