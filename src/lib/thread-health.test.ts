import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { newPulse, watchPulse } from './thread-health.ts';

const MODULE = new URL('./thread-health.ts', import.meta.url).href;

/** Starts a thread that beats once and then does some work forever. Resolves with the first times of a long silence. */
const silenceOf = async (work: string): Promise<{ silentMs: number; blockedMs: number }> => {
  const pulse = newPulse();
  const script = `import('${MODULE}').then(({ startBeating }) => {
    startBeating(require('node:worker_threads').workerData);
    ${work}
  })`;
  const worker = new Worker(script, { eval: true, workerData: pulse });
  const { promise, resolve } = Promise.withResolvers<{ silentMs: number; blockedMs: number }>();
  const timer = watchPulse(pulse, (silentMs, blockedMs) => {
    if (silentMs >= 1_500) resolve({ silentMs, blockedMs });
  });
  const times = await promise;
  clearInterval(timer);
  await worker.terminate();
  return times;
};

test('A thread that computes without turning its event loop is silent, but not blocked', async () => {
  const { silentMs, blockedMs } = await silenceOf('for (;;);');
  assert.ok(blockedMs < silentMs - 500, `${blockedMs} of ${silentMs} ms`);
});

test('A thread that waits is blocked from the second tick on', async () => {
  const { silentMs, blockedMs } = await silenceOf(
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
  );
  assert.equal(blockedMs, silentMs - 500);
});
