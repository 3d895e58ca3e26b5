import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { assertCounts } from '../kit/imports/assertions.ts';
import {
  applyImport,
  importRows,
  planCsv,
  undoImport,
  uploadCsv,
  waitForImport,
} from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const phone = (at: number) => `+141555501${String(at).padStart(2, '0')}`;

onEveryEngine('What an import explains', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const reasonsOf = async (id: string): Promise<Json> =>
    (await owner.call('GET', `/imports/${id}/reasons`)).body.data;
  const rulesOf = async (id: string): Promise<Json> =>
    (await owner.call('GET', `/imports/${id}`)).body.data.options;
  const replan = async (id: string, body: Json): Promise<Json> => {
    const reply = await owner.call('PATCH', `/imports/${id}`, body);
    assert.equal(reply.status, 200, reply.text);
    return waitForImport(owner, id);
  };
  const detailed = async (id: string, query = ''): Promise<Json[]> =>
    (await owner.call('GET', `/imports/${id}/rows?include=changes${query}`)).body.data;
  const contact = async (number: string): Promise<Json> => {
    const reply = await owner.call('GET', `/contacts?search=${encodeURIComponent(number)}`);
    return (await owner.call('GET', `/contacts/${reply.body.data[0].id}`)).body.data;
  };

  test('Reasons are grouped with counts, and a row belongs to the reason of its first problem', async () => {
    const csv = [
      'Phone,First name,Email',
      '(415) 555-0110,No country,',
      '(415) 555-0111,No country,',
      ',No number,',
      '4.15556E+11,Lost digits,',
      `${phone(12)},Bad email,nothing`,
      `${phone(12)},Again,`,
      `${phone(13)},Fine,ada@example.com`,
    ].join('\n');
    const { data: plan } = (
      await owner.call('POST', '/imports', undefined, { raw: csv, headers: { 'content-type': 'text/csv' } })
    ).body;
    const { reasons, header_row } = await reasonsOf(plan.id);
    assert.equal(header_row, null);
    assert.deepEqual(
      reasons.map(({ reason, count, rejected, line }: Json) => [reason, count, rejected, line]).toSorted(),
      [
        ['country_missing', 2, true, 2],
        ['digits_lost', 1, true, 5],
        ['duplicate_in_file', 1, true, 7],
        ['email_invalid', 1, false, 6],
        ['phone_missing', 1, true, 4],
      ],
    );
    assert.deepEqual(reasons[0].reason, 'country_missing');
    const listed = await owner.call('GET', `/imports/${plan.id}/rows?reason=country_missing&limit=1`);
    assert.deepEqual([listed.body.data[0].line, listed.body.pagination.total], [2, 2]);
    const report = await owner.call('GET', `/imports/${plan.id}/report.csv?reason=country_missing`);
    assert.equal(report.text.trim().split('\r\n').length, 3);
    const both = '?reason=country_missing&verdict=invalid';
    assertInvalid(await owner.call('GET', `/imports/${plan.id}/rows${both}`), 'reason');
    assertInvalid(await owner.call('GET', `/imports/${plan.id}/report.csv${both}`), 'reason');
    const fixed = await replan(plan.id, { country: 'US' });
    assert.deepEqual(fixed.totals, { create: 4, invalid: 2, duplicate_in_file: 1, with_warnings: 1 });
    assert.ok(!(await reasonsOf(plan.id)).reasons.some(({ reason }: Json) => reason === 'country_missing'));
  });

  test('Numbers that do not fit the chosen country have their own reason until another country is chosen', async () => {
    const csv =
      'Phone,First name\n030 23125001,Berlin\n030 23125002,Berlin\nno number,Text\n14155550114,Abroad\n';
    const options = { raw: csv, headers: { 'content-type': 'text/csv' } };
    const { data: plan } = (await owner.call('POST', '/imports?country=FR', undefined, options)).body;
    const codes = async () =>
      Object.fromEntries(
        (await reasonsOf(plan.id)).reasons.map(({ reason, count }: Json) => [reason, count]),
      );
    assert.deepEqual(await codes(), { country_mismatch: 3, phone_invalid: 1 });
    const { reasons } = await reasonsOf(plan.id);
    assert.equal(reasons[0].message, 'has too many digits for a number in FR.');
    const listed = await owner.call('GET', `/imports/${plan.id}/rows?reason=country_mismatch`);
    assert.equal(listed.body.pagination.total, 3);
    const fixed = await replan(plan.id, { country: 'DE' });
    assert.deepEqual(fixed.totals, { create: 2, invalid: 2 });
    assert.deepEqual(await codes(), { country_ambiguous: 1, phone_invalid: 1 });
  });

  test('The rows show the normalized number and what changes in an existing contact', async () => {
    const reply = await service.post('/v1/contacts', {
      phone_number: phone(20),
      first_name: 'Ada',
      company: 'Old',
      tags: ['vip'],
    });
    assert.equal(reply.status, 201, reply.text);
    const csv = `Phone,First name,Company,Tags\n(415) 555-0120,Grace,New,vip;spring\n${phone(21)},New,,\n12,Wrong,,\n`;
    const { id } = await planCsv(owner, csv, { on_existing: 'overwrite' });
    const [update, create, wrong] = await detailed(id);
    assert.equal(update?.normalized_phone, phone(20));
    const text = (field: string, before: string | null, after: string) => ({
      field,
      before,
      after,
      added: [],
      removed: [],
    });
    const changes = [
      text('first_name', 'Ada', 'Grace'),
      text('company', 'Old', 'New'),
      { field: 'tags', before: null, after: null, added: ['spring'], removed: [] },
    ];
    assert.deepEqual(update?.changes, changes);
    assert.deepEqual([create?.normalized_phone, create?.changes], [phone(21), []]);
    assert.deepEqual([wrong?.normalized_phone, wrong?.changes], [null, []]);
    const [plain] = await importRows(owner, id);
    assert.ok(plain && !('changes' in plain) && !('normalized_phone' in plain));
    await applyImport(owner, id);
    assert.deepEqual((await detailed(id, '&effect=updated'))[0]?.changes, changes);
    await undoImport(owner, id);
    assert.deepEqual((await detailed(id, '&effect=restored'))[0]?.changes, []);
  });

  test('A line below the detected header row becomes the header row', async () => {
    const csv = `Alpha,Beta,Gamma,Delta\nExport,of,today,ada@example.com\nPhone,First name,Company,Email\n${phone(30)},Ada,Acme,\n${phone(31)},Grace,,\n${phone(31)},Twice,,\n`;
    const plan = await planCsv(owner, csv, { header_row: '1', mapping: '{"0":"phone_number"}' });
    assert.equal(plan.rows, 5);
    const { header_row } = await reasonsOf(plan.id);
    assert.deepEqual(header_row, { line: 3, names: ['Phone', 'First name', 'Company', 'Email'] });
    for (const line of [1, 6, 40]) {
      assertInvalid(await owner.call('PATCH', `/imports/${plan.id}`, { header_row: line }), 'header_row');
    }
    const moved = await replan(plan.id, { header_row: 3 });
    assert.equal(moved.file.header_row, 3);
    assert.deepEqual(
      moved.columns.map(({ name, field }: Json) => [name, field]),
      [
        ['Phone', 'phone_number'],
        ['First name', 'first_name'],
        ['Company', 'company'],
        ['Email', 'email'],
      ],
    );
    assert.deepEqual([moved.rows, moved.progress, moved.totals], [3, 3, { create: 2, duplicate_in_file: 1 }]);
    assert.equal((await reasonsOf(plan.id)).header_row, null);
    const applied = await applyImport(owner, plan.id);
    assert.deepEqual([applied.state, applied.totals.created], ['applied', 2]);
    assert.equal((await contact(phone(31))).first_name, 'Grace');
    assert.equal((await undoImport(owner, plan.id)).totals.removed, 2);
  });

  test('Only invalid email addresses can be skipped, while other invalid cells reject the row', async () => {
    const long = 'x'.repeat(101);
    const csv = `Phone,First name,Email\n${phone(40)},Ada,nothing\n${phone(41)},${long},\n`;
    const { id, totals } = await planCsv(owner, csv, { on_invalid: 'reject_row' });
    assert.deepEqual(totals, { invalid: 2 });
    const { totals: after, options } = await replan(id, { on_invalid_email: 'omit_field' });
    assert.deepEqual(after, { create: 1, with_warnings: 1, invalid: 1 });
    assert.equal(options.on_invalid_email, 'omit_field');
    assert.deepEqual((await replan(id, { on_invalid_email: null })).totals, { invalid: 2 });
  });

  test('Of several rows with one number the first or the last counts, or they are merged', async () => {
    const header = 'Phone,First name,Company,Tags';
    const twice = [`${phone(50)},Ada,,vip`, `${phone(50)},Grace,Acme,spring`, `${phone(50)},,Other,`];
    const filler = Array.from(
      { length: 150 },
      (_, at) => `+1${300 + Math.floor(at / 100)}55501${String(at % 100).padStart(2, '0')},,,`,
    );
    const csv = [header, twice[0], ...filler, twice[1], twice[2]].join('\n');
    const { id, totals } = await planCsv(owner, csv);
    assert.deepEqual(totals, { create: 151, duplicate_in_file: 2 });
    const duplicates = async () =>
      (await importRows(owner, id)).flatMap(({ line, verdict, reason }) =>
        verdict === 'duplicate_in_file' ? [[line, reason]] : [],
      );
    assert.deepEqual(await duplicates(), [
      [153, 'Same number as line 2.'],
      [154, 'Same number as line 2.'],
    ]);
    assert.deepEqual((await replan(id, { on_duplicate: 'last' })).totals, totals);
    assert.deepEqual(await duplicates(), [
      [2, 'Replaced by line 153.'],
      [153, 'Replaced by line 154.'],
    ]);
    assert.equal((await reasonsOf(id)).reasons[0].count, 2);
    assert.deepEqual((await replan(id, { on_duplicate: 'fill' })).totals, totals);
    assert.deepEqual(await duplicates(), [
      [153, 'Merged into line 2.'],
      [154, 'Merged into line 2.'],
    ]);
    const applied = await applyImport(owner, id);
    assert.equal(applied.totals.created, 151);
    const { first_name, company, tags } = await contact(phone(50));
    assert.deepEqual([first_name, company, tags], ['Ada', 'Acme', ['vip', 'spring']]);
    await assertCounts(service.database);
    assert.equal((await undoImport(owner, id)).totals.removed, 151);
  });

  test('Rows merged into an unchanged contact make it an update, and undo restores it', async () => {
    await service.post('/v1/contacts', { phone_number: phone(60), first_name: 'Ada' });
    const csv = `Phone,First name,Company\n${phone(60)},Ada,\n${phone(60)},Ada,Acme\n`;
    const { id, totals } = await planCsv(owner, csv, { on_duplicate: 'fill' });
    assert.deepEqual(totals, { update: 1, duplicate_in_file: 1 });
    assert.deepEqual((await detailed(id))[0]?.changes, [
      { field: 'company', before: null, after: 'Acme', added: [], removed: [] },
    ]);
    await applyImport(owner, id);
    const { id: contactId, company } = await contact(phone(60));
    assert.equal(company, 'Acme');
    await undoImport(owner, id);
    assert.equal((await contact(phone(60))).company, null);
    assert.equal((await owner.call('DELETE', `/contacts/${contactId}`)).status, 200);
    const stored = await service.database.query(
      'select cells, merged, crm_id from import_rows where merged is not null',
    );
    assert.deepEqual(stored, []);
  });

  test('A column is imported as the id in a CRM, and an id on two lines is explained', async () => {
    await service.post('/v1/contacts', { phone_number: phone(70), first_name: 'Ada' });
    const csv = `Phone,Record ID\n${phone(70)},h-1\n${phone(71)},h-2\n${phone(72)},h-2\n`;
    const mapping = '{"1":"crm_ids"}';
    assertInvalid(await uploadCsv(owner, csv, { mapping }), 'crm');
    const { id, totals, columns } = await planCsv(owner, csv, { mapping, crm: 'hubspot' });
    assert.deepEqual(totals, { update: 1, create: 2, with_warnings: 1 });
    assert.equal(columns[1].field, 'crm_ids');
    assert.equal((await rulesOf(id)).crm, 'hubspot');
    const [update, , conflict] = await detailed(id);
    assert.deepEqual(update?.changes, [
      { field: 'crm_ids', before: null, after: 'h-1', added: [], removed: [] },
    ]);
    assert.deepEqual(conflict?.warnings, [
      { field: 'crm_ids', message: 'is also on line 3. A CRM id identifies one contact.' },
    ]);
    assert.equal((await reasonsOf(id)).reasons[0].reason, 'crm_id_conflict');
    await applyImport(owner, id);
    assert.deepEqual((await contact(phone(70))).crm_ids, { hubspot: 'h-1' });
    assert.deepEqual((await contact(phone(71))).crm_ids, { hubspot: 'h-2' });
    assert.deepEqual((await contact(phone(72))).crm_ids, {});
    await undoImport(owner, id);
    assert.deepEqual((await contact(phone(70))).crm_ids, {});
  });

  test('The reasons of an import in another workspace do not exist', async () => {
    const reply = await owner.call('GET', '/imports/import_01arz3ndektsv4rrffq69g5fav/reasons');
    assertError(reply, 404, 'NOT_FOUND');
  });
});
