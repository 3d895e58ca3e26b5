import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeTool } from '../../src/features/mcp/mcp.server.ts';
import { tools } from '../../src/features/mcp/tools/index.ts';
import { describeApi, describeDashboard } from '../../src/wiring/documents.ts';
import { operationsOf } from '../kit/http/openapi.ts';
import { regexpProblem, schemaProblems, schemasIn } from '../kit/http/portable-schema.ts';
import type { Json } from '../kit/service/test-service.ts';

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));
const documents: Record<string, Json> = {
  'the API': asJson(describeApi({} as never)),
  'the dashboard': asJson(describeDashboard({} as never)),
};

describe('Published schemas for clients in other languages', () => {
  for (const [name, document] of [
    ...Object.entries(documents),
    ['the MCP tools', asJson(tools.map(describeTool))] as const,
  ]) {
    it(`Every schema of ${name} is an object with portable regular expressions`, () => {
      const schemas = schemasIn(document);
      assert.ok(schemas.length >= tools.length);
      assert.deepEqual(
        schemas.flatMap(([place, schema]) => schemaProblems(schema, place)),
        [],
      );
    });
  }

  it('The check of regular expressions finds what other languages do not have', () => {
    for (const pattern of [
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(?<!a)',
      '(?<n>a)',
      '(?i:a)',
      '\\p{L}',
      '(a)\\1',
      '[[a]',
      '\\u00e4',
      '\\-',
      'a',
      '\\cA',
      '\\bA',
    ])
      assert.equal(regexpProblem(pattern) === undefined, pattern === 'a', pattern);
    for (const pattern of ['^(?:a|b)+?$', '[^\\[\\]\\-\\s]{1,3}', '\\x7f\\/\\.', '[a-z-]', '^$'])
      assert.equal(regexpProblem(pattern), undefined, pattern);
    assert.deepEqual(schemaProblems({ properties: { a: false }, additionalProperties: false }), [
      '#/properties/a is false, not an object',
    ]);
  });

  for (const [name, document] of Object.entries(documents)) {
    it(`Every path parameter and header of ${name} that the service checks has a pattern, and every parameter a description`, () => {
      for (const [operation, { parameters = [], 'x-required-scopes': _, ...rest }] of operationsOf(
        document,
      )) {
        assert.match(rest.description ?? '', /\S/, operation);
        for (const { name, in: place, description, schema } of parameters) {
          assert.match(description ?? '', /\S/, `${operation} ${name}`);
          // A reader's If-None-Match is a hint: one that cannot be read is ignored.
          const isChecked =
            place === 'path' ||
            (place === 'header' && !(operation.startsWith('get ') && name === 'If-None-Match'));
          if (isChecked) assert.equal(typeof schema.pattern, 'string', `${operation} ${name}`);
        }
      }
    });
  }
});
