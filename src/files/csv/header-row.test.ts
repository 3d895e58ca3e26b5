import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectFormat } from './detect.ts';
import { assertHeaderRow } from './header-row.ts';
import { FileProblem } from './problem.ts';

const headerOf = (text: string) => {
  const { delimiter, headerRow } = detectFormat(text, true);
  return [delimiter, headerRow];
};
const ROWS = 'Ada;+12025550100;a@example.com\nBob;+12025550101;b@example.com\n';

test('The header is found below titles and blank lines', () => {
  assert.deepEqual(headerOf(`Customers 2026\nName;Phone;Email\n${ROWS}`), [';', 2]);
  assert.deepEqual(headerOf(`Customers 2026;;\n\nExported on;2026-05-01;\nName;Phone;Email\n${ROWS}`), [
    ';',
    4,
  ]);
  assert.deepEqual(headerOf(`Kundenliste\nWer;Wie;Wo\n${ROWS}`), [';', 2]);
  assert.deepEqual(headerOf(`sep=;\nCustomers 2026\nName;Phone;Email\n${ROWS}`), [';', 3]);
});

test('The first line is the header if nothing is above it', () => {
  assert.deepEqual(headerOf(`Name;Phone;Email\n${ROWS}`), [';', 1]);
  assert.deepEqual(headerOf(`Wer;Wie;Wo\n${ROWS}`), [';', 1]);
  assert.deepEqual(headerOf('Phone\n+12025550100\n+12025550101\n'), [',', 1]);
});

test('Rows with data are never skipped in search of a header', () => {
  assert.deepEqual(headerOf(ROWS), [';', null]);
  assert.deepEqual(headerOf(`+12025550102\n${ROWS}Name;Phone;Email\n`), [';', null]);
  assert.deepEqual(headerOf(`Who;Reach;Mail\nName;Phone;x\n${ROWS}`), [';', 1]);
});

test('A chosen header line must have cells', () => {
  const records = [1, 3].map((line) => ({ line, cells: ['a'] }));
  assertHeaderRow(records, 3);
  assert.throws(() => assertHeaderRow(records, 2), FileProblem);
});
