import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { applyMapping, columnIndexes } from '../../features/imports/mapping.ts';
import { readPhone } from '../../features/imports/phones.ts';
import { joinTags, splitTags } from '../../features/imports/tags.ts';
import { openCsv } from './open.ts';
import { FileProblem } from './problem.ts';
import { unescapeCell, writeCsv } from './write.ts';

const fixture = (name: string) =>
  createReadStream(new URL(`../../../test/imports/fixtures/${name}`, import.meta.url), {
    highWaterMark: 50,
  });

async function* bytesOf(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text as string);
}

/** The rows of a file as an import reads them: an object of fields each. */
const contactsOf = async (bytes: AsyncIterable<Uint8Array>, country: string | null = null) => {
  const file = await openCsv(bytes);
  const places = Object.entries(columnIndexes(applyMapping(file.columns)));
  const contacts: Record<string, unknown>[] = [];
  for await (const batch of file.batches) {
    for (const { line, cells } of batch) {
      const found = places.map(([field, [index = -1]]) => [field, unescapeCell(cells[index] ?? '')] as const);
      const {
        phone_number = '',
        tags = '',
        ...texts
      } = Object.fromEntries(found.filter(([, cell]) => cell !== ''));
      const phone = readPhone(phone_number, country);
      contacts.push({
        line,
        phone: phone.ok ? phone.identity : phone.reason,
        ...texts,
        tags: splitTags(tags),
      });
    }
  }
  const { encoding, delimiter, header_row } = file.format;
  return { encoding, delimiter, header_row, contacts };
};

test('Encoding and delimiter of exports are detected, and a record keeps its first line number', async () => {
  for (const [name, encoding, delimiter, lines] of [
    ['google.csv', 'utf-8', ',', [2, 4, 5, 6, 9, 10]],
    ['google-older.csv', 'utf-16le', ',', [2, 3, 4]],
    ['outlook.csv', 'windows-1252', ',', [2, 3, 4, 7]],
    ['hubspot.csv', 'utf-8', ',', [2, 3, 4, 5, 6]],
    ['salesforce.csv', 'utf-8', ',', [2, 3, 4]],
    ['salesforce-report.csv', 'utf-8', ';', [2, 3]],
  ] as const) {
    const { contacts, ...format } = await contactsOf(fixture(name));
    assert.deepEqual(format, { encoding, delimiter, header_row: 1 }, name);
    assert.deepEqual(
      contacts.map(({ line }) => line),
      lines,
      name,
    );
  }
});

test('A file without a header and with blank rows and lines is read', async () => {
  const { contacts, header_row } = await contactsOf(
    bytesOf('+14155550100;a@example.com\r\n\r\n ;\r\n;\r\n+14155550101;\r\n'),
  );
  assert.equal(header_row, null);
  assert.deepEqual(contacts, [
    { line: 1, phone: '+14155550100', email: 'a@example.com', tags: [] },
    { line: 5, phone: '+14155550101', tags: [] },
  ]);
});

test("A file with Excel's sep= line is read", async () => {
  const { contacts } = await contactsOf(bytesOf('sep=;\r\nPhone;Notes\r\n+14155550100;a,b\r\n'));
  assert.deepEqual(contacts, [{ line: 3, phone: '+14155550100', notes: 'a,b', tags: [] }]);
});

test('A written file is read back cell by cell', async () => {
  const rows = Array.from({ length: 1_500 }, (_, i) => [
    i % 2 === 0 ? `+1415555${String(i).padStart(4, '0')}` : `030 23125 ${String(i).padStart(4, '0')}`,
    ['=cmd()', "'quoted", '-1', '', '007', 'line\r\nbreak', '"', "'=x"][i % 8] as string,
    joinTags(['a;b', `* ${i}`, 'c']),
  ]);
  async function* batches() {
    for (let at = 0; at < rows.length; at += 400) yield rows.slice(at, at + 400);
  }
  async function* bytes() {
    for await (const chunk of writeCsv(['phone_number', 'notes', 'tags'], batches()))
      yield Buffer.from(chunk);
  }
  const file = await openCsv(bytes());
  assert.deepEqual(
    file.columns.map(({ field }) => field),
    ['phone_number', 'notes', 'tags'],
  );
  assert.deepEqual(
    file.columns[0]?.samples,
    rows.slice(0, 3).map(([phone]) => phone),
  );
  const sizes: number[] = [];
  const cells: string[][] = [];
  for await (const batch of file.batches) {
    sizes.push(batch.length);
    cells.push(...batch.map((record) => record.cells.map(unescapeCell)));
  }
  assert.deepEqual(cells, rows);
  assert.deepEqual(
    cells.map((row) => splitTags(row[2] as string)),
    rows.map((_, i) => ['a;b', `* ${i}`, 'c']),
  );
  assert.equal(Math.max(...sizes), 50);
});

test('A file that cannot be read is rejected immediately, with the line number if known', async () => {
  const cases: [(string | Uint8Array)[], RegExp, number | undefined][] = [
    [[], /^The file is empty\.$/, undefined],
    [[''], /^The file is empty\.$/, undefined],
    [[' \r\n\r\n'], /^The file is empty\.$/, undefined],
    [['\ufeff'], /^The file is empty\.$/, undefined],
    [[',,\n \n'], /^The file is empty\.$/, undefined],
    [
      ['Phone,Name\r\n'],
      /^Line 1: is the header row, but no rows follow\. Send the file unchanged, with its line breaks\.$/,
      1,
    ],
    [['\n\nPhone,Name\n,\n'], /^Line 3: is the header row/, 3],
    [['Phone,Name\n1,"a\n'], /^Line 2: has a quote that is never closed\.$/, 2],
    [['Phone,Name\n1,a\0\n'], /^Line 2: has a NUL/, 2],
    [['\n\0'], /^Line 2: has a NUL/, 2],
    [[`Phone${',x'.repeat(1_000_000)}\n`], /^Line 1: has more than 200 columns\.$/, 1],
    [['Phone\n', 'x'.repeat(200_000)], /^Line 2: has a cell longer than 32,768 characters\.$/, 2],
    [['GIF89a', 'x'.repeat(100)], /^The file is an image, not a CSV file/, undefined],
  ];
  for (const [texts, message, line] of cases) {
    await assert.rejects(openCsv(bytesOf(...texts)), (error) => {
      assert.ok(error instanceof FileProblem, String(error));
      assert.match(error.message, message);
      assert.equal(error.line, line);
      assert.deepEqual(error.details, [{ field: 'file', message: error.message }]);
      return true;
    });
  }
});

test('A later problem is reported after the batches before it, and the source is closed', async () => {
  let closed = false;
  async function* source() {
    try {
      yield Buffer.from('Phone\n');
      for (let i = 0; i < 20; i++) yield Buffer.from('+14155550100\n'.repeat(1_000));
      for (;;) yield Buffer.from('"+14155550100 ');
    } finally {
      closed = true;
    }
  }
  const file = await openCsv(source());
  let rows = 0;
  await assert.rejects(
    async () => {
      for await (const batch of file.batches) rows += batch.length;
    },
    (error) => error instanceof FileProblem && error.line === 20_002,
  );
  assert.equal(rows, 40 * 500 - 1);
  assert.equal(closed, true);
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The bytes of all that is still referenced. */
const usedMemory = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

test('Memory use does not grow with the file', async () => {
  const chunk = Buffer.from('+14155550100,Ada,Lovelace,"notes, of some length, in quotes"\n'.repeat(1_000));
  async function* source() {
    yield Buffer.from('Phone,First Name,Last Name,Notes\n');
    for (let i = 0; i < 400; i++) yield chunk;
  }
  const file = await openCsv(source());
  let rows = 0;
  const used: number[] = [];
  for await (const batch of file.batches) {
    rows += batch.length;
    if (rows >= 100_000 * (used.length + 1)) used.push(usedMemory());
  }
  assert.deepEqual([rows, used.length], [400_000, 4]);
  const [first = 0, ...later] = used;
  assert.ok(Math.max(...later) - first < 6e6, `${used} bytes, of a file of ${400 * chunk.length}`);
});
