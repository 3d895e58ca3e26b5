import { describe, it } from 'node:test';
import { killWhileDeploying } from './proofs/deploy.ts';
import { killWhileImporting } from './proofs/import.ts';
import { killWhileMigrating } from './proofs/migration.ts';
import { killWhileRotating } from './proofs/rotation.ts';

describe('A service that is killed at work', { concurrency: true }, () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`goes on with an import on ${engine}`, (test) => killWhileImporting(test, { engine, rows: 2_000 }));
    it(`has deployed one version or the other on ${engine}`, (test) =>
      killWhileDeploying(test, { engine, rounds: 1 }));
    it(`has migrated wholly or not at all on ${engine}`, (test) =>
      killWhileMigrating(test, { engine, rounds: 1, calls: 10_000 }));
    it(`has sealed every secret with one key or the other on ${engine}`, (test) =>
      killWhileRotating(test, { engine, rounds: 3, channels: 250 }));
  }
});
