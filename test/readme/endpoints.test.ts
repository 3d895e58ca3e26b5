import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { operationsOf } from '../kit/http/openapi.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** One row for each operation under `/v1`. */
const expectedRows = (): string[] =>
  [...operationsOf(JSON.parse(read('docs/openapi.json')))]
    .filter(([name]) => name.includes(' /v1/'))
    .map(([name, { 'x-required-scopes': scopes, summary }]) => {
      const [method = '', path = ''] = name.split(' ');
      const listed = scopes.map((scope: string) => `\`${scope}\``).join(', ');
      return `| \`${method.toUpperCase()} ${path.replace('/v1', '')}\` | ${listed} | ${summary} |`;
    });

test('docs/openapi.md lists every endpoint with its scopes', () => {
  const rows = read('docs/openapi.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  assert.deepEqual(rows, expectedRows());
});
