import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import {
  applyImport,
  importRows,
  planCsv,
  undoImport,
  uploadCsv,
  waitForImport,
} from '../kit/imports/imports.ts';
import { rowsXml, workbookOf } from '../kit/imports/workbook.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

onEveryEngine('Import of contact fields', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    await owner.request('PATCH', '/settings', { time_zone: 'Europe/Berlin' });
    const fields: [string, string, Json?][] = [
      ['plan', 'enum', { options: ['gold', 'Silver'] }],
      ['balance', 'number'],
      ['renewal_date', 'date'],
      ['active', 'boolean'],
      ['last_login', 'datetime'],
      ['account_url', 'url'],
      ['shoe_size', 'text'],
    ];
    for (const [key, type, more] of fields) await makeField(service, key, type, more);
    await service.database.query(`update contact_fields set label = 'Customer plan' where key = 'plan'`);
  });
  const fieldsByPhone = async (phone: string): Promise<Json | undefined> => {
    const query = new URLSearchParams({ search: phone, include: 'fields' });
    return (await service.get(`/v1/contacts?${query}`)).body.data[0]?.fields;
  };
  const fieldsOf = async (id: string): Promise<Json> =>
    (await service.get(`/v1/contacts/${id}?include=fields`)).body.data.fields;

  const columnsOf = async (csv: string) => {
    const raw = { raw: csv, headers: { 'content-type': 'text/csv' } };
    const reply = await owner.call('POST', '/imports/columns', undefined, raw);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data.columns as Json[];
  };

  test('Headers with the key or the label of a field are mapped to it, and cells are read by its type', async () => {
    const phones = [newPhone(), newPhone(), newPhone()];
    const csv = [
      'Phone;CUSTOMER PLAN;Balance;renewalDate;Active?;last login;Account URL;Shoe-Size;Other',
      `${phones[0]};GOLD;1.234,50;31.12.2026;yes;2026-01-31 09:30;https://example.com/7; 42 ;x`,
      `${phones[1]};silver;-1.500;2026-12-31;0;2026-07-31T09:30:00Z;;;`,
      `${phones[2]};;;;;;;;`,
    ].join('\n');
    const { id, totals, columns } = await planCsv(owner, csv);
    assert.deepEqual(
      columns.map(({ field, certainty }: Json) => `${field} ${certainty}`),
      [
        'phone_number name',
        ...['plan', 'balance', 'renewal_date', 'active', 'last_login', 'account_url', 'shoe_size'].map(
          (key) => `fields.${key} name`,
        ),
        'null null',
      ],
    );
    assert.deepEqual(totals, { create: 3 });
    assert.equal((await applyImport(owner, id)).totals.created, 3);
    assert.deepEqual(await fieldsByPhone(phones[0] ?? ''), {
      plan: 'gold',
      balance: 1234.5,
      renewal_date: '2026-12-31',
      active: true,
      last_login: '2026-01-31T08:30:00.000Z',
      account_url: 'https://example.com/7',
      shoe_size: ' 42 ',
    });
    assert.deepEqual(await fieldsByPhone(phones[1] ?? ''), {
      plan: 'Silver',
      balance: -1500,
      renewal_date: '2026-12-31',
      active: false,
      last_login: '2026-07-31T09:30:00.000Z',
    });
    assert.deepEqual(await fieldsByPhone(phones[2] ?? ''), {});
  });

  test('A cell that cannot be read is left out with a warning, or rejects its row', async () => {
    const csv = `Phone,Plan,Balance,Renewal date\n${newPhone()},bronze,1.234,05/06/2026\n${newPhone()},gold,7,2026-01-31\n`;
    const { id, totals } = await planCsv(owner, csv);
    assert.deepEqual(totals, { create: 2, with_warnings: 1 });
    const [row] = await importRows(owner, id);
    assert.deepEqual(
      row?.warnings.map(({ field }: Json) => field),
      ['fields.plan', 'fields.balance', 'fields.renewal_date'],
    );
    assert.equal(row?.warnings[0].message, 'must be one of gold, Silver.');
    assert.match(row?.warnings[1].message, /^could be a whole number or one with decimals/);
    assert.match(row?.warnings[2].message, /^could have the day or the month first/);
    const report = (await owner.call('GET', `/imports/${id}/report.csv`)).text;
    assert.match(report, /fields\.plan must be one of gold, Silver\. fields\.balance could be/);
    const reasons = (await owner.request('GET', `/imports/${id}/reasons`)).reasons;
    assert.deepEqual(
      reasons.map(({ reason, count, field }: Json) => [reason, count, field]),
      [['value_invalid', 1, 'fields.plan']],
    );
    const strict = await planCsv(owner, csv, { on_invalid: 'reject_row' });
    assert.deepEqual(strict.totals, { create: 1, invalid: 1 });
    assert.equal((await importRows(owner, strict.id))[0]?.field, 'fields.plan');
    const applied = await applyImport(owner, id);
    assert.equal(applied.totals.created, 2);
    const phone = row?.cells[0];
    assert.deepEqual(await fieldsByPhone(phone), {});
  });

  test('A workbook has numbers with a point, and dates as cells', async () => {
    const phone = newPhone();
    const serial = `<row r="2"><c r="A2" t="inlineStr"><is><t>${phone}</t></is></c><c r="B2"><v>1.234</v></c><c r="C2" s="1"><v>46053</v></c><c r="D2" s="1"><v>46053.5</v></c><c r="E2" t="b"><v>1</v></c></row>`;
    const file = workbookOf({
      styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
      sheets: {
        People: `${rowsXml([['Phone', 'Balance', 'Renewal date', 'Last login', 'Active']])}${serial}`,
      },
    });
    const { id } = await planCsv(owner, file);
    assert.equal((await applyImport(owner, id)).totals.created, 1);
    assert.deepEqual(await fieldsByPhone(phone), {
      active: true,
      balance: 1.234,
      last_login: '2026-01-31T11:00:00.000Z',
      renewal_date: '2026-01-31',
    });
  });

  test('The rule for existing contacts decides about fields, and an undo restores those that are unchanged', async () => {
    const values = { plan: 'gold', balance: 0, shoe_size: '' };
    const [filled, overwritten, edited] = [
      await makeContact(service, { fields: values }),
      await makeContact(service, { fields: values }),
      await makeContact(service, { fields: values }),
    ];
    const csvOf = (...contacts: Json[]) =>
      `Phone,Plan,Balance,Active,Shoe size\n${contacts.map(({ phone_number }) => `${phone_number},Silver,5,yes,44`).join('\n')}\n`;
    const fill = await planCsv(owner, csvOf(filled));
    assert.deepEqual(fill.totals, { update: 1 });
    const planned = (await owner.call('GET', `/imports/${fill.id}/rows?include=changes`)).body.data[0];
    const change = { added: [], removed: [] };
    const shown = [
      { field: 'fields.active', before: null, after: 'true', ...change },
      { field: 'fields.shoe_size', before: null, after: '44', ...change },
    ];
    assert.deepEqual(planned.changes, shown);
    await applyImport(owner, fill.id);
    assert.deepEqual(await fieldsOf(filled.id), { active: true, balance: 0, plan: 'gold', shoe_size: '44' });
    const done = (await owner.call('GET', `/imports/${fill.id}/rows?include=changes`)).body.data[0];
    assert.deepEqual(done.changes, shown);

    const overwrite = await planCsv(owner, csvOf(overwritten, edited), { on_existing: 'overwrite' });
    await applyImport(owner, overwrite.id);
    assert.deepEqual(await fieldsOf(overwritten.id), {
      active: true,
      balance: 5,
      plan: 'Silver',
      shoe_size: '44',
    });
    await service.patch(`/v1/contacts/${overwritten.id}`, {
      fields: { account_url: 'https://example.com/' },
    });
    await service.patch(`/v1/contacts/${edited.id}`, { fields: { balance: 6 } });
    const preview = await owner.request('GET', `/imports/${overwrite.id}/undo`);
    assert.deepEqual([preview.restored, preview.edited_by_others], [1, 1]);
    assert.deepEqual((await undoImport(owner, overwrite.id)).totals, {
      update: 2,
      restored: 1,
      edited_since: 1,
    });
    assert.deepEqual(await fieldsOf(overwritten.id), { ...values, account_url: 'https://example.com/' });
    assert.equal((await fieldsOf(edited.id)).balance, 6);
    await undoImport(owner, fill.id);
    assert.deepEqual(await fieldsOf(filled.id), values);
    const again = await planCsv(owner, csvOf(filled), { on_existing: 'skip' });
    assert.deepEqual(again.totals, { unchanged: 1 });
  });

  test('An undo brings no erased value back, also not into a new field with the same key', async () => {
    const makeTier = (type: string) =>
      owner.request('POST', '/fields', { key: 'old_tier', label: 'Old tier', type, filterable: true }, 201);
    await makeTier('text');
    const contact = await makeContact(service, { fields: { old_tier: 'gold' } });
    const csv = `Phone,Old tier,Shoe size\n${contact.phone_number},silver,44\n`;
    const { id } = await planCsv(owner, csv, { on_existing: 'overwrite' });
    await applyImport(owner, id);
    await owner.request('DELETE', '/fields/old_tier');
    await owner.request('DELETE', '/fields/old_tier?erase=true');
    await eventually(
      'the field is erased',
      async () => (await owner.call('GET', '/fields/old_tier')).status === 404,
    );
    await makeTier('number');
    assert.deepEqual((await undoImport(owner, id)).totals, { update: 1, restored: 1 });
    assert.deepEqual(await fieldsOf(contact.id), {});
    // A value of another type, however it came there, is no value.
    await service.database.query(
      `update contacts set fields = '{"old_tier":"gold"}' where id = '${contact.id}'`,
    );
    const filter = JSON.stringify({ not: { attribute: 'fields.old_tier', op: 'lt', value: 1 } });
    const reply = await service.get(`/v1/contacts?filter=${encodeURIComponent(filter)}`);
    assert.equal(reply.status, 200, reply.text);
  });

  test('An undo deletes created contacts, but not one whose field was changed since', async () => {
    const [untouched, cancelledOut, changed] = [newPhone(), newPhone(), newPhone()];
    const rows = [untouched, cancelledOut, changed].map((phone) => `${phone},gold`);
    const { id } = await planCsv(owner, `Phone,Plan\n${rows.join('\n')}\n`);
    await applyImport(owner, id);
    const idOf = async (phone: string) =>
      (await service.get(`/v1/contacts?search=${encodeURIComponent(phone)}`)).body.data[0].id;
    const same = await idOf(cancelledOut);
    await service.patch(`/v1/contacts/${same}`, { fields: { balance: 5 } });
    await service.patch(`/v1/contacts/${same}`, { fields: { balance: null } });
    await service.patch(`/v1/contacts/${await idOf(changed)}`, { fields: { balance: 5 } });
    assert.deepEqual((await undoImport(owner, id)).totals, { create: 3, removed: 2, edited_since: 1 });
    assert.deepEqual(await fieldsByPhone(changed), { balance: 5, plan: 'gold' });
  });

  test('Rows of one number are merged with their fields', async () => {
    const phone = newPhone();
    const csv = `Phone,Plan,Balance\n${phone},gold,\n${phone},Silver,7\n`;
    const { id } = await planCsv(owner, csv, { on_duplicate: 'fill' });
    await applyImport(owner, id);
    assert.deepEqual(await fieldsByPhone(phone), { balance: 7, plan: 'gold' });
    const { id: contact } = (await service.get(`/v1/contacts?search=${encodeURIComponent(phone)}`)).body
      .data[0];
    await service.delete(`/v1/contacts/${contact}`);
    const stored = await service.database.query(
      'select cells, merged, former from import_rows where import_id = ?',
      id,
    );
    assert.deepEqual(
      stored.map((row) => ({ ...row })),
      [1, 2].map(() => ({ cells: null, merged: null, former: null })),
    );
  });

  test('A mapping names a field by fields.<key>, and an unknown or archived one is refused', async () => {
    await makeField(service, 'retired', 'text');
    const csv = `Phone,Level\n${newPhone()},gold\n`;
    const mapped = await planCsv(owner, csv, { mapping: '{"Level":"fields.plan"}' });
    assert.deepEqual([mapped.columns[1].field, mapped.columns[1].certainty], ['fields.plan', 'hand']);
    const unknown = await uploadCsv(owner, csv, { mapping: '{"Level":"fields.nothing"}' });
    assertInvalid(unknown, 'columns');
    assert.match(unknown.text, /has no such field\. Create it with create_fields/);
    const both = { mapping: '{"0":"fields.plan","1":"fields.plan"}' };
    assertInvalid(await uploadCsv(owner, csv, both), 'columns', 'columns');

    const planned = await planCsv(owner, csv, { mapping: '{"1":"fields.retired"}' });
    await service.database.query(`update contact_fields set archived_at = created_at where key = 'retired'`);
    const refused = await owner.call('POST', `/imports/${planned.id}/apply`);
    assertError(refused, 409, 'CONFLICT');
    assert.match(refused.text, /retired/);
    assert.equal((await owner.call('PATCH', `/imports/${planned.id}`, { on_existing: 'skip' })).status, 200);
    const replanned = await waitForImport(owner, planned.id);
    assert.equal(replanned.columns[1].field, null);
    assertInvalid(
      await owner.call('PATCH', `/imports/${planned.id}`, { mapping: { 1: 'fields.retired' } }),
      'columns',
    );
    assert.equal((await applyImport(owner, planned.id)).totals.created, 1);
  });

  test('The preview offers fields for columns that have none, with the type of their cells', async () => {
    const rows = Array.from(
      { length: 8 },
      (_, at) =>
        `+1202555010${at},${at % 2 ? 'a' : 'b'},${at}.5,2026-01-0${at + 1},${at % 2 ? 'yes' : 'no'},https://example.com/${at},Text ${at},${at}`,
    );
    const header = 'Phone,Tier,Score,Born on,Opted in,Page,Remark of the team,Plan';
    const columns = await columnsOf([header, ...rows].join('\n'));
    assert.deepEqual(
      columns.map(({ suggestion }) => suggestion && `${suggestion.key} ${suggestion.type}`),
      [
        null,
        'tier enum',
        'score number',
        'born_on date',
        'opted_in boolean',
        'page url',
        'remark_of_the_team text',
        null,
      ],
    );
    assert.deepEqual(columns[1]?.suggestion, {
      key: 'tier',
      label: 'Tier',
      type: 'enum',
      options: ['b', 'a'],
    });
    const raw = await columnsOf('phone,end_of_trial,größe,tier!\n+12025550100,2026-01-31,8,a\n');
    assert.deepEqual(
      raw.map(({ suggestion }) => suggestion?.label),
      [undefined, 'End of trial', 'Größe', 'tier!'],
    );
    const odd = await columnsOf(`Phone,Имя,2nd value,Tier,tier!,id\n+12025550100,a,b,c,d,e\n`);
    assert.deepEqual(
      odd.map(({ suggestion }) => suggestion?.key),
      [undefined, 'column_2', 'column_3', 'tier', 'tier_2', 'id_2'],
    );
  });

  test('The fields that a plan offers have keys that no field has, as those of the preview', async () => {
    const csv = `Phone,Balance\n${newPhone()},12\n`;
    const { id, columns } = await planCsv(owner, csv, { mapping: '{"Balance":null}' });
    const suggestion = columns[1]?.suggestion;
    assert.equal(suggestion.key, 'balance_2');
    const replanned = await owner.call('PATCH', `/imports/${id}`, { create_fields: { 1: suggestion } });
    assert.equal(replanned.status, 200, replanned.text);
  });

  test('The fields that an import creates are listed in the order of its columns', async () => {
    const keys = ['z6', 'y5', 'x4', 'w3', 'v2', 'u1'];
    const create_fields = JSON.stringify(
      Object.fromEntries(keys.map((key) => [key, { key, label: key, type: 'text' }])),
    );
    const csv = `Phone,${keys.join()}\n${newPhone()},${keys.join()}\n`;
    await applyImport(owner, (await planCsv(owner, csv, { create_fields })).id);
    const { data } = (await owner.call('GET', '/fields')).body;
    assert.deepEqual(data.map(({ key }: Json) => key).slice(-keys.length), keys);
  });

  test('Applying an import creates the fields of its plan, which owners and admin keys alone can do', async () => {
    const phone = newPhone();
    const csv = `Phone,Tier,Points\n${phone},Top,12.5\n${newPhone()},Low,n/a\n`;
    const create_fields = JSON.stringify({
      Tier: { key: 'tier', label: 'Tier', type: 'enum', options: ['Top', 'Low'] },
      2: { key: 'points', label: 'Points', type: 'number' },
    });
    const fieldKeys = async () => (await owner.call('GET', '/fields')).body.data.map(({ key }: Json) => key);
    const plan = await planCsv(owner, csv, { create_fields });
    assert.deepEqual(plan.totals, { create: 2, with_warnings: 1 });
    assert.deepEqual([plan.columns[1].field, plan.columns[1].creates.type], ['fields.tier', 'enum']);
    assert.equal((await fieldKeys()).includes('tier'), false, 'a plan changes nothing');

    const member = await signedInUser(service, 'member@example.com', 'member');
    const refusals = [
      await uploadCsv(member, csv, { create_fields }),
      await member.call('POST', `/imports/${plan.id}/apply`),
      await member.call('PATCH', `/imports/${plan.id}`, { create_fields: JSON.parse(create_fields) }),
    ];
    for (const refused of refusals) {
      assertError(refused, 403, 'FORBIDDEN');
      assert.match(
        refused.text,
        /Only owners can create contact fields\. Ask an owner to create (?:points, tier|tier, points)/,
      );
    }
    const scopes = ['imports:write', 'contacts:read'];
    const { key } = await owner.request('POST', '/keys', { name: 'Nightly', scopes }, 201);
    const byKey = await service.call('POST', `/v1/imports/${plan.id}/apply`, undefined, { key });
    assertError(byKey, 403, 'FORBIDDEN');
    assert.equal(byKey.body.error.details.required_scope, 'admin');

    const applied = await applyImport(owner, plan.id);
    assert.equal(applied.totals.created, 2);
    assert.deepEqual(await fieldsByPhone(phone), { points: 12.5, tier: 'Top' });
    assert.deepEqual((await fieldKeys()).slice(-2).sort(), ['points', 'tier']);
    assertInvalid(await uploadCsv(owner, csv, { create_fields }), 'create_fields', 'create_fields');
    const reserved = JSON.stringify({ Tier: { key: 'email', label: 'Tier', type: 'text' } });
    assertInvalid(await uploadCsv(owner, csv, { create_fields: reserved }), 'create_fields');
    const incomplete = JSON.stringify({ Tier: { key: 'level', type: 'enum' } });
    assertInvalid(await uploadCsv(owner, csv, { create_fields: incomplete }), 'create_fields.Tier.label');
    assertInvalid(await uploadCsv(owner, csv, { create_fields: 'x' }), 'create_fields');
    await undoImport(owner, plan.id);
    assert.equal(await fieldsByPhone(phone), undefined);
    assert.equal((await fieldKeys()).includes('tier'), true, 'fields stay after an undo');
  });

  test('A field that another request has created since the plan is used if it has the same type', async () => {
    const csv = `Phone,Region,Branch\n${newPhone()},north,1\n`;
    const plan = await planCsv(owner, csv, {
      create_fields: JSON.stringify({
        Region: { key: 'region', label: 'Region', type: 'text' },
        Branch: { key: 'branch', label: 'Branch', type: 'number' },
      }),
    });
    await makeField(service, 'region', 'text');
    await makeField(service, 'branch', 'text');
    const refused = await owner.call('POST', `/imports/${plan.id}/apply`);
    assertError(refused, 409, 'CONFLICT');
    assert.match(refused.text, /branch/);
    const changed = await owner.call('PATCH', `/imports/${plan.id}`, { mapping: { Branch: null } });
    assert.equal(changed.status, 200, changed.text);
    await waitForImport(owner, plan.id);
    assert.equal((await applyImport(owner, plan.id)).totals.created, 1);
  });
});
