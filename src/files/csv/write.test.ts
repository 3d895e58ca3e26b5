import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/kit/any-character.ts';
import { csvLine, escapeCell, unescapeCell, writeCsv, writeJsonLines } from './write.ts';

async function* batches<T>(...each: T[][]): AsyncGenerator<T[]> {
  yield* each;
}
const all = async (chunks: AsyncIterable<string>): Promise<string[]> => Array.fromAsync(chunks);

test('A file has a byte order mark, a header and CRLF lines, with one chunk per batch', async () => {
  const rows = batches(
    [
      ['+14155550100', 'Ada'],
      ['+14155550101', null],
    ],
    [],
    [['+14155550102', '']],
  );
  assert.deepEqual(await all(writeCsv(['phone_number', 'first_name'], rows)), [
    '\ufeffphone_number,first_name\r\n',
    "'+14155550100,Ada\r\n'+14155550101,\r\n",
    "'+14155550102,\r\n",
  ]);
});

test('A file for programs has no byte order mark and no apostrophes', async () => {
  const rows = batches([
    ['+14155550100', '=1+1'],
    ["'=1", 'a,b'],
    [null, ''],
  ]);
  assert.deepEqual(await all(writeCsv(['phone_number', 'notes'], rows, true)), [
    'phone_number,notes\r\n',
    '+14155550100,=1+1\r\n\'=1,"a,b"\r\n,\r\n',
  ]);
});

test('Cells are quoted where necessary', () => {
  assert.equal(csvLine(['a b', 'c,d', 'e"f', 'g\nh', 'i;j', ' k']), 'a b,"c,d","e""f","g\nh","i;j"," k"\r\n');
  assert.equal(csvLine(['a,b', 'c'], ';'), '"a,b";c\r\n');
  assert.equal(csvLine(['']), '""\r\n');
  assert.equal(csvLine(['', '']), ',\r\n');
  assert.equal(csvLine(['\r=x']), '"\'\r=x"\r\n');
});

test('Cells that a spreadsheet would execute or change are prefixed with an apostrophe', () => {
  for (const cell of [
    '=1+1',
    '+14155550100',
    '-2',
    '@SUM(A1)',
    '\tx',
    '\r',
    '\n=1',
    '＝1',
    "'=1",
    "''+1",
    '007',
    '4155550100',
    '(415) 555-0100',
    '030/555 01',
    '1E5',
    '1.5',
    '2024-01-31',
    "'0301",
  ]) {
    assert.equal(escapeCell(cell), `'${cell}`);
    assert.equal(unescapeCell(`'${cell}`), cell);
  }
  for (const cell of ['=1+1', '+14155550100', '007']) assert.equal(unescapeCell(cell), cell);
  for (const cell of [
    '',
    'Ada',
    "'Ada",
    "''",
    "'",
    'a=b',
    '3 Musketeers',
    '(none)',
    '2024-01-31T09:30:00.000Z',
    ' =1',
  ]) {
    assert.equal(escapeCell(cell), cell);
    assert.equal(unescapeCell(cell), cell);
  }
});

test('No cell starts like a formula, and every cell is read back', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({
      unit: fc.constantFrom(
        "'",
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '0',
        '9',
        '(',
        ')',
        ' ',
        'E',
        'a',
        '\uff1d',
      ),
    }),
  );
  fc.assert(
    fc.property(text, (cell) => {
      assert.doesNotMatch(escapeCell(cell), /^[=+\-@\t\r\n]/);
      assert.equal(unescapeCell(escapeCell(cell)), cell);
    }),
    { numRuns: 5_000 },
  );
});

test('A long run of apostrophes or digits is written quickly', () => {
  const start = performance.now();
  for (const cell of ["'".repeat(32_000), '1'.repeat(32_000), `${'1 '.repeat(16_000)}x`]) {
    assert.equal(unescapeCell(escapeCell(cell)), cell);
  }
  assert.ok(performance.now() - start < 500);
});

test('JSON Lines output has one object per line', async () => {
  const rows = batches<object>([{ a: 'x\ny' }, { a: null }], [], [{ b: ['é'] }]);
  assert.deepEqual(await all(writeJsonLines(rows)), ['{"a":"x\\ny"}\n{"a":null}\n', '{"b":["é"]}\n']);
});
