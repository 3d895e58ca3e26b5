import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { detectFormat } from './detect.ts';
import { delimiters } from './limits.ts';
import { csvLine } from './write.ts';

const detect = (text: string) => detectFormat(text, true);

test('The delimiter is the one that splits all records alike', () => {
  const cases: [string, string][] = [
    ['phone,name\n+14155550100,Ada\n', ','],
    ['phone;name\n+14155550100;Ada\n', ';'],
    ['phone\tname\n+14155550100\tAda\n', '\t'],
    ['phone|name\n+14155550100|Ada\n', '|'],
    // Another delimiter in the cells.
    ['Name;Phone;Notes\nLovelace, Ada;+14155550100;a, b\nHopper, Grace;+14155550101;c\n', ';'],
    ['phone,tags,notes\n1,a;b,x\n2,c;d,y\n3,e;f,z\n', ','],
    ['phone,notes\n+14155550100,"a;b;c;d"\n+14155550101,"e;f;g;h"\n', ','],
    ['Name\tPhone\nLovelace, Ada\t+14155550100\nHopper, Grace\t+14155550101\n', '\t'],
    // No header.
    ['+14155550100;Ada, Countess\n+14155550101;Grace\n', ';'],
    // Rows that are shorter or longer than the others.
    ['phone;first;last\n1;a\n2;b;c\n3;d;e;f\n', ';'],
    // Names of fields in the header decide between two readings.
    ['Phone;Name (family, given)\n1;a, b\n2;c, d\n', ';'],
    ['Phone;Name', ';'],
    // One column, and nothing to go by.
    ['phone\n+14155550100\n', ','],
    ['', ','],
    ['"', ','],
    // Quotes that are only right with one delimiter.
    ['"phone";"name"\n"1";"a,b,c"\n', ';'],
    ['a,b;c,d\n"1,2";"3,4"\n', ';'],
  ];
  for (const [text, delimiter] of cases) assert.equal(detect(text).delimiter, delimiter, text);
});

test('Any table with a header is read with the delimiter it was written with', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', ';', '|', '"', '1'), maxLength: 6 });
  const rows = fc.array(fc.tuple(word, word, word), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(rows, fc.constantFrom(...delimiters), (table, delimiter) => {
      const header = ['Phone Number', 'First Name', 'Notes'];
      const text = [header, ...table].map((row) => csvLine(row, delimiter)).join('');
      assert.deepEqual(detect(text), { delimiter, headerRow: 1, skip: 0 });
    }),
    { numRuns: 1_000 },
  );
});

test('A header is a first record of names', () => {
  const cases: [string, boolean][] = [
    ['Phone,Name\n+14155550100,Ada\n', true],
    ['Phone,Name\n', true],
    ['Rufnummer des Kunden,Anrede\n030 23125 100,Frau\n', true],
    ['Phone,2023,Email,Name\n+14155550100,5,a@example.com,Ada\n', true],
    ['+14155550100,Ada\n+14155550101,Grace\n', false],
    ['Ada,(415) 555-0100\n', false],
    ['Ada,ada@example.com\n', false],
    ['Ada,42\n', false],
    ['Ada,2024-01-31\n', false],
    ['4.15556E+11,Ada\n', false],
    [',,\nPhone,Name,Email\n+14155550100,Ada,\n', true],
    ['', false],
  ];
  for (const [text, hasHeader] of cases) assert.equal(detect(text).headerRow !== null, hasHeader, text);
});

test("Excel's sep= line sets the delimiter and is not a record", () => {
  for (const end of ['\n', '\r\n', '\r']) {
    assert.deepEqual(detect(`sep=;${end}Phone;Notes${end}1;a,b${end}`), {
      delimiter: ';',
      headerRow: 2,
      skip: 1,
    });
  }
  assert.deepEqual(detect('"sep=|"\r\nPhone|a,b,c\r\n'), { delimiter: '|', headerRow: 2, skip: 1 });
  assert.deepEqual(detect('sep,Phone\n'), { delimiter: ',', headerRow: 1, skip: 0 });
});

test('A sample that ends within a record or is malformed later is sufficient', () => {
  assert.deepEqual(detectFormat('Phone;Notes\n1;a\n2;"b', false), {
    delimiter: ';',
    headerRow: 1,
    skip: 0,
  });
  assert.deepEqual(detect('Phone;Notes\n1;a\n2;"b'), { delimiter: ';', headerRow: 1, skip: 0 });
  assert.deepEqual(detect('Phone;Notes\n1;a\n2;"b"c\n'), { delimiter: ';', headerRow: 1, skip: 0 });
});
