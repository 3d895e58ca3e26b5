import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultTiming, retryDelay } from './webhook.timing.ts';

const seconds = (random: number, retryAfterMs?: number) =>
  Array.from({ length: 8 }, (_, at) => retryDelay(defaultTiming, at + 1, retryAfterMs, () => random)).map(
    (ms) => ms && Math.round(ms / 1_000),
  );

test('A delivery is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then has failed', () => {
  assert.deepEqual(seconds(0.5), [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, undefined]);
});

test('A delay varies by ten percent in both directions', () => {
  assert.equal(
    retryDelay(defaultTiming, 2, 0, () => 0),
    270_000,
  );
  assert.equal(
    retryDelay(defaultTiming, 2, 0, () => 1),
    330_000,
  );
});

test('Retry-After lengthens a delay and never shortens it', () => {
  assert.equal(retryDelay(defaultTiming, 1, 60_000), 60_000);
  assert.equal(
    retryDelay(defaultTiming, 2, 60_000, () => 0.5),
    300_000,
  );
  assert.equal(retryDelay(defaultTiming, 8, 60_000), undefined);
});
