import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { operationNamed } from '../../src/db/operation.ts';
import '../../src/wiring/operations.ts';

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));

const names = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/[=:] (?:read|longRead|write|importStep)\(\s*'([a-z]\w+)',/g)].map(
    ([, name]) => name as string,
  ),
);

test('A database thread finds every operation by its name, which no other operation has', () => {
  assert.ok(names.length > 150, `${names.length} operations`);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
  for (const name of names) operationNamed(name);
});
