import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { applyImport, importRows, planCsv } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const phone = (at: number) => `+141555501${String(at).padStart(2, '0')}`;
const mapping = '{"1":"crm_ids"}';

onEveryEngine('Rows of a file with one number', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const verdictsOf = async (id: string) =>
    (await importRows(owner, id)).map(({ line, verdict, reason, warnings }) => [
      line,
      verdict,
      reason ?? warnings[0]?.message ?? null,
    ]);
  const crmIds = async (number: string): Promise<Json> => {
    const reply = await owner.call('GET', `/contacts?search=${encodeURIComponent(number)}`);
    return (await owner.call('GET', `/contacts/${reply.body.data[0].id}`)).body.data.crm_ids;
  };

  test('A CRM id of another row is not merged, and a merged one is not free for a later row', async () => {
    const lines = [
      'Phone,Record ID,Company',
      `${phone(1)},,`,
      `${phone(2)},m-1,`,
      `${phone(1)},m-1,Acme`,
      `${phone(1)},m-2,`,
      `${phone(3)},m-2,`,
    ];
    const plan = await planCsv(owner, lines.join('\n'), { mapping, crm: 'hubspot', on_duplicate: 'fill' });
    assert.deepEqual(await verdictsOf(plan.id), [
      [2, 'create', null],
      [3, 'create', null],
      [4, 'duplicate_in_file', 'Merged into line 2 without its CRM id, which is also on line 3.'],
      [5, 'duplicate_in_file', 'Merged into line 2.'],
      [6, 'create', 'is also on line 2. A CRM id identifies one contact.'],
    ]);
    await applyImport(owner, plan.id);
    assert.deepEqual(await crmIds(phone(1)), { hubspot: 'm-2' });
    assert.deepEqual(await crmIds(phone(2)), { hubspot: 'm-1' });
    assert.deepEqual(await crmIds(phone(3)), {});
  });

  test('The CRM id of a replaced row is free for a later row', async () => {
    const lines = ['Phone,Record ID', `${phone(11)},r-1`, `${phone(11)},r-2`, `${phone(12)},r-1`];
    const plan = await planCsv(owner, lines.join('\n'), { mapping, crm: 'hubspot', on_duplicate: 'last' });
    assert.deepEqual(await verdictsOf(plan.id), [
      [2, 'duplicate_in_file', 'Replaced by line 3.'],
      [3, 'create', null],
      [4, 'create', null],
    ]);
  });

  test('A row that repeats the CRM id of an earlier row with its number merges without a conflict', async () => {
    const lines = ['Phone,Record ID,Company', `${phone(13)},s-1,`, `${phone(13)},s-1,Acme`];
    const plan = await planCsv(owner, lines.join('\n'), { mapping, crm: 'hubspot', on_duplicate: 'fill' });
    assert.deepEqual(await verdictsOf(plan.id), [
      [2, 'create', null],
      [3, 'duplicate_in_file', 'Merged into line 2.'],
    ]);
  });

  test('A merge repeats no warning of the row that it adds to', async () => {
    const tags = Array.from({ length: 50 }, (_, at) => `tag ${at}`);
    const reply = await service.post('/v1/contacts', { phone_number: phone(20), tags });
    assert.equal(reply.status, 201, reply.text);
    const csv = `Phone,Tags,Company\n${phone(20)},one more,\n${phone(20)},,Acme\n`;
    const { id, totals } = await planCsv(owner, csv, { on_duplicate: 'fill' });
    assert.deepEqual(totals, { update: 1, with_warnings: 1, duplicate_in_file: 1 });
    const [first] = await importRows(owner, id);
    assert.deepEqual(first?.warnings, [
      { field: 'tags', message: 'would be 51 in total; the maximum is 50.' },
    ]);
  });

  test('A row whose contact would have too many tags makes no later row a duplicate', async () => {
    const tags = Array.from({ length: 50 }, (_, at) => `tag ${at}`);
    const reply = await service.post('/v1/contacts', { phone_number: phone(30), tags });
    assert.equal(reply.status, 201, reply.text);
    const csv = `Phone,Tags,Company\n${phone(30)},one more,\n${phone(30)},,Acme\n`;
    const { totals } = await planCsv(owner, csv, { on_invalid: 'reject_row' });
    assert.deepEqual(totals, { invalid: 1, update: 1 });
  });
});
