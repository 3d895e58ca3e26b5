import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('Every response takes its headers from responseHead', () => {
  const files = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] });
  const setting = files.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const heads = [...source.matchAll(/\.(?:writeHead|setHeaders?|appendHeader)\(([^)]*)/g)];
    return heads
      .filter(([, args]) => !/responseHead|#headOf/.test(args as string))
      .map(([call]) => `${file}: ${call}`);
  });
  assert.ok(files.length > 200);
  assert.deepEqual(setting, []);
});
