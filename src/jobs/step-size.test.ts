import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepSize } from './step-size.ts';

test('A failed step resets the step size to that of the first step', async () => {
  const pace = new StepSize();
  const first = pace.size;
  for (let count = 0; count < 10; count++) await pace.step(async () => false);
  assert.ok(pace.size > first, 'quick steps grow');
  const failing = pace.step(() => Promise.reject(new Error('out of memory')));
  await assert.rejects(failing, { message: 'out of memory' });
  assert.equal(pace.size, first);
});
