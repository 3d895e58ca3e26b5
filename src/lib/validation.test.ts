import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type Problem } from './errors.ts';
import * as s from './schemas.ts';
import * as v from './validation.ts';

/** The value that a field reads, or its problems. */
const read = (field: v.Field<unknown>, value: unknown): unknown => {
  const problems: Problem[] = [];
  const result = field.read(value, 'x', problems);
  return problems.length > 0 ? problems : result;
};
const problem = (field: v.Field<unknown>, value: unknown, expected: RegExp, name = 'x') => {
  const found = read(field, value);
  assert.ok(Array.isArray(found) && found.length === 1, JSON.stringify(found));
  assert.equal(found[0].field, name);
  assert.match(found[0].message, expected);
};
const problemsOf = (call: () => unknown): Problem[] => {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 'VALIDATION_ERROR');
    return error.details as Problem[];
  }
  throw new Error('nothing was rejected');
};

test('Text has a minimum and a maximum number of characters', () => {
  const field = v.text({ min: 1, max: 3 });
  for (const value of ['a', 'abc', '😀😀😀', ' ', 'e\u0301']) assert.equal(read(field, value), value);
  problem(field, '', /^must have at least 1 character\.$/);
  problem(field, 'abcd', /^must have at most 3 characters; this has 4\.$/);
  problem(field, '😀😀😀😀', /this has 4\.$/);
  assert.deepEqual(field.schema, { type: 'string', minLength: 1, maxLength: 3 });
  assert.deepEqual(v.text({}).schema, { type: 'string' });
  assert.equal(read(v.text({}), ''), '');
});

test('Text is a string that can be stored', () => {
  const field = v.text({});
  problem(field, 1, /^must be a string, not number\.$/);
  problem(field, null, /not null/);
  problem(field, [], /not an array/);
  problem(field, {}, /not object/);
  problem(field, true, /not boolean/);
  problem(field, 'a\0', /U\+0000/);
  problem(field, '\ud83d', /surrogate/);
});

test('A check runs only on otherwise valid text', () => {
  const asked: string[] = [];
  const field = v.text({
    max: 3,
    schema: { format: 'even' },
    check: (value) => {
      asked.push(value);
      return value.length % 2 ? 'must be even.' : undefined;
    },
  });
  assert.equal(read(field, 'ab'), 'ab');
  problem(field, 'abc', /^must be even\.$/);
  problem(field, 'abcde', /at most 3/);
  problem(field, 5, /a string/);
  assert.deepEqual(asked, ['ab', 'abc']);
  assert.deepEqual(field.schema, { type: 'string', maxLength: 3, format: 'even' });
});

test('nullable accepts null and the values of its field', () => {
  const field = v.nullable(v.text({ max: 1 }));
  assert.equal(read(field, null), null);
  assert.equal(read(field, 'a'), 'a');
  problem(field, 'ab', /at most 1/);
  problem(field, undefined, /a string/);
  assert.deepEqual(field.schema, { type: ['string', 'null'], maxLength: 1 });
});

test('A boolean is exactly true or false', () => {
  assert.equal(read(v.boolean(), true), true);
  assert.equal(read(v.boolean(), false), false);
  for (const value of ['true', 1, 0, null, '', []])
    problem(v.boolean(), value, /^must be true or false, not /);
});

test('uniqueStrings keeps the order and removes duplicates', () => {
  const field = v.uniqueStrings(v.text({ min: 1, max: 2 }), 3);
  assert.deepEqual(read(field, []), []);
  assert.deepEqual(read(field, ['b', 'a', 'b', 'c', 'a', 'c']), ['b', 'a', 'c']);
  problem(field, ['a', 'b', 'c', 'd'], /at most 3 different entries; this has 4/);
  problem(field, ['a', ''], /at least 1/, 'x[1]');
  problem(field, ['a', 'b', 7], /a string/, 'x[2]');
  for (const value of [null, 'a', {}, 1]) problem(field, value, /^must be an array of strings, not /);
});

test('A whole number is written in digits, within its bounds', () => {
  const field = v.queryInteger(1, 100, 20);
  for (const [value, number] of [
    ['1', 1],
    ['20', 20],
    ['100', 100],
  ] as const)
    assert.equal(read(field, value), number);
  for (const value of [
    '0',
    '101',
    '-1',
    '+1',
    '1.5',
    '1.0',
    '1e1',
    '0x1',
    '',
    ' 1',
    '1 ',
    'a',
    '9'.repeat(20),
    '١',
  ])
    problem(field, value, /^must be a whole number from 1 to 100, for example 20\.$/);
  const large = v.queryInteger(0, Number.MAX_SAFE_INTEGER, 0);
  assert.equal(read(large, '9007199254740991'), Number.MAX_SAFE_INTEGER);
  problem(large, '9007199254740992', /whole number/);
  assert.deepEqual(field.schema, { type: 'integer', minimum: 1, maximum: 100, default: 20 });
});

const person = v.object(
  { name: v.text({ max: 5 }), note: v.nullable(v.text({ max: 5 })) },
  { required: ['name'], ignored: ['id', 'made_at'] },
);

test('objectOf reads the fields that are present', () => {
  assert.deepEqual(person.read({ name: 'Ada' }), { name: 'Ada' });
  assert.deepEqual(person.read({ note: null, name: 'Ada' }), { note: null, name: 'Ada' });
  assert.deepEqual(Object.keys(person.schema.properties as object), ['name', 'note', 'id', 'made_at']);
  assert.deepEqual(person.schema.required, ['name']);
});

test('objectOf ignores read-only fields, whatever their value', () => {
  assert.deepEqual(person.read({ name: 'Ada', id: {}, made_at: '\0' }), { name: 'Ada' });
});

test('objectOf requires its required fields', () => {
  assert.deepEqual(
    problemsOf(() => person.read({})),
    [{ field: 'name', message: 'is required.' }],
  );
  const inherited = Object.create({ name: 'Ada' });
  assert.equal(problemsOf(() => person.read(inherited))[0]?.field, 'name');
});

test('objectOf rejects every unknown field and lists the allowed ones', () => {
  const problems = problemsOf(() =>
    person.read(
      JSON.parse('{"name": "Ada", "nmae": 1, "__proto__": 2, "constructor": 3, "toString": 4, "": 5}'),
    ),
  );
  assert.deepEqual(
    problems.map(({ field }) => field),
    ['nmae', '__proto__', 'constructor', 'toString', ''],
  );
  assert.equal(problems[0]?.message, 'is not a field of this request. Allowed fields: name, note.');
});

test('One error lists all problems and repeats the first in its message', () => {
  const call = () => person.read({ name: 'Augusta', note: 7, x: 1 });
  assert.deepEqual(
    problemsOf(call).map(({ field }) => field),
    ['name', 'note', 'x'],
  );
  assert.throws(call, {
    message: /^name: must have at most 5 characters; this has 7\. \(and 2 more, see details\)$/,
  });
  assert.throws(() => person.read({ name: 1 }), { message: 'name: must be a string, not number.' });
});

test('One error lists no more than 20 problems', () => {
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`unknown_${at}`, at]));
  assert.equal(problemsOf(() => person.read({ name: 'Ada', ...unknown })).length, 20);
  assert.equal(problemsOf(() => person.read(unknown)).length, 20);
  const tagged = v.object({ tags: v.uniqueStrings(v.text({ min: 1 }), 50) });
  assert.equal(problemsOf(() => tagged.read({ tags: Array(1000).fill(0) })).length, 20);
  const tags = [
    ...Array.from({ length: 60 }, (_, at) => `${at}`),
    ...Array.from({ length: 60 }, (_, at) => at),
  ];
  assert.equal(problemsOf(() => tagged.read({ tags })).length, 20);
});

test('An exact schema requires each of its properties and allows no other', () => {
  assert.deepEqual(s.object('Pair', { a: { type: 'string' }, b: { type: 'integer' } }), {
    title: 'Pair',
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  });
});
