import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fields } from '../../src/files/csv/headers.ts';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { assertNothingStored, importRows, numberedRows, planCsv, uploadCsv } from '../kit/imports/imports.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

const HEADER = 'Phone,First Name,Notes\n';
const ROW = '+12025550100,Ada,';
/** Enough rows that some are planned before the end is read. */
const MANY = 300;
const many = () => HEADER + numberedRows(MANY).join('');
const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));

const EMPTY = 'The file is empty.';
const IMAGE = 'The file is an image, not a CSV file. Save the table as CSV and send that.';
const UNREADABLE =
  'The file has no readable text: it is not a CSV file. Save the table as CSV and send that.';
const DAMAGED_WORKBOOK =
  'The workbook is incomplete or damaged. Send the whole file; if it is whole, open it in Excel and save it again.';
const NUL = 'has a NUL character. The file is damaged or is not a text file.';
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52];

const files: [title: string, file: () => string | Uint8Array, message: string][] = [
  ['being empty', () => '', EMPTY],
  ['having only blank lines', () => '\n\r\n , ,\n\n', EMPTY],
  ['having only a byte order mark', () => '\ufeff', EMPTY],
  [
    'having only a header',
    () => HEADER,
    'Line 1: is the header row, but no rows follow. Send the file unchanged, with its line breaks.',
  ],
  [
    'having only a header after blank lines',
    () => `\n\n${HEADER}\n`,
    'Line 3: is the header row, but no rows follow. Send the file unchanged, with its line breaks.',
  ],
  [
    'an unclosed quote',
    () => `${HEADER}${ROW}\n+12025550101,"Bob,\n${ROW}\n${ROW}\n`,
    'Line 3: has a quote that is never closed.',
  ],
  [
    'an unclosed quote on a later line of its record',
    () => `${HEADER}+12025550101,"Bob\nand\nEve","Notes\n${ROW}\n`,
    'Line 4: has a quote that is never closed.',
  ],
  [
    'an unclosed quote after many valid rows',
    () => `${many()}+12025550101,"Bob,\n`,
    `Line ${MANY + 2}: has a quote that is never closed.`,
  ],
  [
    'an unclosed quote before many rows',
    () => `${HEADER}${ROW}\n+12025550101,"Bob,\n${numberedRows(20_000).join('')}`,
    'Line 3: has a quote that is not closed within 65,536 characters.',
  ],
  [
    'text after a closing quote',
    () => `${HEADER}${ROW}\n+12025550101,"Bob" B,\n`,
    'Line 3: has text after a closing quote. A quote inside a cell is written twice.',
  ],
  [
    'a million columns',
    () => `Phone${',x'.repeat(1_000_000)}\n${ROW}\n`,
    'Line 1: has more than 200 columns.',
  ],
  [
    'a million columns on a late line',
    () => many() + ',x'.repeat(1_000_000),
    `Line ${MANY + 2}: has more than 200 columns.`,
  ],
  [
    'a cell of a megabyte',
    () => `${HEADER}${ROW}${'x'.repeat(1_048_576)}\n`,
    'Line 2: has a cell longer than 32,768 characters.',
  ],
  ['a NUL', () => `${HEADER}${ROW}\n+12025550101,B\0b,\n`, `Line 3: ${NUL}`],
  ['a NUL after many valid rows', () => `${many()}\0`, `Line ${MANY + 2}: ${NUL}`],
  [
    'a record of control characters',
    () =>
      `${HEADER}${numberedRows(MANY, 'n'.repeat(500)).join('')}${ROW}${'\x01'.repeat(32_768)},${'\x01'.repeat(32_000)}\n`,
    `Line ${MANY + 2}: has a record with thousands of control characters. The file is damaged.`,
  ],
  ['being an image', () => bytes(PNG, [0, 0, 1, 0]), IMAGE],
  ['being a photograph', () => bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0x10], 'JFIF'), IMAGE],
  ['being a truncated workbook', () => bytes('PK\x03\x04', [0x14, 0, 6, 0]), DAMAGED_WORKBOOK],
  [
    'being an encrypted workbook or an .xls file',
    () => bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    'The file is an old Excel workbook (.xls), or one with a password. Save it as .xlsx without a password, or as CSV, and send that.',
  ],
  [
    'containing arbitrary bytes',
    () => Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 256)),
    UNREADABLE,
  ],
  [
    'late invalid bytes in a UTF-8 file',
    () =>
      bytes(HEADER, '+12025550100,Zoë,\n', numberedRows(MANY, 'x'.repeat(250)).join(''), ROW, [0xff], '\n'),
    `Line ${MANY + 3}: has bytes that are not utf-8. Choose the encoding of the file, or save it as UTF-8.`,
  ],
];

const FIELDS = fields.join(', ');
const OBJECT = 'must be a JSON object, for example {"0": "phone_number"}.';

const queries: [query: Record<string, string>, field: string, message: string][] = [
  [{ country: 'usa' }, 'country', 'must be a two-letter country code, for example US.'],
  [{ country: 'us' }, 'country', 'must be a two-letter country code, for example US.'],
  [{ country: 'ZZ' }, 'country', 'must be a two-letter country code, for example US.'],
  [{ country: '' }, 'country', 'must be a two-letter country code, for example US.'],
  [{ legacy: 'perhaps' }, 'legacy', 'must be true or false.'],
  [{ on_existing: 'merge' }, 'on_existing', 'must be one of skip, fill, overwrite.'],
  [{ tags: 'append' }, 'tags', 'must be one of merge, replace.'],
  [{ name: '' }, 'name', 'must have at least 1 character.'],
  [{ name: 'a\0b' }, 'name', 'must not contain U+0000 or half of a surrogate pair.'],
  [{ mapping: 'phone_number' }, 'mapping', OBJECT],
  [{ mapping: '' }, 'mapping', OBJECT],
  [{ mapping: '["phone_number"]' }, 'mapping', 'must be an object, not an array.'],
  [{ mapping: '{"0":7}' }, 'mapping.0', 'must be a string, not number.'],
  [
    { mapping: '{"2":"fax"}' },
    'columns',
    `cannot be mapped to "fax". Allowed fields: ${FIELDS}, fields.<key>, variables.<name>.`,
  ],
  [{ mapping: '{"3":"email"}' }, 'columns', 'do not include index 3. Indexes range from 0 to 2.'],
  [
    { mapping: '{"__proto__":"email"}' },
    'columns',
    'do not include "__proto__". Available columns: Phone, First Name, Notes.',
  ],
  [
    { mapping: '{"1":"notes","2":"notes"}' },
    'columns',
    '"First Name" and "Notes" are both mapped to notes. Map only one of them.',
  ],
  [
    { mapping: '{"0":null}' },
    'columns',
    'must include a phone number. Map one of these to phone_number: "Phone", "First Name", "Notes".',
  ],
  [
    { delimiter: ';' },
    'delimiter',
    'is not a field of this request. Allowed fields: country, legacy, on_existing, tags, on_invalid, on_invalid_email, on_duplicate, crm, campaign_id, encoding, header_row, sheet, name, mapping, create_fields.',
  ],
];

onSqlite('Files that cannot be imported', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  for (const [title, file, message] of files) {
    test(`A file is rejected for ${title}`, async () => {
      const error = assertError(await uploadCsv(owner, file()), 400, 'VALIDATION_ERROR');
      assert.equal(error.message, message);
      assert.deepEqual(error.details, [{ field: 'file', message }]);
      await assertNothingStored(service, owner);
    });
  }

  test('The request for columns rejects an invalid file with the same message', async () => {
    const readColumns = (raw: string | Uint8Array) =>
      owner.call('POST', '/imports/columns', undefined, { raw });
    for (const [title, file, message] of files.slice(0, 4)) {
      assert.equal(assertError(await readColumns(file()), 400, 'VALIDATION_ERROR').message, message, title);
    }
    assert.equal(assertError(await readColumns(bytes(PNG)), 400, 'VALIDATION_ERROR').message, IMAGE);
    const cut = await readColumns(`${HEADER}${ROW}\n${ROW}\n+1202555,"cut he`);
    assert.deepEqual(
      cut.body.data.columns.map(({ field }: Json) => field),
      ['phone_number', 'first_name', 'notes'],
    );
    await assertNothingStored(service, owner);
  });

  test('An import without a body is rejected', async () => {
    assert.equal(assertError(await owner.call('POST', '/imports'), 400, 'VALIDATION_ERROR').message, EMPTY);
  });

  for (const [query, field, message] of queries) {
    test(`An import with the query ${new URLSearchParams(query)} is rejected`, async () => {
      const error = assertInvalid(await uploadCsv(owner, `${HEADER}${ROW}\n`, query), field);
      assert.equal(error.details[0].message, message);
    });
  }

  test('An import with a repeated query parameter is rejected', async () => {
    const reply = await owner.call('POST', '/imports?country=US&country=GB', undefined, { raw: ROW });
    assertInvalid(reply, 'country');
  });

  test('Rejected imports leave nothing behind, whatever their query', () =>
    assertNothingStored(service, owner));

  test('A missing phone column is reported before other errors, with the available columns', async () => {
    const file = `First Name,Email\n${'Ada,ada@example.com\n'.repeat(MANY)}Bob,"never closed`;
    const error = assertInvalid(
      await uploadCsv(owner, file, { mapping: '{"7":"notes"}' }),
      'columns',
      'columns',
    );
    assert.equal(
      error.details[0].message,
      'must include a phone number. Map one of these to phone_number: "First Name", "Email".',
    );
    await assertNothingStored(service, owner);
  });

  test('Malformed forms and compressed files are rejected with what to send instead', async () => {
    const send = (headers: Record<string, string>) =>
      owner.call('POST', '/imports', undefined, { raw: HEADER + ROW, headers });
    const form = await send({ 'content-type': 'multipart/form-data; boundary=x' });
    assert.match(assertError(form, 400, 'VALIDATION_ERROR').message, /closing boundary is missing/);
    const mixed = await send({ 'content-type': 'multipart/mixed; boundary=x' });
    assert.match(assertError(mixed, 415, 'UNSUPPORTED_MEDIA_TYPE').message, /multipart\/form-data/);
    const packed = await send({ 'content-type': 'text/csv', 'content-encoding': 'gzip' });
    assert.match(assertError(packed, 415, 'UNSUPPORTED_MEDIA_TYPE').message, /uncompressed/);
    await assertNothingStored(service, owner);
  });

  test('Mixed line endings are accepted, and each row keeps its line number', async () => {
    const { id, totals } = await planCsv(
      owner,
      'Phone,First Name\r\n+12025550101,"A\r\nB"\n\n+12025550102,B\r+12025550103,C',
    );
    assert.deepEqual(totals, { create: 3 });
    assert.deepEqual(
      (await importRows(owner, id)).map(({ line }) => line),
      [2, 5, 6],
    );
    assert.equal((await owner.call('DELETE', `/imports/${id}`)).status, 200);
    await assertNothingStored(service, owner);
  });
});
