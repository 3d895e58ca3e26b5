import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const SCRIPT = `import { writeContent } from ${JSON.stringify(new URL('./temp-file.ts', import.meta.url).href)};
await writeContent(process.argv[1], [Buffer.alloc(100_000)], 'the file').catch(({ message }) => console.log(message));`;

test('A write that stores only a part of the last chunk is an error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-temp-file-'));
  const command = 'ulimit -f 8; exec "$0" --input-type=module --eval "$1" "$2"';
  const { stdout } = await promisify(execFile)('/bin/sh', [
    ...['-c', command, process.execPath, SCRIPT],
    join(folder, 'file'),
  ]);
  rmSync(folder, { recursive: true });
  assert.equal(stdout, 'Cannot write to the file: the file has reached the maximum size.\n');
});
