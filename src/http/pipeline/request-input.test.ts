import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../lib/errors.ts';
import { isTooSlow, readQuery } from './request-input.ts';

const refusal = (text: string): ApiError => {
  try {
    readQuery(text);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 'VALIDATION_ERROR');
    return error;
  }
  throw new Error(`${text} was read`);
};

describe('readQuery', () => {
  for (const [text, fields] of [
    ['', {}],
    ['&&', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=x+y', { a: 'x y' }],
    ['a=%2B1', { a: '+1' }],
    ['a=%C3%A9%F0%9F%98%80', { a: 'é😀' }],
    ['%61=1', { a: '1' }],
    ['a=é', { a: 'é' }],
    ['a=%00', { a: '\0' }],
    ['a=?/#', { a: '?/#' }],
    ['a;b=1', { 'a;b': '1' }],
  ] as const) {
    it(`readQuery parses ${text || 'nothing'}`, () => assert.deepEqual({ ...readQuery(text) }, fields));
  }

  it('readQuery treats names from Object.prototype like any other', () => {
    const fields = readQuery('constructor=1&__proto__=2&toString=3');
    assert.deepEqual(Object.keys(fields), ['constructor', '__proto__', 'toString']);
    assert.deepEqual(Object.values(fields), ['1', '2', '3']);
  });

  for (const text of ['a=1&a=2', 'a=1&a=1', 'a&a', 'a=1&%61=2', 'b=0&a=1&c=3&a=']) {
    it(`readQuery rejects a repeated name: ${text}`, () => {
      const { details } = refusal(text);
      assert.deepEqual(details, [{ field: 'a', message: 'was sent more than once. Send it once.' }]);
    });
  }

  for (const text of ['a=%', 'a=%z1', 'a=%ff', 'a=%C3', '%=1', 'a=%ED%A0%80', 'a=1&b=%F0%9F']) {
    it(`readQuery rejects text that is not percent-encoded UTF-8: ${text}`, () => {
      assert.match(refusal(text).message, /percent-encoded UTF-8/);
    });
  }
});

describe('Minimum rate of a request body', () => {
  for (const [what, bytes, ms, slow] of [
    ['no bytes in just under ten seconds', 0, 9_999, false],
    ['no bytes in ten seconds', 0, 10_000, true],
    ['one byte per second', 12, 12_000, true],
    ['the rate of a slow mobile network', 20_000, 10_000, false],
    ['exactly the minimum rate', 5_000, 10_000, false],
    ['enough bytes at first and none after that', 6_000, 13_000, true],
    ['many bytes in just under 30 seconds', 1_000_000, 29_999, false],
    ['many bytes in 30 seconds', 1_000_000, 30_000, true],
  ] as const) {
    it(`A body is ${slow ? 'too slow' : 'fast enough'} with ${what}`, () =>
      assert.equal(isTooSlow(bytes, ms), slow));
  }
});
