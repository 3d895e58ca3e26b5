import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './errors.ts';
import { parseObject } from './json.ts';

const refuses = (text: string, message: RegExp) =>
  assert.throws(
    () => parseObject(text),
    (error) => {
      assert.ok(error instanceof ApiError, `${error}`);
      assert.equal(error.code, 'VALIDATION_ERROR');
      assert.match(error.message, message);
      return true;
    },
    text.slice(0, 100),
  );

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

test('A JSON object is read as written', () => {
  for (const value of [
    {},
    { a: 1, b: 'two', c: null, d: true, e: [], f: {} },
    { 'a:b': 'c:d', 'e"f': 'g"h:', 'i\\': '\\:"', '{': '[[[{{{' },
    { deep: [{ a: [{ b: { c: ':' } }] }, { a: 1 }, [{ a: 2 }]] },
    { '': '', ' ': ':', 1: 2 },
    { text: '😀\ud83d\u0000\n' },
  ]) {
    assert.deepEqual(parseObject(JSON.stringify(value)), value);
    assert.deepEqual(parseObject(` \r\n\t${JSON.stringify(value, null, 2)} `), value);
  }
  assert.deepEqual(parseObject('{"\\u0061": "\\u0062\\"", "b\\\\": 1}'), { a: 'b"', 'b\\': 1 });
});

test('Names from Object.prototype are keys like any other', () => {
  const read = parseObject('{"__proto__": {"a": 1}, "constructor": 2, "toString": 3}');
  assert.deepEqual(Object.keys(read), ['__proto__', 'constructor', 'toString']);
  assert.equal(Object.getPrototypeOf(read), Object.prototype);
});

test('Text that is not JSON is rejected', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '{"a":1}{',
    '{"a":1} x',
    '{"a":"\n"}',
    '{"a":01}',
    '{"a":NaN}',
    '{"a":undefined}',
    '{"a":"\\x"}',
    '{"a":"',
    '{"a":"\\',
    '\ufeff{}',
    '// {}',
  ]) {
    refuses(text, /not valid JSON/);
  }
});

test('JSON that is not an object is rejected', () => {
  for (const text of ['[]', '[{"a":1}]', 'null', '1', '"a"', '":"', 'true', '""']) {
    refuses(text, /must be a JSON object/);
  }
});

test('A repeated key is rejected at every level', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    '{"a":1,"\\u0061":2}',
    '{"a":{"b":1,"b":2}}',
    '{"a":[{"b":1,"b":2}]}',
    '{"a":[[{"c":1}],{"b":{"d":1,"d":1}}]}',
    '{"__proto__":1,"__proto__":2}',
    '{"":1,"":2}',
  ]) {
    refuses(text, /more than once/);
  }
});

test('Nesting is limited to 32 levels', () => {
  assert.deepEqual(parseObject(nested(32)), JSON.parse(nested(32)));
  refuses(nested(33), /nested more than 32 levels/);
  refuses('['.repeat(500_000), /nested more than 32 levels/);
  refuses('{"a":'.repeat(200_000), /nested more than 32 levels/);
  const wide = { list: Array.from({ length: 1000 }, () => [[{}]]) };
  assert.deepEqual(parseObject(JSON.stringify(wide)), wide);
});

test('Brackets within strings do not count as nesting', () => {
  assert.deepEqual(parseObject(`{"a":"${'['.repeat(1000)}\\"${'{'.repeat(1000)}"}`), {
    a: `${'['.repeat(1000)}"${'{'.repeat(1000)}`,
  });
});

test('A text with more than 10,000 values is rejected before it is parsed', () => {
  const list = (count: number) => `{"a":[${Array(count).fill(1).join(',')}]}`;
  const object = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
  assert.equal(Object.keys(parseObject(object(10_000))).length, 10_000);
  parseObject(list(9_999));
  for (const text of [list(10_001), object(10_001), `{"a":[${'[],'.repeat(6_000)}1]}`, ','.repeat(10_001)])
    refuses(text, /^The JSON has more than 10000 values/);
});
