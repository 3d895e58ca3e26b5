import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assertValidHtml,
  captures,
  codeBlocksOf,
  sectionOf,
  tableOf,
  tagsOf,
} from '../../../../test/kit/http/html.ts';
import type { Json } from '../../../../test/kit/service/test-service.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { referencePage } from './page.ts';

const documentOf = (paths: Json, schemas: Json = {}): OpenApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'Sample', version: '1.0.0', description: 'A sample.' },
  servers: [{ url: '/' }, { url: '/api', description: '' }],
  security: [{ key: [] }],
  paths,
  components: { schemas, securitySchemes: { key: { type: 'http', scheme: 'bearer', description: '' } } },
});

const posting = (schema: Json, schemas?: Json): OpenApiDocument =>
  documentOf(
    {
      '/v1/things': {
        post: {
          tags: ['Things'],
          summary: 'Make',
          requestBody: { content: { 'application/json': { schema } } },
        },
      },
    },
    schemas,
  );

describe('referencePage', () => {
  it('The reference page escapes every value of the document', () => {
    const written = (text: string) => {
      const schema = {
        type: 'object',
        required: [text],
        properties: {
          [text]: {
            type: 'string',
            description: text,
            enum: [text, `${text}2`],
            pattern: text,
            default: text,
          },
          inner: { type: 'object', properties: { [text]: { type: text, examples: [text] } } },
          fixed: { const: text },
        },
      };
      const content = { 'application/json': { schema } };
      const document = documentOf({
        [`/v1/${text}/{id}`]: {
          post: {
            tags: [text],
            summary: text,
            description: text,
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
              {
                name: text,
                in: 'query',
                required: true,
                description: text,
                schema: { type: text, default: text },
              },
            ],
            requestBody: { content },
            responses: {
              201: { description: text, headers: { [text]: { description: text } }, content },
              418: { description: text },
              [text]: { description: text },
            },
          },
        },
      });
      document.info = { title: text, version: text, description: text };
      return referencePage(document);
    };
    const hostile = written(`"'><script>alert(1)<b>&amp;`);
    assertValidHtml(hostile);
    assert.deepEqual(tagsOf(hostile), tagsOf(written('harmless')));
    assert.doesNotMatch(hostile, /<script|<b>/);
    assert.ok(
      hostile.includes(
        '<title>&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;b&gt;&amp;amp; API reference</title>',
      ),
    );
  });

  it('The reference page quotes a body for the shell', () => {
    const page = referencePage(
      posting({ type: 'object', properties: { word: { type: 'string', examples: ["it's"] } } }),
    );
    const [command = ''] = codeBlocksOf(sectionOf(page, 'Make'));
    assert.ok(command.endsWith(`-d '{\n    "word": "it'\\''s"\n  }'`), command);
  });

  it('The reference page resolves references, alternatives, nulls, lists and maps', () => {
    const page = referencePage(
      posting(
        { $ref: '#/components/schemas/Thing' },
        {
          Thing: {
            allOf: [{ $ref: '#/components/schemas/Named' }, { type: 'object', required: ['kind'] }],
            properties: {
              kind: { enum: ['a', 'b'] },
              owner: {
                description: 'Who has it.',
                oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Named' }],
              },
              amount: {
                anyOf: [
                  { type: 'integer', minimum: 3 },
                  { type: 'string', maxLength: 1 },
                ],
              },
              parts: {
                type: 'array',
                items: { $ref: '#/components/schemas/Named' },
                minItems: 2,
                maxItems: 2,
              },
              marks: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
              lost: { $ref: '#/components/schemas/Missing' },
            },
          },
          Named: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string', minLength: 1 } },
          },
        },
      ),
    );
    const name = ['string', 'At least 1 character.'];
    assert.deepEqual(tableOf(page, 'Make: body'), [
      ['name required', ...name],
      ['kind required', 'string', 'One of a, b.'],
      ['owner', 'object or null', 'Who has it.'],
      ['owner.name required', ...name],
      ['amount', 'integer or string', 'At least 3; at most 1 character.'],
      ['parts', 'array of object', 'Exactly 2 items.'],
      ['parts[].name required', ...name],
      ['marks', 'map of number', ''],
      ['lost', 'any', ''],
    ]);
    const [command = ''] = codeBlocksOf(sectionOf(page, 'Make'));
    assert.deepEqual(JSON.parse(command.split("-d '")[1]?.slice(0, -1) ?? ''), {
      name: 'Front desk',
      kind: 'a',
      owner: { name: 'Front desk' },
      amount: 3,
      parts: [{ name: 'Front desk' }],
      marks: { key: 1 },
      lost: null,
    });
  });

  it('Alternatives have their fields merged and require only those that all require', () => {
    const card = {
      type: 'object',
      required: ['kind', 'number'],
      properties: { kind: { const: 'card' }, number: {} },
    };
    const cash = { type: 'object', required: ['kind'], properties: { kind: { const: 'cash' }, number: {} } };
    const page = referencePage(posting({ oneOf: [card, cash] }));
    assert.deepEqual(tableOf(page, 'Make: body'), [
      ['kind required', 'string', 'Always card; always cash.'],
      ['number', 'any', ''],
    ]);
  });

  it('A recursive schema is rendered without an endless loop', () => {
    const Tree = {
      type: 'object',
      properties: {
        label: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        parent: { $ref: '#/components/schemas/Tree' },
      },
    };
    const Named = { properties: { name: { type: 'string' } } };
    const Branch = {
      allOf: [{ $ref: '#/components/schemas/Named' }],
      properties: { twigs: { type: 'array', items: { $ref: '#/components/schemas/Branch' } } },
    };
    const Loop = { $ref: '#/components/schemas/Loop' };
    const examples: Record<string, unknown> = {};
    const linesOf = (name: string) => {
      const page = referencePage(
        posting(
          { properties: { it: { $ref: `#/components/schemas/${name}` } } },
          { Tree, Named, Branch, Loop },
        ),
      );
      const [command = ''] = codeBlocksOf(sectionOf(page, 'Make'));
      examples[name] = JSON.parse(command.split("-d '")[1]?.slice(0, -1) ?? '').it;
      return tableOf(page, 'Make: body').map(([field, type]) => `${field} ${type}`);
    };
    assert.deepEqual(linesOf('Tree'), [
      'it object',
      'it.label string',
      'it.children array of object',
      'it.parent object',
    ]);
    assert.deepEqual(linesOf('Branch'), ['it object', 'it.name string', 'it.twigs array of object']);
    assert.deepEqual(linesOf('Loop'), ['it any']);
    assert.deepEqual(examples, {
      Tree: { label: 'text', children: [], parent: {} },
      Branch: { name: 'Front desk', twigs: [] },
      Loop: null,
    });
  });

  it('Operations with the same name get different anchors', () => {
    const operation = { tags: ['Errors'], summary: 'Errors' };
    const page = referencePage(
      documentOf({ '/v1/a': { get: operation, post: operation }, '/v1/b': { get: {} } }),
    );
    assertValidHtml(page);
    assert.deepEqual(captures(page, /<h3 id="([^"]*)"/g), ['errors-3', 'errors-4', 'get-v1-b']);
  });

  it('Examples send a key only if required, and read bodies other than JSON from a file', () => {
    const page = referencePage(
      documentOf({
        '/v1/import': {
          post: { summary: 'Import', security: [], requestBody: { content: { 'text/csv': {} } } },
        },
      }),
    );
    assert.deepEqual(codeBlocksOf(sectionOf(page, 'Import')), [
      'curl "$ROSTER_URL/v1/import" \\\n  -H "Content-Type: text/csv" \\\n  --data-binary @file.csv',
    ]);
  });
});
