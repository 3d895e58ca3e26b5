import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  partsOf,
  rowsXml,
  type WorkbookParts,
  workbookOf,
  zipOf,
} from '../../../test/kit/imports/workbook.ts';
import { DEFAULT_RULES } from '../../features/imports/import.schema.ts';
import { openFile } from '../../features/imports/worker/client.ts';
import type { CsvRecord } from '../csv/parser.ts';
import { workbookLimits } from './limits.ts';
import { openWorkbook } from './open.ts';
import { Archive } from './zip.ts';

async function* chunksOf(bytes: Uint8Array, size = 50_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const readAll = async (bytes: Uint8Array, choices = {}) => {
  const opened = await openWorkbook(chunksOf(bytes), choices);
  const records: CsvRecord[] = [];
  for await (const batch of opened.batches) records.push(...batch);
  return { ...opened, records };
};

const read = (parts: WorkbookParts, choices = {}) => readAll(workbookOf(parts), choices);

const HEADER = '<row r="1"><c r="A1" t="inlineStr"><is><t>Phone</t></is></c></row>';
/** The first cells of the rows below the header. */
const cellsOf = async (rows: string, more: Partial<WorkbookParts> = {}) =>
  (await read({ sheets: { People: HEADER + rows }, ...more }, { header_row: 1 })).records.map(
    ({ cells: [first] }) => first,
  );
const numbers = (values: readonly string[], style = 0): string =>
  values
    .map((value, at) => `<row r="${at + 2}"><c r="A${at + 2}" s="${style}"><v>${value}</v></c></row>`)
    .join('');

const PEOPLE = rowsXml([
  ['Phone', 'First Name'],
  ['+12025550101', 'Ada'],
]);

describe('Workbook cells', () => {
  it('Shared strings have their runs joined and no phonetic text', async () => {
    const strings =
      '<si><t>Phone</t></si><si><t>Name</t></si><si><r><t>Ada </t></r><r><rPr><b/></rPr><t xml:space="preserve">&amp; Co</t></r></si><si><t>山田</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh></si><si><t>a_x000A_b_x005F_x0041_</t></si>';
    const cell = (at: string, index: number) => `<c r="${at}" t="s"><v>${index}</v></c>`;
    const { records, columns } = await read({
      strings,
      sheets: {
        People: `<row r="1">${cell('A1', 0)}${cell('B1', 1)}</row><row r="2">${cell('A2', 3)}${cell('B2', 2)}</row><row r="3">${cell('B3', 4)}</row>`,
      },
    });
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['Phone', 'Name'],
    );
    assert.deepEqual(records, [
      { line: 2, cells: ['山田', 'Ada & Co'] },
      { line: 3, cells: ['', 'a\nb_x0041_'] },
    ]);
  });

  it('Number cells have all digits', async () => {
    const cases: [written: string, text: string][] = [
      ['442079460018', '442079460018'],
      ['4.42079460018E11', '442079460018'],
      ['4.4207946001799997E11', '442079460018'],
      ['123456789012345', '123456789012345'],
      ['1.5', '1.5'],
      ['0.30000000000000004', '0.3'],
      ['1E-7', '0.0000001'],
      ['-12', '-12'],
    ];
    assert.deepEqual(
      await cellsOf(numbers(cases.map(([written]) => written))),
      cases.map(([, text]) => text),
    );
  });

  it('Numbers with a date format are ISO dates', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="[Red]0&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';
    const values = ['45292', '45292.75', '0.5', '59', '61', '442079460018'];
    const dates = [
      '2024-01-01',
      '2024-01-01T18:00:00',
      '12:00:00',
      '1900-02-28',
      '1900-03-01',
      '442079460018',
    ];
    assert.deepEqual(await cellsOf(numbers(values, 1), { styles }), dates);
    assert.deepEqual(await cellsOf(numbers(['45292'], 2), { styles }), ['2024-01-01']);
    assert.deepEqual(await cellsOf(numbers(['45292'], 3), { styles }), ['45292']);
    assert.deepEqual(await cellsOf(numbers(['43830'], 1), { styles, is1904: true }), ['2024-01-01']);
  });

  it('Booleans and formula results are read, and error cells are empty', async () => {
    const rows =
      '<row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2" t="b"><v>0</v></c><c r="C2" t="str"><f>A1&amp;"x"</f><v>made</v></c><c r="D2"><f>1+1</f><v>2</v></c><c r="E2" t="e"><v>#N/A</v></c><c r="F2" t="d"><v>2024-01-01</v></c><c r="G2"><f>B2</f></c><c r="XFD2" s="1"/></row>';
    const { records } = await read({ sheets: { People: HEADER + rows } }, { header_row: 1 });
    assert.deepEqual(records[0]?.cells, ['TRUE', 'FALSE', 'made', '2', '', '2024-01-01']);
  });

  it('Cells are placed by their references, and empty rows are omitted', async () => {
    const rows =
      '<row r="2"/><row r="3"><c r="A3" t="inlineStr"><is><t> </t></is></c></row><row r="7"><c r="C7"><v>7</v></c><c><v>8</v></c></row><row><c><v>9</v></c></row>';
    const { records } = await read({ sheets: { People: HEADER + rows } }, { header_row: 1 });
    assert.deepEqual(records, [
      { line: 7, cells: ['', '', '7', '8'] },
      { line: 8, cells: ['9'] },
    ]);
  });

  it('Workbook cells have the limits of a CSV file', async () => {
    const row = (cells: string) => ({ sheets: { People: `${HEADER}<row r="2">${cells}</row>` } });
    await assert.rejects(read(row('<c r="GS2"><v>1</v></c>')), {
      message: 'Line 2: has more than 200 columns.',
    });
    const long = (length: number) => `<c t="inlineStr"><is><t>${'x'.repeat(length)}</t></is></c>`;
    await assert.rejects(read(row(long(200_000))), {
      message: 'Line 2: has a cell longer than 32,768 characters.',
    });
    await assert.rejects(read(row(long(30_000).repeat(3))), {
      message: 'Line 2: has a record longer than 65,536 characters.',
    });
  });
});

describe('Workbook sheets', () => {
  const other = rowsXml([['Mobile'], ['+12025550102']]);
  const sheets = { Empty: '<row r="1"/>', Lists: other, People: PEOPLE, Other: other };

  it('All sheets are listed, and the first visible one with content is read', async () => {
    const { sheets: names, format, records } = await read({ sheets, hidden: ['Lists'] });
    assert.deepEqual(names, ['Empty', 'Lists', 'People', 'Other']);
    assert.deepEqual(format, {
      encoding: 'utf-8',
      encoding_source: 'detected',
      delimiter: ',',
      header_row: 1,
      sheet: 'People',
    });
    assert.deepEqual(records, [{ line: 2, cells: ['+12025550101', 'Ada'] }]);
  });

  it('A sheet can be chosen by name, also a hidden one', async () => {
    const { format, records } = await read({ sheets, hidden: ['Lists'] }, { sheet: 'Lists' });
    assert.deepEqual([format.sheet, records], ['Lists', [{ line: 2, cells: ['+12025550102'] }]]);
    await assert.rejects(read({ sheets }, { sheet: 'people' }), (error: { details: unknown }) => {
      assert.deepEqual(error.details, [
        {
          field: 'sheet',
          message: '"people" does not exist. Available sheets: Empty, Lists, People, Other.',
        },
      ]);
      return true;
    });
    await assert.rejects(read({ sheets }, { sheet: 'Empty' }), { message: 'The sheet Empty is empty.' });
  });
});

describe('Unreadable workbooks', () => {
  const DAMAGED = { code: 'VALIDATION_ERROR', message: /^The workbook is incomplete or damaged\./ };
  const whole = workbookOf({ sheets: { People: PEOPLE } });

  it('A truncated workbook is rejected, wherever it is cut', async () => {
    for (let length = 4; length < whole.length; length += 37) {
      await assert.rejects(readAll(whole.subarray(0, length)), DAMAGED, `${length} bytes`);
    }
  });

  it('A workbook with any byte changed is either rejected or read', async () => {
    for (let at = 0; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      await readAll(changed).catch((error) =>
        assert.ok(
          ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'].includes(error.code),
          `byte ${at}: ${error.stack}`,
        ),
      );
    }
  });

  const parts = partsOf({ sheets: { People: PEOPLE } });
  const SHEET = 'xl/worksheets/sheet1.xml';
  const broken: [title: string, sheet: string | Buffer][] = [
    ['elements that are not closed', '<worksheet><sheetData><row>'],
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><worksheet><sheetData/></worksheet>'],
    ['an unknown entity', '<worksheet><sheetData>&a;</sheetData></worksheet>'],
    ['deep nesting', '<a>'.repeat(1_000_000)],
    ['a million attributes', `<a ${Array.from({ length: 100_000 }, (_, at) => `a${at}=""`).join(' ')}/>`],
    ['an attribute without end', `<a b="${'x'.repeat(1_000_000)}"/>`],
    ['a comment without end', `<a><!-- ${'x'.repeat(1_000_000)} --></a>`],
    ['bytes that are not UTF-8', Buffer.from('<worksheet>\xff</worksheet>', 'latin1')],
    ['rows out of order', '<worksheet><sheetData><row r="2"/><row r="1"/></sheetData></worksheet>'],
    [
      'an unknown shared string',
      '<worksheet><sheetData><row><c t="s"><v>0</v></c></row></sheetData></worksheet>',
    ],
    ['a reference that is none', '<worksheet><sheetData><row><c r="1"/></row></sheetData></worksheet>'],
  ];
  for (const [title, sheet] of broken) {
    it(`A workbook with ${title} is rejected`, () =>
      assert.rejects(readAll(zipOf({ ...parts, [SHEET]: sheet })), DAMAGED));
  }

  it('A workbook with a missing part is rejected', async () => {
    for (const name of [SHEET, 'xl/_rels/workbook.xml.rels']) {
      const { [name]: _, ...rest } = parts;
      await assert.rejects(readAll(zipOf(rest)), DAMAGED, name);
    }
  });

  it('A workbook with a password and a file of another type are rejected', async () => {
    await assert.rejects(readAll(zipOf(parts, 1)), { message: /^The workbook is protected by a password\./ });
    await assert.rejects(readAll(zipOf({ 'xl/workbook.bin': '' })), {
      message: /binary Excel workbook \(\.xlsb\)/,
    });
    await assert.rejects(readAll(zipOf({ 'photo.jpg': '' })), {
      message: /^The file is an archive, not an \.xlsx/,
    });
  });

  it('A workbook that is too large, packed or unpacked, is rejected', async () => {
    const large = { code: 'PAYLOAD_TOO_LARGE' };
    await assert.rejects(readAll(Buffer.concat([whole, Buffer.alloc(workbookLimits.file)])), {
      ...large,
      message: 'The workbook is larger than 20 MiB. Save the sheet as CSV and send that.',
    });
    const archive = new Archive(zipOf({ bomb: Buffer.alloc(workbookLimits.unpacked / 2 + 1) }));
    for await (const _ of archive.read('bomb'));
    const readAgain = async () => {
      for await (const _ of archive.read('bomb'));
    };
    await assert.rejects(readAgain(), {
      ...large,
      message: 'The workbook unpacks to more than 256 MiB. Save the sheet as CSV and send that.',
    });
    const strings = Buffer.alloc(workbookLimits.part + 1, ' ');
    strings.write('<sst>');
    await assert.rejects(readAll(zipOf({ ...parts, 'xl/sharedStrings.xml': strings })), {
      ...large,
      message: /^xl\/sharedStrings\.xml in the workbook unpacks to more than 64 MiB\./,
    });
  });

  it('A workbook with too many styles, elements or files is rejected', async () => {
    const styled = (styles: string) => readAll(zipOf(partsOf({ sheets: { People: PEOPLE }, styles })));
    const cells = (count: number) => `<cellXfs>${'<xf/>'.repeat(count)}</cellXfs>`;
    await styled(cells(workbookLimits.styles));
    await assert.rejects(styled(cells(workbookLimits.styles + 1)), DAMAGED);
    await assert.rejects(styled('<xf/>'.repeat(workbookLimits.elements)), DAMAGED);
    const files = Object.fromEntries(Array.from({ length: workbookLimits.files }, (_, at) => [`${at}`, '']));
    await assert.rejects(readAll(zipOf({ ...parts, ...files })), DAMAGED);
  });

  it('A sheet has at most as many rows as Excel allows, with and without numbers', async () => {
    const row = (number: number) => `<row r="${number}"><c><v>1</v></c></row>`;
    const { rows } = workbookLimits;
    assert.deepEqual(await cellsOf(row(rows)), ['1']);
    const error = {
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The sheet has more than 1,048,576 rows. Save the sheet as CSV and send that.',
    };
    await assert.rejects(cellsOf(row(rows + 1)), error);
    await assert.rejects(cellsOf(`${row(rows - 1)}<row/><row/>`), error);
  });

  it('A sheet with far more text than its file is rejected, however the text is written', async () => {
    const long = 'x'.repeat(30_000);
    const sheets: Record<string, WorkbookParts> = {
      'shared strings': {
        strings: `<si><t>${long}</t></si>`,
        sheets: { People: '<row><c t="s"><v>0</v></c></row>'.repeat(1_200) },
      },
      'inline strings': {
        sheets: { People: `<row><c t="inlineStr"><is><t>${long}</t></is></c></row>`.repeat(1_200) },
      },
      'empty cells': { sheets: { People: '<row><c r="GR1"><v>1</v></c></row>'.repeat(60_000) } },
    };
    for (const [kind, each] of Object.entries(sheets)) {
      const bytes = workbookOf(each);
      assert.ok(bytes.length < 200_000, `${kind}: ${bytes.length}`);
      await assert.rejects(readAll(bytes), { code: 'PAYLOAD_TOO_LARGE' }, kind);
    }
  });

  it('A small workbook may repeat its strings', async () => {
    const bytes = workbookOf({
      strings: `<si><t>${'A text of a hundred characters that a hundred thousand rows share. '.repeat(2)}</t></si>`,
      sheets: { People: HEADER + '<row><c t="s"><v>0</v></c></row>'.repeat(100_000) },
    });
    assert.ok(bytes.length < 50_000);
    assert.equal((await readAll(bytes, { header_row: 1 })).records.length, 100_000);
  });

  it('The worker thread survives an unreadable workbook', async () => {
    const options = { ...DEFAULT_RULES, country: 'US' };
    const file = { maxBytes: 1_000, plan: { options, mapping: undefined } };
    const open = (bytes: Uint8Array) => openFile(chunksOf(bytes), file);
    await assert.rejects(open(zipOf({ ...parts, [SHEET]: '<a>'.repeat(300_000) })), DAMAGED);
    const strings = `<sst>${'<si/>'.repeat(200_000)}</sst>`;
    const many = await open(zipOf({ ...parts, 'xl/sharedStrings.xml': strings }));
    for await (const rows of many.rows) assert.equal(rows[0]?.reading?.phone_identity, '+12025550101');
    await many.close();
  });
});
