import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_BYTES, scriptSizes } from '../../dashboard/sizes.ts';

it('No page needs more than 150 kB of compressed script before it is shown', () => {
  for (const [page, bytes] of scriptSizes()) assert.ok(bytes <= MAX_BYTES, `${page}: ${bytes} bytes`);
});
