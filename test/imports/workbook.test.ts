import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { applyImport, importRows, planCsv, uploadCsv } from '../kit/imports/imports.ts';
import { rowsXml, workbookOf } from '../kit/imports/workbook.ts';
import { onSqlite } from '../kit/service/test-service.ts';

const HEADER =
  '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="s"><v>2</v></c></row>';
const CUSTOMERS = `<row r="1"><c r="A1" t="inlineStr"><is><t>Customers</t></is></c></row>${HEADER}<row r="4"><c r="A4"><v>442079460018</v></c><c r="B4" t="s"><v>3</v></c><c r="C4" s="1"><v>45292</v></c></row><row r="6"><c r="A6"><v>4.4207946001900001E11</v></c><c r="B6" t="e"><v>#N/A</v></c></row>`;
const WORKBOOK = workbookOf({
  strings: '<si><t>Phone</t></si><si><t>Name</t></si><si><t>Notes</t></si><si><t>Ada Lovelace</t></si>',
  styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
  sheets: {
    Cover: '',
    People: CUSTOMERS,
    Others: rowsXml([
      ['Phone', 'Name'],
      ['+12025550101', 'Bob'],
    ]),
  },
});

onSqlite('XLSX workbooks', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });
  const readColumns = (file: Uint8Array, query = '') =>
    owner.call('POST', `/imports/columns${query}`, undefined, {
      raw: file,
      headers: { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
    });

  test('A workbook is planned and applied like a CSV file, with its own row numbers', async () => {
    const { id, file, totals } = await planCsv(owner, WORKBOOK, { country: 'GB' });
    const format = { encoding: 'utf-8', encoding_source: 'detected', delimiter: ',' };
    assert.deepEqual(file, { ...format, header_row: 3, sheet: 'People' });
    assert.deepEqual(totals, { create: 2 });
    assert.deepEqual(
      (await importRows(owner, id)).map(({ line, cells }) => [line, ...cells]),
      [
        [4, '442079460018', 'Ada Lovelace', '2024-01-01'],
        [6, '442079460019'],
      ],
    );
    assert.equal((await applyImport(owner, id)).totals.created, 2);
    const { body } = await service.get('/v1/contacts?search=2079460018');
    assert.deepEqual(
      body.data.map((contact: Record<string, string>) => [
        contact.phone_number,
        contact.display_name,
        contact.notes,
      ]),
      [['+442079460018', 'Ada Lovelace', '2024-01-01']],
    );
  });

  test('A plan lists the sheets of a workbook, and another sheet can be chosen', async () => {
    const { status, body } = await readColumns(WORKBOOK);
    assert.equal(status, 200);
    assert.deepEqual([body.data.sheet, body.data.sheets], ['People', ['Cover', 'People', 'Others']]);
    assert.deepEqual(body.data.preview[1], { line: 3, cells: ['Phone', 'Name', 'Notes'] });
    const others = (await readColumns(WORKBOOK, '?sheet=Others')).body.data;
    assert.deepEqual([others.sheet, others.preview[1].cells], ['Others', ['+12025550101', 'Bob']]);
    const { file, totals } = await planCsv(owner, WORKBOOK, { sheet: 'Others' });
    assert.deepEqual([file.sheet, totals], ['Others', { create: 1 }]);
    assertInvalid(await readColumns(WORKBOOK, '?sheet=Nowhere'), 'sheet');
    assertInvalid(await uploadCsv(owner, WORKBOOK, { sheet: 'Nowhere' }), 'sheet');
    assertInvalid(await readColumns(Buffer.from('Phone\n+12025550101\n'), '?sheet=People'), 'sheet');
    assertInvalid(await readColumns(WORKBOOK, '?encoding=utf-8'), 'encoding');
  });

  test('The columns of a workbook are read from the whole file, up to 20 MiB', async () => {
    const noise = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * at * 31 + at * 7) % 251));
    const large = Buffer.concat([WORKBOOK.subarray(0, 4), noise]);
    assertInvalid(await readColumns(large), 'file');
    const padded = workbookOf({ sheets: { People: rowsXml(manyRows()) } });
    assert.ok(padded.length > 1_048_576, `${padded.length} bytes`);
    assert.equal((await readColumns(padded)).body.data.sheet, 'People');
    const { status, body } = await readColumns(Buffer.concat([padded, Buffer.alloc(20_971_520)]));
    assert.deepEqual(
      [status, body.error.message],
      [413, 'The workbook is larger than 20 MiB. Save the sheet as CSV and send that.'],
    );
  });
});

/** Rows that hardly compress. */
const manyRows = (): string[][] => {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state.toString(36);
  };
  return [
    ['Phone', 'Notes'],
    ...Array.from({ length: 600 }, () => ['+12025550101', Array.from({ length: 500 }, next).join('')]),
  ];
};
