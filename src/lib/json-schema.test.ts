import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { mismatches, schemaProblems } from './json-schema.ts';

const fieldsOf = (schema: unknown) => schemaProblems(schema, 'schema').map(({ field }) => field);

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

describe('JSON Schemas of callers', () => {
  it('A fault is named by its path', () => {
    assert.deepEqual(fieldsOf({ properties: { 'a/b~c': { type: 'text' } } }), [
      'schema/properties/a~1b~0c/type',
    ]);
    assert.deepEqual(fieldsOf({ anyOf: [] }), ['schema/anyOf']);
    assert.deepEqual(fieldsOf({ items: [{}] }), ['schema/items']);
    assert.deepEqual(fieldsOf({ required: ['a', 'a'], minLength: -1, multipleOf: 0 }), [
      'schema/required',
      'schema/minLength',
      'schema/multipleOf',
    ]);
    assert.deepEqual(fieldsOf({ $schema: 'http://json-schema.org/draft-07/schema#' }), ['schema/$schema']);
    assert.deepEqual(fieldsOf({ $schema: DRAFT, $id: 'https://a.example/s', title: 'T', 'x-y': [1] }), []);
    assert.deepEqual(fieldsOf({ $dynamicRef: '#a', properties: { b: { $id: 'https://b.example' } } }), [
      'schema/$dynamicRef',
      'schema/properties/b/$id',
    ]);
  });

  it('References stay within the schema', () => {
    assert.deepEqual(schemaProblems({ $ref: 'https://evil.example/schema' }, 'schema'), [
      { field: 'schema/$ref', message: 'must start with #. Schemas are never downloaded.' },
    ]);
    assert.deepEqual(fieldsOf({ $ref: '#/$defs/none' }), ['schema/$ref']);
    assert.deepEqual(fieldsOf({ $ref: '#/x', x: {} }), ['schema/$ref'], 'an unknown keyword has no schemas');
    assert.deepEqual(
      fieldsOf({
        $defs: { 'a b': {}, c: { $anchor: 'c' } },
        allOf: [{ $ref: '#/$defs/a%20b' }, { $ref: '#c' }],
      }),
      [],
    );
  });

  it('The meta-schema and we agree about every form of a keyword', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const names =
      'not if items additionalProperties propertyNames contains unevaluatedItems allOf anyOf prefixItems $defs properties dependentSchemas maxLength minItems maximum multipleOf uniqueItems required dependentRequired type enum const default'.split(
        ' ',
      );
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        1,
        0,
        -1,
        1.5,
        'string',
        'a',
        true,
        false,
        null,
        [],
        {},
        ['string', 'null'],
        ['a', 'a'],
        [{}],
        [{ type: 1 }],
      ),
      fc.constantFrom<unknown>(
        { a: {} },
        { a: { type: 'x' } },
        { a: ['b'] },
        { a: ['b', 'b'] },
        { a: 1 },
        { type: 'object' },
        [true],
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), value, (name, each) => {
        const schema = { [name]: each };
        assert.equal(
          schemaProblems(schema, '').length === 0,
          ajv.validateSchema(schema) === true,
          JSON.stringify(schema),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('A mismatch is named by its path, without the value', () => {
    const schema = {
      type: 'object',
      properties: {
        model: {
          type: 'object',
          properties: { temperature: { type: 'number', maximum: 2 } },
          required: ['name'],
        },
        tools: { type: 'array', items: { $ref: '#/$defs/tool' } },
        voice: { anyOf: [{ const: 'a' }, { const: 'b' }] },
      },
      additionalProperties: false,
      $defs: { tool: { enum: ['book', 'cancel'] } },
    };
    const told = (value: unknown) =>
      mismatches(value, schema, 'config').map(({ field, message }) => `${field} ${message}`);
    assert.deepEqual(told({ model: { name: 'x', temperature: 'hot' } }), [
      'config/model/temperature must be number.',
    ]);
    assert.deepEqual(told({ model: {} }), ['config/model must have the property name.']);
    assert.deepEqual(told({ tools: ['book', 'private words'] }), [
      'config/tools/1 must be one of "book","cancel".',
    ]);
    assert.deepEqual(told({ model: { name: 'x', temperature: 3 } }), [
      'config/model/temperature must be at most 2.',
    ]);
    assert.deepEqual(told({ voise: 'a' }), ['config/voise is not allowed by the config schema.']);
    assert.deepEqual(told({ voice: 'private words' }), [
      'config/voice does not match `anyOf` of the config schema.',
    ]);
    assert.deepEqual(told({ model: { name: 'x', temperature: 1 }, tools: ['cancel'], voice: 'b' }), []);
    for (const name of ['größe', 'a b#c%23', '100 %', 'x"y', '日本'])
      assert.deepEqual(told({ [name]: 1 }), [`config/${name} is not allowed by the config schema.`]);
    assert.deepEqual(told({ 'a/b~c': 1 }), ['config/a~1b~0c is not allowed by the config schema.']);
  });

  it('A message has the value of the keyword, cut if it is long, or only the keyword', () => {
    const schema = {
      properties: {
        type: { type: 'string' },
        text: { minLength: 1 },
        long: { minLength: 2 },
        list: { minItems: 1 },
        many: { maxItems: 0 },
        model: { enum: ['a'.repeat(198), 'b'] },
      },
    };
    const value = { type: 1, text: '', long: '', list: [], many: [1], model: 'c' };
    const told = (showsSchema?: boolean) =>
      Object.fromEntries(
        mismatches(value, schema, '', { showsSchema }).map(({ field, message }) => [field.slice(1), message]),
      );
    assert.deepEqual(told(), {
      type: 'must be string.',
      text: 'must have at least 1 character.',
      long: 'must have at least 2 characters.',
      list: 'must have at least 1 item.',
      many: 'must have at most 0 items.',
      model: `must be one of "${'a'.repeat(198)}"….`,
    });
    const keywords = {
      type: 'type',
      text: 'minLength',
      long: 'minLength',
      list: 'minItems',
      many: 'maxItems',
    };
    assert.deepEqual(
      told(false),
      Object.fromEntries(
        Object.entries({ ...keywords, model: 'enum' }).map(([name, keyword]) => [
          name,
          `does not match \`${keyword}\` of the config schema. A key with the scope agents:read can read that schema.`,
        ]),
      ),
    );
  });

  it('Formats are annotations, and names of prototypes are names', () => {
    assert.deepEqual(mismatches({ a: 'no' }, { properties: { a: { format: 'email' } } }, 'config'), []);
    const value = JSON.parse('{"__proto__": 1, "constructor": "x"}');
    assert.deepEqual(
      mismatches(
        value,
        JSON.parse(
          '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__"]}',
        ),
        'config',
      ),
      [{ field: 'config/__proto__', message: 'must be string.' }],
    );
    assert.deepEqual(mismatches({}, { required: ['toString'] }, 'c').length, 1);
  });

  it('A check that would take too long ends', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    );
    const exponential = { $defs: { ...doubling, d40: {} }, $ref: '#/$defs/d0' };
    assert.deepEqual(schemaProblems(exponential, ''), []);
    const endless = { $ref: '#' };
    const unique = { additionalProperties: { uniqueItems: true } };
    const withPattern = (pattern: string) => ({ properties: { a: { pattern } } });
    const letters = { a: 'a'.repeat(60_000) };
    const texts: [unknown, unknown][] = [
      [{}, exponential],
      [{}, endless],
      [{ a: Array.from({ length: 9_000 }, (_, at) => ({ at })) }, unique],
      [letters, withPattern('a*a*a*a*a*b')],
      [letters, withPattern('(a+)+$b')],
      [letters, withPattern('^(?=(a|a)*b)')],
      [letters, withPattern('(a*)*\\1b')],
      [{ a: 'a' }, withPattern(`${'(?:'.repeat(12)}\\p{L}?){3}?${'){3}'.repeat(11)}b`)],
    ];
    for (const [value, schema] of texts) {
      const began = performance.now();
      const problems = mismatches(value, schema, 'config');
      assert.ok(performance.now() - began < 2_000);
      if (schema !== unique) assert.match(problems[0]?.message ?? '', /takes longer than 100 ms/);
    }
  });

  it('A pattern is a regular expression of limited length', () => {
    for (const pattern of ['(', '[a-z', '(?i', 'a{2,1}', '\\y', 'a'.repeat(201)])
      assert.deepEqual(
        schemaProblems({ pattern, patternProperties: { [pattern]: true } }, 'schema'),
        ['schema/pattern', `schema/patternProperties/${pattern}`].map((field) => ({
          field,
          message: 'must be a regular expression of ECMA-262 (with the flag u) of at most 200 characters.',
        })),
      );
    for (const pattern of ['', '^(en|de|fr)(-[A-Z]{2})?$', '\\p{L}+', '^(?!test)', '(a)\\1', 'a'.repeat(200)])
      assert.deepEqual(schemaProblems({ pattern, patternProperties: { [pattern]: true } }, ''), []);
  });

  it('Long patterns are refused unread, and a schema can have fifty', () => {
    const slow = '[\\p{L}\\p{N}]'.repeat(50_000);
    // Reading it would take ten seconds.
    assert.equal(schemaProblems({ pattern: slow }, '').length, 1);
    const items = (count: number) => ({
      prefixItems: Array.from({ length: count }, () => ({ pattern: 'a' })),
    });
    assert.deepEqual(schemaProblems(items(50), ''), []);
    assert.deepEqual(schemaProblems(items(51), 'schema'), [
      {
        field: 'schema/prefixItems/50/pattern',
        message: 'is one pattern too many: a schema can have 50.',
      },
    ]);
  });
});
