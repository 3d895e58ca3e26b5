import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv, undoImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Import scenario', (service) => {
  test('An import can be planned, applied, undone and exported', async () => {
    const owner = await signedInUser(service);
    const known = await makeContact(service, { phone_number: '+14155550101', first_name: 'Ada' });
    const file = [
      'Phone,First Name,Last Name,Email,Labels',
      '(415) 555-0101,Ada,Lovelace,,vip',
      '+14155550102,Bob,,bob@example.com,vip;new',
      '415-555-0102,Again,,,',
      'not a number,Eve,,,',
      '+14155550103,Carol,,not an email,',
    ].join('\n');
    const { id, totals } = await planCsv(owner, file);
    assert.deepEqual(totals, {
      create: 2,
      update: 1,
      duplicate_in_file: 1,
      invalid: 1,
      with_warnings: 1,
    });
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, 1, 'nothing is written yet');
    const rows = (await owner.call('GET', `/imports/${id}/rows`)).body.data;
    assert.deepEqual(
      rows.map((row: Json) => [row.line, row.verdict, row.field]),
      [
        [2, 'update', null],
        [3, 'create', null],
        [4, 'duplicate_in_file', 'phone_number'],
        [5, 'invalid', 'phone_number'],
        [6, 'create', null],
      ],
    );

    const applied = await applyImport(owner, id);
    assert.equal(applied.state, 'applied');
    assert.equal(applied.totals.created, 2);
    assert.equal(applied.totals.updated, 1);
    const ada = (await service.get(`/v1/contacts/${known.id}`)).body.data;
    assert.deepEqual([ada.last_name, ada.tags], ['Lovelace', ['vip']]);
    const bob = (await service.get('/v1/contacts?search=bob')).body.data[0];
    assert.equal(bob.source, 'import');
    assert.equal((await service.get('/v1/contacts?tag=vip')).body.pagination.total, 2);

    const exported = await owner.call('GET', '/contacts/export');
    assert.equal(exported.status, 200);
    const again = await planCsv(owner, exported.text, { on_existing: 'overwrite' });
    assert.deepEqual(again.totals, { unchanged: 3 });

    const undone = await undoImport(owner, id);
    assert.equal(undone.state, 'undone');
    assert.deepEqual([undone.totals.removed, undone.totals.restored], [2, 1]);
    assert.equal((await service.get(`/v1/contacts/${bob.id}`)).status, 404);
    const restored = (await service.get(`/v1/contacts/${known.id}`)).body.data;
    assert.deepEqual([restored.last_name, restored.tags], [null, []]);
    assert.equal((await service.get('/v1/contacts?tag=vip')).body.pagination.total, 0);
  });
});
