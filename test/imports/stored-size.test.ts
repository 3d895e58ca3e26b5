import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../src/files/csv/limits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
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
    const deleteAll = async () => {
      for (const id of await importIds()) await owner.request('DELETE', `/imports/${id}`);
    };
    /** Rows are deleted in the background. */
    const uploadWhenThereIsRoom = async (file: string): Promise<void> => {
      const stored = 'select 1 from imports where workspace_id = 1 and stored_bytes > 0';
      for (let tries = 0; (await service.database.query(stored)).length > 0; tries++) {
        assert.ok(tries < 500, 'there is no room');
        await pause(20);
      }
      assert.equal((await uploadCsv(owner, file)).status, 201);
    };
    const file = ['Phone,Name,Notes\n', ...numberedRows(100, 'x'.repeat(6_000))].join('');

    test('An import that exceeds the storage of a workspace is refused until other imports are deleted', async () => {
      const { id } = await planCsv(owner, file);
      const { message } = assertError(await uploadCsv(owner, file), 409, 'CONFLICT');
      assert.equal(
        message,
        "The rows of this workspace's imports would take more than 1 MiB. Delete imports that you no longer need to undo, or ask the operator to raise IMPORT_STORAGE_MB.",
      );
      assert.deepEqual(await importIds(), [id], 'nothing of the refused file is stored');
      const { owner: other } = await makeOtherWorkspace(service);
      await planCsv(other, file);
      await owner.request('DELETE', `/imports/${id}`);
      await uploadWhenThereIsRoom(file);
      await deleteAll();
    });

    test('The rows of an applied import count until they expire', async () => {
      await uploadWhenThereIsRoom(file);
      const [id = ''] = await importIds();
      await applyImport(owner, id);
      assertError(await uploadCsv(owner, file), 409, 'CONFLICT');
      const expire = `update jobs set due_at = '2020-01-01T00:00:00.000Z' where kind = 'import.expiring' and subject = ?`;
      await service.database.query(expire, id);
      await uploadWhenThereIsRoom(file);
      assert.ok((await importIds()).includes(id));
      await deleteAll();
    });

    test('Rows count with what they take in the database, so a small file of tiny rows has a limit as well', async () => {
      const tiny = (rows: number) => `Phone\n${'1\n'.repeat(rows)}`;
      assertError(await uploadCsv(owner, tiny(5_500)), 409, 'CONFLICT');
      await uploadWhenThereIsRoom(tiny(4_000));
      assertError(await uploadCsv(owner, tiny(4_000)), 409, 'CONFLICT');
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
