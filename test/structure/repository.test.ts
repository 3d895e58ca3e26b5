import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { describe, it } from 'node:test';

const MAX_BYTES = 2_000_000;

describe('Repository', () => {
  it('No tracked file is a build result: none has more than two megabytes', (test) => {
    const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { encoding: 'utf8' });
    if (status !== 0) return test.skip('needs a git checkout');
    const large = stdout
      .split('\0')
      .filter((path) => path && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES);
    assert.deepEqual(large, []);
  });
});
