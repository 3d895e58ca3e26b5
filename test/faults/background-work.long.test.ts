import { describe, it } from 'node:test';
import { killWhileDeploying } from './proofs/deploy.ts';
import { delayByLongJobs } from './proofs/fairness.ts';
import { killWhileImporting } from './proofs/import.ts';
import { killWhileMigrating } from './proofs/migration.ts';
import { killWhileRotating } from './proofs/rotation.ts';

describe('Service killed during background work', { concurrency: true }, () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`A killed service resumes an import on ${engine}`, (test) =>
      killWhileImporting(test, { engine, rows: 2_000 }));
    it(`A service killed during a deploy has either the old or the new version deployed on ${engine}`, (test) =>
      killWhileDeploying(test, { engine, rounds: 1 }));
    it(`A migration that is killed is applied completely or not at all on ${engine}`, (test) =>
      killWhileMigrating(test, { engine, rounds: 1, calls: 10_000 }));
    it(`A key rotation that is killed leaves all secrets encrypted with one key on ${engine}`, (test) =>
      killWhileRotating(test, { engine, rounds: 3, channels: 250 }));
  }
});

describe('Background work of several workspaces', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`A hundred long jobs of a workspace delay the work of another one by at most 2 s with two instances on ${engine}`, (test) =>
      delayByLongJobs(test, engine));
  }
});
