import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../lib/errors.ts';
import { shortHash } from '../../lib/etag.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../records/cursor.ts';
import { contactCursor } from './list.service.ts';

const list: ListIdentity = [1, 'name', ''];
const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'VALIDATION_ERROR';

test('A cursor is decoded to what was encoded', () => {
  const cursor = encodeCursor(list, ['zoë "o"', 7, 20, 130]);
  const decoded = { after: { key: 'zoë "o"', seq: 7 }, offset: 20, total: 130, isCapped: false };
  assert.deepEqual(decodeCursor(list, cursor, contactCursor), decoded);
  assert.throws(() => decodeCursor([2, 'name', ''], cursor, contactCursor), isRefused);
});

test('A cursor with a correct tag and an impossible position is refused', () => {
  for (const content of [
    '',
    'x',
    'null',
    '{}',
    '[]',
    '[null,1,0,0]',
    '[{},1,0,0]',
    '["a","x",0,0]',
    '["a",1.5,0,0]',
    '["a",1e300,0,0]',
    '["a",-1,0,0]',
    '["\\u0000",1,0,0]',
    '["\\ud800",1,0,0]',
    '["a",1,-1,0]',
    '["a",1,0,null]',
  ]) {
    const tag = shortHash(`${JSON.stringify(list)} ${content}`);
    const cursor = `${Buffer.from(content).toString('base64url')}.${tag}`;
    assert.throws(() => decodeCursor(list, cursor, contactCursor), isRefused, content);
  }
});
