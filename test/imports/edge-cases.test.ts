import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { deleteRowsStep } from '../../src/features/imports/lifecycle.service.ts';
import type { JobRow } from '../../src/jobs/job.service.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, importRows, numberedRows, planCsv, waitForImport } from '../kit/imports/imports.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Import edge cases', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });
  const total = async (query: string) => (await service.get(`/v1/contacts?${query}`)).body.pagination.total;

  test('Two legacy rows that match one contact change it once', async () => {
    const legacy = { legacy: 'true', country: 'US' };
    const shown = '72975';
    const first = await planCsv(owner, `Phone,Name\n${shown},Kept\n`, legacy);
    await applyImport(owner, first.id);
    const [one, two] = [newPhone(), newPhone()];
    const file = `phone_number,normalized_phone,tags\n${shown},${one},vip\n${shown},${two},vip\n`;
    const { id } = await planCsv(owner, file, legacy);
    assert.deepEqual(
      (await importRows(owner, id)).map(({ verdict, reason }) => [verdict, reason]),
      [
        ['update', null],
        ['duplicate_in_file', 'Same number as line 2.'],
      ],
    );
    assert.equal((await applyImport(owner, id)).state, 'applied');
    assert.equal(await total('tag=vip'), 1);
  });

  test('Cells with tens of thousands of blanks are rejected without blocking the service', async () => {
    const line = `1${' '.repeat(32_000)}x,Ada\n`;
    const { id, totals } = await planCsv(owner, `Phone,Name\n${line.repeat(10)}`);
    const replan = await owner.call('PATCH', `/imports/${id}`, { country: 'DE' });
    assert.equal(replan.status, 200, replan.text);
    const again = await waitForImport(owner, id);
    assert.deepEqual([totals, again.totals], [{ invalid: 10 }, { invalid: 10 }]);
    const [row] = await importRows(owner, id);
    assert.equal(row.field, 'phone_number');
    // Rejected by its length, before anything reads the blanks: that takes seconds for each cell.
    assert.match(row.reason, /^is longer than 256 characters, so it is not a phone number\./);
  });

  test('A plan erases the rows of a contact deleted after planning and does not recreate it', async () => {
    const phone = newPhone();
    const invalid = newPhone();
    const { id } = await planCsv(
      owner,
      `Phone,Name,Email\n${phone},Ada Gone,\n${phone},Ada Twice,\n${invalid},Bob Gone,no address\n`,
      { on_invalid: 'reject_row' },
    );
    for (const phone_number of [phone, invalid]) {
      const { id: contact } = await makeContact(service, { phone_number });
      assert.equal((await service.delete(`/v1/contacts/${contact}`)).status, 200);
    }
    assert.deepEqual(
      (await importRows(owner, id)).map(({ cells }) => cells),
      [null, null, null],
    );
    const { columns } = (await owner.call('GET', `/imports/${id}`)).body.data;
    assert.ok(columns.every(({ samples }: { samples: string[] }) => samples.length === 0));
    assert.deepEqual((await applyImport(owner, id)).totals, {
      create: 1,
      duplicate_in_file: 1,
      invalid: 1,
      none: 1,
    });
    assert.equal(await total(`search=${encodeURIComponent(phone)}`), 0);
  });

  test('An exported legacy contact without an identity is unchanged on re-import, with or without a country', async () => {
    const { id } = await planCsv(owner, 'phone_number,first_name\n020 1234,Desk\n', {
      legacy: 'true',
      country: 'US',
    });
    await applyImport(owner, id);
    const file = (await owner.call('GET', '/contacts/export?search=020')).text;
    for (const country of ['US', 'GB']) {
      assert.deepEqual((await planCsv(owner, file, { country })).totals, { unchanged: 1 }, country);
    }
  });

  test('A row with more tags than a contact may have is rejected with a clear message', async () => {
    const tags = Array.from({ length: 49 }, (_, at) => `t${at}`);
    const { phone_number } = await makeContact(service, { tags });
    const file = `Phone,Tags\n${phone_number},x;y\n`;
    const message = 'would be 51 in total; the maximum is 50.';
    const rejected = await planCsv(owner, file, { on_invalid: 'reject_row' });
    assert.deepEqual(
      (await importRows(owner, rejected.id)).map(({ verdict, field, reason }) => [verdict, field, reason]),
      [['invalid', 'tags', message]],
    );
    const omitted = await planCsv(owner, file);
    assert.deepEqual(
      (await importRows(owner, omitted.id)).map(({ verdict, warnings }) => [verdict, warnings]),
      [['unchanged', [{ field: 'tags', message }]]],
    );
  });

  test('A cell with several invalid tags has one problem', async () => {
    const file = `Phone,Tags\n+14155550177,${'x'.repeat(65)};${'y'.repeat(65)}\n`;
    const message = 'must have at most 64 characters; this has 65.';
    const omitted = await planCsv(owner, file);
    assert.deepEqual((await importRows(owner, omitted.id))[0]?.warnings, [{ field: 'tags', message }]);
    const rejected = await planCsv(owner, file, { on_invalid: 'reject_row' });
    const [row] = await importRows(owner, rejected.id);
    assert.deepEqual([row?.verdict, row?.field, row?.reason], ['invalid', 'tags', message]);
  });

  test('Retention does not remove the rows of an import while it is applied', async () => {
    const { id } = await planCsv(owner, `Phone,Name,Notes\n${numberedRows(30).join('')}`);
    const { query } = service.database;
    await query(`update imports set state = 'applying' where id = ?`, id);
    const [job] = await query(`select * from jobs where kind = 'import.expiring' and subject = ?`, id);
    const storage = await openTestStorage(service.database);
    try {
      const input = { job: job as JobRow, size: 1_000 };
      assert.equal(await storage.run(deleteRowsStep, null, input), true, 'it is put off');
      const [row] = await query('select count(*) as count from import_rows where import_id = ?', id);
      assert.equal(Number(row?.count), 30);
      const [left] = await query(
        `select due_at from jobs where kind = 'import.expiring' and subject = ?`,
        id,
      );
      assert.ok(String(left?.due_at) > new Date().toISOString(), 'until another day');
    } finally {
      await storage.close();
    }
  });
});
