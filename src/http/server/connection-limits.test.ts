import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectionLimits } from './connection-limits.ts';

describe('The number of connections', () => {
  it('stays below the number of files, with room for those of the database', () => {
    for (const files of [64, 256, 1_024, 4_096, 20_000, 1_048_576]) {
      const { served, rejected } = connectionLimits(files);
      assert.ok(served > 0 && rejected > 0);
      assert.ok(
        files - served - rejected >= Math.min(256, files / 2),
        `${served} and ${rejected} of ${files}`,
      );
    }
  });

  it('has a bound of its own where files have none', () => {
    assert.deepEqual(connectionLimits(Number.POSITIVE_INFINITY), { served: 16_384, rejected: 1_024 });
  });
});
