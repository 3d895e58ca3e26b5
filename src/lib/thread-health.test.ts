import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { newPulse, type Pulse, resetPulse, watchPulse } from './thread-health.ts';

const MODULE = new URL('./thread-health.ts', import.meta.url).href;

/** Why the system does not tell whether a thread runs. */
const notCounted = () => {
  try {
    return readFileSync('/proc/self/schedstat', 'utf8').startsWith('0 0 0') && 'the scheduler does not count';
  } catch {
    return 'the system has no /proc/self/schedstat';
  }
};

/** Starts a thread that beats once and then does some work forever. */
const start = (pulse: Pulse, work: string): Worker => {
  const script = `import('${MODULE}').then(({ startBeating }) => {
    const pulse = require('node:worker_threads').workerData;
    startBeating(pulse);
    ${work}
  })`;
  return new Worker(script, { eval: true, workerData: pulse });
};

/** Resolves with the first times of at least a silence. */
const timesOf = (pulse: Pulse, atLeastMs: number) => {
  const { promise, resolve } = Promise.withResolvers<{ silentMs: number; blockedMs: number }>();
  const timer = watchPulse(pulse, (silentMs, blockedMs) => {
    if (silentMs >= atLeastMs) resolve({ silentMs, blockedMs });
  });
  return promise.finally(() => clearInterval(timer));
};

const silenceOf = async (work: string) => {
  const pulse = newPulse();
  const worker = start(pulse, work);
  const times = await timesOf(pulse, 1_500);
  await worker.terminate();
  return times;
};

const WAIT = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

test('A thread that computes without turning its event loop is silent, but not blocked', {
  skip: notCounted(),
}, async () => {
  const { silentMs, blockedMs } = await silenceOf('for (;;);');
  assert.ok(blockedMs < silentMs - 500, `${blockedMs} of ${silentMs} ms`);
});

test('A thread that waits is blocked from the second tick on', async () => {
  const { silentMs, blockedMs } = await silenceOf(WAIT);
  assert.equal(blockedMs, silentMs - 500);
});

test('A silent thread counts as blocked where the system does not tell whether it runs', async () => {
  const { silentMs, blockedMs } = await silenceOf('Atomics.store(pulse, 1, -1); for (;;);');
  assert.equal(blockedMs, silentMs - 500);
});

test('The silence of a thread that stopped after its first beat does not count for the next one', async () => {
  const pulse = newPulse();
  const first = start(pulse, WAIT);
  const seen: number[] = [];
  const next = Promise.withResolvers<void>();
  let isReplaced = false;
  const timer = watchPulse(pulse, (silentMs) => {
    if (isReplaced && seen.push(silentMs) === 2) next.resolve();
  });
  await timesOf(pulse, 1_000);
  await first.terminate();
  resetPulse(pulse);
  isReplaced = true;
  const second = start(pulse, WAIT);
  await next.promise;
  clearInterval(timer);
  await second.terminate();
  assert.deepEqual(seen, [0, 500]);
});
