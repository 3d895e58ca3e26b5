import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_BYTES, MAX_FILES, pageScripts } from '../../dashboard/sizes.ts';

it('No page needs more than 162 kB of compressed script or 9 files of it before it is shown', () => {
  for (const { page, files, bytes } of pageScripts()) {
    assert.ok(bytes <= MAX_BYTES, `${page}: ${bytes} bytes`);
    assert.ok(files <= MAX_FILES, `${page}: ${files} files`);
  }
});
