import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { countContacts, getContact, listContactIds } from '../kit/fixtures/contacts.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { applyImport, importRows, planCsv, undoImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const HEADER = 'phone_number,first_name,last_name,display_name,email,company,notes,tags';

onEveryEngine('Undo of an import', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });
  /** Plans and applies rows, and returns the import. */
  const imported = async (rows: string[], query: Record<string, string> = {}): Promise<Json> => {
    const { id } = await planCsv(owner, [HEADER, ...rows].join('\n'), query);
    const applied = await applyImport(owner, id);
    assert.equal(applied.state, 'applied');
    return applied;
  };
  const findByPhone = async (phone: string): Promise<Json> =>
    (await service.get(`/v1/contacts?search=${encodeURIComponent(phone)}`)).body.data[0];
  const withEffect = async (id: string, effect: string): Promise<Json> => {
    const reply = await owner.call('GET', `/imports/${id}/rows?effect=${effect}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const overwrite = { on_existing: 'overwrite', tags: 'replace' };

  test('Undo restores every previous value of changed contacts, including null and empty ones', async () => {
    const all = {
      first_name: 'Ada',
      last_name: 'Lovelace',
      display_name: 'Countess',
      email: 'ada@example.com',
      company: 'Engines',
      notes: 'Line\r\n"two", 😀',
      tags: ['vip', 'a;b', ' '],
    };
    const empty = { first_name: '', last_name: '', display_name: '', company: '', notes: '' };
    const contacts = [];
    for (const fields of [all, {}, empty]) contacts.push(await makeContact(service, fields));
    const stateBefore = await Promise.all(contacts.map(({ id }) => getContact(service, id)));
    const rows = contacts.map(({ phone_number }) => `${phone_number},N,N,N,n@example.com,N,N,new;vip`);
    const { id, totals } = await imported(rows, overwrite);
    assert.deepEqual(totals, { update: 3, updated: 3 });
    for (const contact of contacts) {
      const { first_name, email, tags } = await getContact(service, contact.id);
      assert.deepEqual(
        { first_name, email, tags },
        { first_name: 'N', email: 'n@example.com', tags: ['new', 'vip'] },
      );
    }

    const undone = await undoImport(owner, id);
    assert.deepEqual([undone.state, undone.totals], ['undone', { update: 3, restored: 3 }]);
    for (const before of stateBefore) {
      const { updated_at, ...restored } = await getContact(service, before.id);
      assert.ok(updated_at > before.updated_at, 'a change like any other');
      const { updated_at: _, ...expected } = before;
      assert.deepEqual(restored, expected);
    }
    assert.equal(await countContacts(service, { tag: 'new' }), 0);
    assert.deepEqual(await listContactIds(service, { tag: 'vip' }), [stateBefore[0].id]);
    assert.deepEqual(await listContactIds(service, { search: 'n@example.com' }), []);
    assert.deepEqual(await listContactIds(service, { search: 'lovelace' }), [stateBefore[0].id]);
  });

  test('Undo removes created contacts from lists, tags, search and counts', async () => {
    const total = await countContacts(service);
    const phones = [newPhone(), newPhone()];
    const { id } = await imported(phones.map((phone, at) => `${phone},Gone${at},,,,,,leaving`));
    const ids = await listContactIds(service, { tag: 'leaving' });
    assert.equal(ids.length, 2);
    assert.equal(await countContacts(service), total + 2);
    const undone = await undoImport(owner, id);
    assert.deepEqual(undone.totals, { create: 2, removed: 2 });
    for (const gone of ids) assert.equal((await service.get(`/v1/contacts/${gone}`)).status, 404);
    const queries: Record<string, string>[] = [
      { tag: 'leaving' },
      { search: 'gone' },
      { search: `${phones[0]}` },
    ];
    for (const query of queries) assert.deepEqual(await listContactIds(service, query), []);
    assert.equal(await countContacts(service), total);
    await makeContact(service, { phone_number: phones[0] });
  });

  test('Undo skips and lists contacts that were changed or deleted after the import', async () => {
    const [edited, deleted, changed, kept] = [newPhone(), newPhone(), newPhone(), newPhone()];
    const known = await makeContact(service, { phone_number: changed, first_name: 'Old' });
    const { id, totals } = await imported(
      [`${edited},One`, `${deleted},Two`, `${changed},Three`, `${kept},Four`, `${edited},Five`],
      overwrite,
    );
    assert.deepEqual(totals, { create: 3, update: 1, duplicate_in_file: 1, created: 3, updated: 1 });
    const one = await findByPhone(edited);
    await service.patch(`/v1/contacts/${one.id}`, { notes: 'Mine now.' });
    await service.delete(`/v1/contacts/${(await findByPhone(deleted)).id}`);
    await service.patch(`/v1/contacts/${known.id}`, { first_name: 'Mine now.' });

    const mine = await imported([newPhone()].map((phone) => `${phone},Six`));
    const [{ contact_id }] = (await withEffect(mine.id, 'created')).data;
    await owner.request('PATCH', `/contacts/${contact_id}`, { notes: 'By me.' });
    const preview = (import_id: string) => owner.request('GET', `/imports/${import_id}/undo`);
    const enrolled = { claimed: 0, unenrolled: 0, still_enrolled: 0 };
    const none = { removed: 0, restored: 0, edited_by_you: 0, edited_by_others: 0, deleted: 0, ...enrolled };
    assert.deepEqual(await preview(mine.id), { ...none, edited_by_you: 1 });
    await service.database.query('delete from contact_changes where contact_id = ?', contact_id);
    assert.deepEqual(await preview(mine.id), { ...none, edited_by_others: 1 }, 'the record has expired');
    assert.deepEqual(await preview(id), { ...none, removed: 1, edited_by_others: 2, deleted: 1 });
    const undone = await undoImport(owner, id);
    assertError(await owner.call('GET', `/imports/${id}/undo`), 409, 'CONFLICT');
    assert.deepEqual(undone.totals, {
      create: 3,
      update: 1,
      duplicate_in_file: 1,
      removed: 1,
      edited_since: 3,
    });
    const { data, pagination } = await withEffect(id, 'edited_since');
    assert.equal(pagination.total, 3);
    assert.deepEqual(
      data.map(({ line, cells, contact_id }: Json) => ({ line, cells, contact_id })),
      [
        { line: 2, cells: [edited, 'One'], contact_id: one.id },
        { line: 3, cells: null, contact_id: null },
        { line: 4, cells: [changed, 'Three'], contact_id: known.id },
      ],
    );
    const left = await getContact(service, one.id);
    assert.deepEqual([left.first_name, left.notes], ['One', 'Mine now.']);
    assert.equal((await getContact(service, known.id)).first_name, 'Mine now.');
    assert.equal(await findByPhone(kept), undefined);
    assert.deepEqual((await withEffect(id, 'removed')).data, [
      {
        number: 4,
        line: 5,
        cells: null,
        verdict: 'create',
        field: null,
        reason: null,
        warnings: [],
        effect: 'removed',
        contact_id: null,
      },
    ]);
  });

  test('Changes that cancel out, or that concern other fields than the import, do not prevent an undo', async () => {
    const [created, legacy] = [newPhone(), '555 0199 ext'];
    const known = await makeContact(service, { company: 'Old', tags: ['a', 'b'] });
    const rows = [`${created},One,,,,,,x;y`, `${known.phone_number},,,,,New,,c`, `${legacy},Two`];
    const { id } = await imported(rows, { on_existing: 'overwrite', legacy: 'true' });
    const { id: one } = await findByPhone(created);
    const { id: two } = await findByPhone(legacy);
    const tag = (contact: string, change: Json) =>
      runBulkJob(owner, { action: 'tag', selection: { ids: [contact] }, ...change });
    await tag(one, { add: ['later'] });
    await tag(one, { remove: ['later', 'x'] });
    await tag(one, { add: ['x'] });
    await service.patch(`/v1/contacts/${two}`, { notes: 'Some' });
    await service.patch(`/v1/contacts/${two}`, { notes: null });
    await service.patch(`/v1/contacts/${known.id}`, { notes: 'Mine' });

    const { removed, restored } = await owner.request('GET', `/imports/${id}/undo`);
    assert.deepEqual([removed, restored], [2, 1]);
    const { totals } = await undoImport(owner, id);
    assert.deepEqual(totals, { create: 2, update: 1, removed: 2, restored: 1 });
    const { company, notes, tags } = await getContact(service, known.id);
    assert.deepEqual({ company, notes, tags }, { company: 'Old', notes: 'Mine', tags: ['a', 'b'] });
    assert.equal(await findByPhone(created), undefined);
  });

  test('Undo restores the CRM ids of an import, except those that were set since', async () => {
    const crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const contacts = [await makeContact(service), await makeContact(service), await makeContact(service)];
    const setId = async ({ phone_number }: Json, hubspot: string) => {
      const body = { phone_number, crm_ids: { hubspot } };
      assert.equal((await service.post(`/hooks/contacts/${crm.id}`, body, { key: crm.secret })).status, 200);
    };
    for (const contact of contacts.slice(0, 2)) await setId(contact, 'before');
    const csv = ['Phone,Id', ...contacts.map(({ phone_number }, at) => `${phone_number},h-${at}`)].join('\n');
    const query = { mapping: '{"1":"crm_ids"}', crm: 'hubspot', on_existing: 'overwrite' };
    const { id } = await planCsv(owner, csv, query);
    assert.deepEqual((await applyImport(owner, id)).totals, { update: 3, updated: 3 });
    await setId(contacts[0], 'since');
    assert.deepEqual((await undoImport(owner, id)).totals, { update: 3, restored: 3 });
    const ids = await Promise.all(contacts.map(async (each) => (await getContact(service, each.id)).crm_ids));
    assert.deepEqual(ids, [{ hubspot: 'since' }, { hubspot: 'before' }, {}]);
  });

  test('Only an applied import can be undone, and only once', async () => {
    const { id } = await planCsv(owner, `Phone\n${newPhone()}`);
    const send = (action: string) => owner.call('POST', `/imports/${id}/${action}`);
    const assertRejectedWith = async (action: string, message: string) =>
      assert.equal(assertError(await send(action), 409, 'CONFLICT').message, message);
    await assertRejectedWith('undo', 'An import that is planned cannot be undone.');
    await applyImport(owner, id);
    await assertRejectedWith('apply', 'The import is already applied.');
    const undone = await undoImport(owner, id);
    assert.equal(undone.undo_until, null);
    await assertRejectedWith('undo', 'The import is already undone.');
    await assertRejectedWith('apply', 'An import that is undone cannot be applied.');
    assertError(await owner.call('POST', '/imports/import_nothing/undo'), 404, 'NOT_FOUND');
  });

  test('Undo is possible for 30 days', async () => {
    const { id, applied_at, undo_until } = await imported([newPhone()]);
    assert.equal(Date.parse(undo_until) - Date.parse(applied_at), 30 * 24 * 3_600_000);
    const ago = (ms: number) => new Date(Date.now() - 30 * 24 * 3_600_000 + ms).toISOString();
    const setApplied = (at: string) =>
      service.database.query('update imports set applied_at = ? where id = ?', at, id);
    await setApplied(ago(-1_000));
    const error = assertError(await owner.call('POST', `/imports/${id}/undo`), 409, 'CONFLICT');
    assert.equal(error.message, 'An import can be undone for 30 days. This period is over.');
    await setApplied(ago(60_000));
    assert.equal((await undoImport(owner, id)).totals.removed, 1);
  });

  test('Undo follows the rules of deletion: calls are unlinked, enrollments are removed', async () => {
    const [made, known] = [newPhone(), await makeContact(service)];
    const { id } = await imported([`${made},Called`, `${known.phone_number},Called`], overwrite);
    const contact = await findByPhone(made);
    const line = await makePhoneChannel(owner);
    const at = new Date(Date.now() + 1_000).toISOString();
    const call = await recordCall(service, line, made, { started_at: at });
    assert.equal(call.contact_id, contact.id);
    await recordCall(service, line, known.phone_number, { started_at: at });
    const { id: agent_id } = await makeAgent(service);
    const campaign = await owner.request('POST', '/campaigns', { name: 'Spring', agent_id }, 201);
    const enrollments = `/campaigns/${campaign.id}/enrollments`;
    await owner.request('POST', enrollments, { contact_ids: [contact.id, known.id] });

    const undone = await undoImport(owner, id);
    assert.deepEqual([undone.totals.removed, undone.totals.restored], [1, 1], 'a call is no edit');
    const calls = await owner.request('GET', '/calls');
    const { contact_id, number } = calls.find((each: Json) => each.id === call.id);
    assert.deepEqual({ contact_id, number }, { contact_id: null, number: null });
    const { first_name, last_contact_at } = await getContact(service, known.id);
    assert.deepEqual({ first_name, last_contact_at }, { first_name: null, last_contact_at: at });
    const enrolled = await owner.request('GET', enrollments);
    assert.deepEqual(
      enrolled.map((each: Json) => each.contact_id),
      [known.id],
    );
  });

  test('Undoing the last import and then the one before leaves nothing of either', async () => {
    const phone = newPhone();
    const known = await makeContact(service, { first_name: 'Own' });
    const first = await imported([`${phone},First`, `${known.phone_number},First`], overwrite);
    const second = await imported([`${phone},Second`, `${known.phone_number},Second`], overwrite);
    assert.deepEqual((await undoImport(owner, second.id)).totals, { update: 2, restored: 2 });
    assert.equal((await findByPhone(phone)).first_name, 'First');
    assert.deepEqual((await undoImport(owner, first.id)).totals, {
      create: 1,
      update: 1,
      removed: 1,
      restored: 1,
    });
    assert.equal(await findByPhone(phone), undefined);
    assert.equal((await getContact(service, known.id)).first_name, 'Own');
  });

  test('Undo skips contacts that another import has changed since', async () => {
    const phone = newPhone();
    const first = await imported([`${phone},First`]);
    await imported([`${phone},Second`], overwrite);
    assert.deepEqual((await undoImport(owner, first.id)).totals, { create: 1, edited_since: 1 });
    assert.equal((await findByPhone(phone)).first_name, 'Second');
  });

  test('A deleted contact leaves no data in any import, without an undo', async () => {
    const phone = newPhone();
    const row = `${phone},Zyxwvut,Zyxwvut,,zyxwvut@example.com,,Zyxwvut,`;
    const created = await imported([row, row]);
    const updated = await imported([`${phone},,,Zyxwvut,,Zyxwvut,,`], overwrite);
    const unchanged = await imported([row]);
    const planned = await planCsv(owner, `${HEADER}\n${row}`, overwrite);
    const { id } = await findByPhone(phone);
    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);

    for (const each of [created, updated, unchanged, planned]) {
      const [first] = await importRows(owner, each.id);
      assert.deepEqual([first?.line, first?.cells, first?.contact_id], [2, null, null]);
    }
    const stored = JSON.stringify([
      await service.database.query('select * from import_rows'),
      await service.database.query('select * from imports'),
    ]);
    for (const trace of ['zyxwvut', phone, phone.slice(1), id])
      assert.equal(stored.toLowerCase().includes(trace), false, `${trace} is still there`);
    assert.deepEqual((await undoImport(owner, created.id)).totals, {
      create: 1,
      duplicate_in_file: 1,
      edited_since: 1,
    });
    assert.deepEqual((await applyImport(owner, planned.id)).totals.created, undefined);
    assert.equal(await findByPhone(phone), undefined);
  });
});
