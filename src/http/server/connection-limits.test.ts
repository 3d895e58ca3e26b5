import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectionLimits } from './connection-limits.ts';

describe('Connection limit', () => {
  it('The connection limit is below the file limit and leaves room for the database', () => {
    for (const files of [64, 256, 1_024, 4_096, 20_000, 1_048_576]) {
      const { served, rejected } = connectionLimits(1, files);
      assert.ok(served > 0 && rejected > 0);
      assert.ok(
        files - served - rejected >= Math.min(256, files / 2),
        `${served} and ${rejected} of ${files}`,
      );
    }
  });

  it('The connection limit has its own maximum if files are unlimited', () => {
    assert.deepEqual(connectionLimits(1, Number.POSITIVE_INFINITY), { served: 16_384, rejected: 1_024 });
  });
});
