import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf, longRead, operationNamed, read, write } from './operation.ts';

test('Operations are found by name', () => {
  const list = read('list', () => 1);
  assert.equal(operationNamed('list'), list);
  assert.throws(() => operationNamed('other'), /does not load the module of other/);
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
