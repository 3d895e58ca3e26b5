import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf, longRead, OperationRegistry, read, write } from './operation.ts';

test('A registry finds operations by name and rejects two operations with the same name', () => {
  const list = read('list', () => 1);
  assert.equal(new OperationRegistry([list]).get('list'), list);
  assert.throws(() => new OperationRegistry([list, write('list', () => 2)]), /Two operations are named list/);
  assert.throws(() => new OperationRegistry([list]).get('other'), /The module of other is not listed/);
});

test('A read becomes a long read for the inputs that isLong selects', () => {
  const list = read('list', (_db, _principal, input: { offset: number }) => input.offset, {
    isLong: ({ offset }) => offset > 10,
  });
  assert.deepEqual(
    [5, 11].map((offset) => kindOf(list, { offset })),
    ['read', 'longRead'],
  );
  assert.equal(
    kindOf(
      longRead('scan', () => 1),
      null,
    ),
    'longRead',
  );
  assert.equal(
    kindOf(
      write('save', () => 1),
      null,
    ),
    'write',
  );
});
