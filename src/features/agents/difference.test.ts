import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch } from 'diff';
import { Random } from '../../../test/kit/random.ts';
import { differenceOf } from './difference.ts';

const compare = (before: string, after: string) =>
  differenceOf({ name: 'v1', text: before }, { name: 'v2', text: after });

test('Equal texts have no hunks and an empty unified diff', () => {
  assert.deepEqual(compare('a\nb\n', 'a\nb\n'), { added: 0, removed: 0, hunks: [], unified: '' });
});

test('A hunk has three lines of context and the numbers of its first lines', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
  const changed = lines.with(9, 'changed').with(24, 'changed too');
  const { hunks, unified } = compare(lines.join('\n'), changed.join('\n'));
  assert.deepEqual(
    hunks.map(({ changes: _, ...ranges }) => ranges),
    [
      { from_start: 7, from_lines: 7, to_start: 7, to_lines: 7 },
      { from_start: 22, from_lines: 7, to_start: 22, to_lines: 7 },
    ],
  );
  assert.deepEqual(hunks[0]?.changes, [
    { change: 'same', lines: ['line 7', 'line 8', 'line 9'] },
    { change: 'removed', lines: ['line 10'] },
    { change: 'added', lines: ['changed'] },
    { change: 'same', lines: ['line 11', 'line 12', 'line 13'] },
  ]);
  assert.match(unified, /^--- v1\n\+\+\+ v2\n@@ -7,7 \+7,7 @@\n line 7\n/);
});

test('A unified diff turns one text into the other, also without a final newline', () => {
  const random = new Random('hunks');
  const someText = () => {
    const lines = Array.from({ length: random.below(40) }, () =>
      random.pick(['a', 'b', 'c', '', ' d', '-e']),
    );
    return lines.join('\n') + (random.chance(0.5) ? '\n' : '');
  };
  for (let round = 0; round < 500; round++) {
    const [before, after] = [someText(), someText()];
    const { unified } = compare(before, after);
    if (before === after) assert.equal(unified, '');
    else assert.equal(applyPatch(before, unified), after, JSON.stringify([before, after, unified]));
  }
});

test('Texts that differ too much are one hunk that replaces all lines', () => {
  const text = (name: string) => Array.from({ length: 2_000 }, (_, at) => `${name} ${at}`).join('\n');
  const { hunks } = compare(text('one'), text('other'));
  assert.deepEqual(
    hunks.map(({ from_start, from_lines, to_start, to_lines }) => [
      from_start,
      from_lines,
      to_start,
      to_lines,
    ]),
    [[1, 2_000, 1, 2_000]],
  );
});

test('Texts without common lines are compared quickly', () => {
  const lines = (word: string) => Array.from({ length: 10_000 }, (_, at) => `${word}${at % 1000}`).join('\n');
  const began = performance.now();
  const { added, removed } = compare(lines('a'), lines('b'));
  assert.ok(performance.now() - began < 2_000, 'it would take many seconds to find the shortest way');
  assert.deepEqual([added, removed], [10_000, 10_000]);
});
