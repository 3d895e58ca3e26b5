import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Difference, differenceOf } from './difference.ts';

const side = ({ parts }: Difference, change: 'added' | 'removed') =>
  parts.filter((part) => part.change === 'same' || part.change === change).flatMap(({ lines }) => lines);

test('A diff marks each line as removed, added or unchanged', () => {
  assert.deepEqual(differenceOf('one\ntwo\nthree', 'one\n2\nthree'), {
    added: 1,
    removed: 1,
    parts: [
      { change: 'same', lines: ['one'] },
      { change: 'removed', lines: ['two'] },
      { change: 'added', lines: ['2'] },
      { change: 'same', lines: ['three'] },
    ],
  });
  assert.deepEqual(differenceOf('one', 'one\ntwo\nthree').added, 2 + 1, 'the first line gained its end');
  assert.deepEqual(differenceOf('one\n', 'one\ntwo\nthree'), {
    added: 2,
    removed: 0,
    parts: [
      { change: 'same', lines: ['one'] },
      { change: 'added', lines: ['two', 'three'] },
    ],
  });
  assert.deepEqual(differenceOf('a\n\nb', 'a\nb').parts[1], { change: 'removed', lines: [''] });
});

test('Equal texts have no diff, and an empty text only gains or loses lines', () => {
  assert.deepEqual(differenceOf('', ''), { added: 0, removed: 0, parts: [] });
  const same = differenceOf('one\ntwo', 'one\ntwo');
  assert.deepEqual(same, { added: 0, removed: 0, parts: [{ change: 'same', lines: ['one', 'two'] }] });
  assert.deepEqual(differenceOf('', 'x\ny').parts, [{ change: 'added', lines: ['x', 'y'] }]);
  assert.deepEqual(differenceOf('x\ny', '').parts, [{ change: 'removed', lines: ['x', 'y'] }]);
});

test('A diff contains both texts completely', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', '\n', 'c', 'é\n')).map((pieces) => pieces.join(''));
  const linesOf = (whole: string) => (whole === '' ? [] : whole.replace(/\n$/, '').split('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const difference = differenceOf(before, after);
      assert.deepEqual(side(difference, 'removed'), linesOf(before));
      assert.deepEqual(side(difference, 'added'), linesOf(after));
      const count = (change: string) =>
        difference.parts.filter((part) => part.change === change).flatMap(({ lines }) => lines).length;
      assert.deepEqual([difference.added, difference.removed], [count('added'), count('removed')]);
    }),
  );
});

test('Texts without common lines are compared quickly', () => {
  const lines = (word: string) => Array.from({ length: 10_000 }, (_, at) => `${word}${at % 1000}`).join('\n');
  const began = performance.now();
  const { added, removed, parts } = differenceOf(lines('a'), lines('b'));
  assert.ok(performance.now() - began < 2_000, 'it would take many seconds to find the shortest way');
  assert.deepEqual([added, removed, parts.length], [10_000, 10_000, 2]);
});
