import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { encodeText } from '../kit/imports/encodings.ts';
import { applyImport, importRows, planCsv, uploadCsv, waitForImport } from '../kit/imports/imports.ts';
import { onSqlite } from '../kit/service/test-service.ts';

const CYRILLIC = ['Иван Петров', 'Ольга Смирнова', 'Дмитрий Кузнецов', 'Анна Волкова', 'Сергей Попов'];

onSqlite('Reading of import files', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });
  const readColumns = (csv: Uint8Array | string, query = '') =>
    owner.call('POST', `/imports/columns${query}`, undefined, {
      raw: csv,
      headers: { 'content-type': 'text/csv' },
    });
  const names = async (id: string) => (await importRows(owner, id)).map(({ cells }) => cells[0]);

  test('A Windows-1251 file is decoded as such, and the plan reports the encoding', async () => {
    const lines = CYRILLIC.map((name, at) => `${name},+120255501${10 + at}\n`);
    const file = encodeText(`Name,Phone\n${lines.join('')}`, 'windows-1251');
    const { id, file: format } = await planCsv(owner, file);
    assert.deepEqual(format, {
      encoding: 'windows-1251',
      encoding_source: 'detected',
      delimiter: ',',
      header_row: 1,
      sheet: null,
    });
    assert.deepEqual(await names(id), CYRILLIC);
  });

  test('An explicit encoding overrides detection and must match the file', async () => {
    const file = encodeText('Name,Phone\n王伟,+12025550120\n', 'gb18030');
    const guessed = (await readColumns(file)).body.data;
    assert.equal(guessed.encoding_source, 'guessed');
    const chosen = (await readColumns(file, '?encoding=gb18030')).body.data;
    assert.deepEqual([chosen.encoding, chosen.encoding_source], ['gb18030', 'chosen']);
    assert.deepEqual(chosen.preview[1], { line: 2, cells: ['王伟', '+12025550120'] });
    const plan = await planCsv(owner, file, { encoding: 'gb18030' });
    assert.deepEqual(await names(plan.id), ['王伟']);
    const refused = await uploadCsv(owner, file, { encoding: 'utf-8' });
    assertInvalid(refused, 'file');
    assert.match(refused.body.error.message, /^Line 2: has bytes that are not utf-8\. Choose the encoding/);
    assertInvalid(await uploadCsv(owner, file, { encoding: 'klingon' }), 'encoding');
  });

  test('A line that is not UTF-8 is named also after a replacement character of the file', async () => {
    const start = Buffer.from('Name,Phone\nZo\ufffd,+12025550120\n');
    const file = Buffer.concat([start, encodeText('王伟,+12025550121\n', 'gb18030')]);
    const refused = await uploadCsv(owner, file, { encoding: 'utf-8' });
    assertInvalid(refused, 'file');
    assert.match(refused.body.error.message, /^Line 3: has bytes that are not utf-8\./);
  });

  test('A late non-ASCII character is decoded with the encoding of the plan', async () => {
    const ascii = `${'x'.repeat(60)},+12025550130\n`.repeat(2_000);
    const file = encodeText(`Name,Phone\n${ascii}Zoë Müller,+12025550131\n`, 'windows-1252');
    const { id, file: format } = await planCsv(owner, file);
    assert.equal(format.encoding, 'windows-1252');
    assert.equal(
      (await owner.call('GET', `/imports/${id}/rows?offset=2000`)).body.data[0].cells[0],
      'Zoë Müller',
    );
  });

  const TITLED = 'Customers 2026,,\n\nName,Phone,Email\nAda,+12025550140,a@example.com\nBob,+12025550141,\n';

  test('Title lines above the header are skipped, and another header line can be chosen', async () => {
    const { id, file, totals } = await planCsv(owner, TITLED);
    assert.deepEqual([file.header_row, totals], [3, { create: 2 }]);
    assert.deepEqual(
      (await importRows(owner, id)).map(({ line }) => line),
      [4, 5],
    );
    const none = await planCsv(owner, TITLED, { header_row: '0', mapping: '{"1":"phone_number"}' });
    assert.deepEqual([none.file.header_row, none.totals], [null, { create: 2, invalid: 2 }]);
    const { preview } = (await readColumns(TITLED, '?header_row=1')).body.data;
    assert.deepEqual(
      preview.map(({ line }: { line: number }) => line),
      [1, 3, 4, 5],
    );
    assertInvalid(await uploadCsv(owner, TITLED, { header_row: '2' }), 'file');
    assertInvalid(await uploadCsv(owner, TITLED, { header_row: '51' }), 'header_row');
  });

  const MIXED = `Phone,Name,Email,Tags\n+12025550150,Ada,no address,vip\n+12025550151,Bob,b@example.com,${'x'.repeat(65)}\n12,Eve,,\n`;

  test('An invalid optional cell is dropped with a warning, and the row is imported', async () => {
    const { id, options, totals } = await planCsv(owner, MIXED);
    assert.equal(options.on_invalid, 'omit_field');
    assert.deepEqual(totals, { create: 2, invalid: 1, with_warnings: 2 });
    const { data, pagination } = (await owner.call('GET', `/imports/${id}/rows?warnings=true`)).body;
    assert.equal(pagination.total, 2);
    assert.deepEqual(
      data.map(({ warnings }: { warnings: { field: string }[] }) => warnings.map(({ field }) => field)),
      [['email'], ['tags']],
    );
    const report = (await owner.call('GET', `/imports/${id}/report.csv`)).text;
    assert.match(report, /2,create,,,"email must be an email address/);
    assert.equal((await applyImport(owner, id)).totals.created, 2);
    const { body } = await service.get('/v1/contacts?search=2025550150');
    assert.deepEqual(
      [body.data[0].display_name, body.data[0].email, body.data[0].tags],
      ['Ada', null, ['vip']],
    );
  });

  test('on_invalid=reject_row rejects the whole row, also when the import is planned again', async () => {
    const { id, totals } = await planCsv(owner, MIXED.replaceAll('+1202555015', '+1202555016'), {
      on_invalid: 'reject_row',
    });
    assert.deepEqual(totals, { invalid: 3 });
    assert.equal((await owner.call('PATCH', `/imports/${id}`, { on_invalid: 'omit_field' })).status, 200);
    assert.deepEqual((await waitForImport(owner, id)).totals, { create: 2, invalid: 1, with_warnings: 2 });
  });

  test('The rows of an import accept only one filter per request', async () => {
    const { id } = await planCsv(owner, MIXED.replaceAll('+1202555015', '+1202555017'));
    assertInvalid(await owner.call('GET', `/imports/${id}/rows?verdict=create&warnings=true`), 'warnings');
  });
});
