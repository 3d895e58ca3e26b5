import assert from 'node:assert/strict';
import { it } from 'node:test';
import { defaultThreads } from './serve-threads.ts';

const sqlite = { engine: 'sqlite', path: 'roster.db' } as const;
const postgres = (poolSize?: number) =>
  ({ engine: 'postgres', url: 'postgres://localhost/roster', ...(poolSize && { poolSize }) }) as const;
const linux = (cores: number) => ({ cores, platform: 'linux' }) as const;

it('By default there is one serving thread for each core but one, and at least one', () => {
  assert.equal(defaultThreads(sqlite, linux(1)), 1);
  assert.equal(defaultThreads(sqlite, linux(2)), 1);
  assert.equal(defaultThreads(sqlite, linux(8)), 7);
  assert.equal(defaultThreads(sqlite, linux(128)), 64);
});

it('On PostgreSQL each serving thread has at least four connections by default', () => {
  assert.equal(defaultThreads(postgres(), linux(16)), 3);
  assert.equal(defaultThreads(postgres(40), linux(16)), 10);
  assert.equal(defaultThreads(postgres(40), linux(4)), 3);
  assert.equal(defaultThreads(postgres(4), linux(16)), 1);
});

it('On a system that cannot share a port there is one serving thread by default', () => {
  assert.equal(defaultThreads(sqlite, { cores: 8, platform: 'darwin' }), 1);
  assert.equal(defaultThreads(sqlite, { cores: 8, platform: 'win32' }), 1);
});
