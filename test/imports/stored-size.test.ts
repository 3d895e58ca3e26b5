import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../src/features/imports/csv/limits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { assertError } from '../kit/http/assertions.ts';
import { applyImport, numberedRows, planCsv, uploadCsv } from '../kit/imports/imports.ts';
import { workbookOf } from '../kit/imports/workbook.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const MIB = 1_048_576;

onEveryEngine(
  'Storage of import rows',
  (service) => {
    let owner: CheckedUser;
    before(async () => {
      owner = await checkedUser(service, await signedInUser(service));
    });
    const importIds = async (): Promise<string[]> =>
      (await owner.request('GET', '/imports')).map(({ id }: { id: string }) => id);

    test('An import that exceeds the storage of a workspace is refused until other imports are deleted', async () => {
      const file = ['Phone,Name,Notes\n', ...numberedRows(100, 'x'.repeat(6_000))].join('');
      const { id } = await planCsv(owner, file);
      const { message } = assertError(await uploadCsv(owner, file), 409, 'CONFLICT');
      assert.equal(
        message,
        "The rows of this workspace's imports would take more than 1 MiB. Delete imports that you no longer need to undo, or ask the operator to raise IMPORT_STORAGE_MB.",
      );
      assert.deepEqual(await importIds(), [id], 'nothing of the refused file is stored');
      await owner.request('DELETE', `/imports/${id}`);
      for (let tries = 0; (await uploadCsv(owner, file)).status !== 201; tries++) {
        assert.ok(tries < 500, 'a deleted import makes room');
        await pause(20);
      }
      for (const each of await importIds()) await owner.request('DELETE', `/imports/${each}`);
    });

    test('Rows count with what they take in the database, so a small file of tiny rows has a limit as well', async () => {
      const upload = () => uploadCsv(owner, `Phone\n${'1\n'.repeat(5_500)}`);
      let reply = await upload();
      // The rows of the test before may still be stored.
      for (let tries = 0; tries < 100 && reply.status === 201; tries++) reply = await upload();
      assertError(reply, 409, 'CONFLICT');
      const stored = await service.database.query('select sum(stored_bytes) as bytes from imports');
      assert.ok(Number(stored[0]?.bytes) <= 1.1 * MIB);
    });
  },
  { importQuota: MIB },
);

onEveryEngine('Columns that are not imported', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  test('A cell of a column without a field is stored truncated, and complete if the column has one', async () => {
    const long = 'x'.repeat(limits.cell - 100);
    const { id } = await planCsv(owner, `Phone,Notes,Other\n+12025550101,${long},${long}\n`);
    const [row] = await service.database.query('select cells from import_rows where import_id = ?', id);
    const [, notes = '', other = ''] = JSON.parse(String(row?.cells)) as string[];
    assert.equal(notes, long);
    assert.equal(other, `${'x'.repeat(8_192)}…`);
  });

  test('A column that is mapped after the upload has the longest texts that a contact can have', async () => {
    const notes = '😀'.repeat(2_000);
    const { id } = await planCsv(owner, `Phone,Other\n+12025550102,${notes}\n`);
    await owner.request('PATCH', `/imports/${id}`, { mapping: { 1: 'notes' } });
    while ((await owner.request('GET', `/imports/${id}`)).state !== 'planned') await pause(20);
    assert.equal((await applyImport(owner, id)).totals.created, 1);
    const { body } = await service.get('/v1/contacts?search=2025550102');
    assert.equal(body.data[0].notes, notes);
  });

  test('A workbook whose cells have far more text than the file is refused, and nothing of it is stored', async () => {
    const row = (number: number) =>
      `<row><c><v>1202555${1_000 + number}</v></c><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>`;
    const file = workbookOf({
      strings: `<si><t>${'x'.repeat(30_000)}</t></si>`,
      sheets: { People: Array.from({ length: 2_000 }, (_, at) => row(at)).join('') },
    });
    assert.ok(file.length < 20_000);
    const before = await service.database.query('select count(*) as count from imports');
    const { message } = assertError(await uploadCsv(owner, file), 413, 'PAYLOAD_TOO_LARGE');
    assert.equal(
      message,
      'The cells of the sheet have more text than 32 MiB. Save the sheet as CSV and send that.',
    );
    for (let tries = 0; ; tries++) {
      const now = await service.database.query('select count(*) as count from imports');
      if (Number(now[0]?.count) === Number(before[0]?.count)) break;
      assert.ok(tries < 500, 'its rows are deleted');
      await pause(20);
    }
  });
});
