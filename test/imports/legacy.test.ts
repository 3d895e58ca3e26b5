import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import {
  assertFieldsRejected,
  assertRejected,
  getContact,
  listContactIds,
} from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { nationalFormat } from '../kit/fixtures/legacy-contacts.ts';
import { applyImport, importRows, planCsv, undoImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Legacy migration', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });
  /** Plans a legacy file: a number, a first name, and a normalized number. */
  const plan = async (rows: string[][], query: Record<string, string> = {}): Promise<Json> => {
    const reply = await owner.call(
      'POST',
      `/imports?${new URLSearchParams({ legacy: 'true', ...query })}`,
      undefined,
      {
        raw: [['Phone', 'First Name', 'E.164'], ...rows].map((row) => row.join(',')).join('\n'),
        headers: { 'content-type': 'text/csv' },
      },
    );
    assert.equal(reply.status, 201, reply.text);
    return reply.body.data;
  };
  /** The contacts that the file creates, in its order. */
  const migrate = async (rows: string[][], query: Record<string, string> = {}): Promise<Json[]> => {
    const { id, totals } = await plan(rows, query);
    assert.deepEqual(totals, { create: rows.length }, JSON.stringify(await importRows(owner, id)));
    assert.equal((await applyImport(owner, id)).totals.created, rows.length);
    const ids = (await importRows(owner, id)).map(({ contact_id }) => contact_id);
    return Promise.all(ids.map((each) => getContact(service, each)));
  };
  const migrateOne = async (row: string[], query: Record<string, string> = {}): Promise<Json> =>
    (await migrate([row], query))[0];
  const patch = (id: string, fields: object) => service.patch(`/v1/contacts/${id}`, fields);
  const accepts = async (id: string, fields: object): Promise<Json> => {
    const reply = await patch(id, fields);
    assert.equal(reply.status, 200, reply.text);
    const { crm_ids: _, ...stored } = await getContact(service, id);
    assert.deepEqual(reply.body.data, stored);
    return stored;
  };
  /** Asserts that creating a contact with this number conflicts with the contact. */
  const assertNumberTaken = async (id: string, phone_number: string) => {
    const error = await assertRejected(service, 409, 'CONFLICT', () =>
      service.post('/v1/contacts', { phone_number }),
    );
    assert.deepEqual(error.details, { existing_contact_id: id });
  };
  const storedPhone = async (id: string) => {
    const sql = 'select phone_number, phone_identity, phone_conflict from contacts where id = ?';
    const [{ phone_number, phone_identity, phone_conflict }] = (await service.database.query(sql, id)) as [
      Json,
    ];
    return [phone_number, phone_identity, Number(phone_conflict)];
  };
  const findNumber = (search: string) => listContactIds(service, { search });

  test('A legacy import stores a national number as written and finds it in any format', async () => {
    const phone = newPhone();
    const contact = await migrateOne([nationalFormat(phone), 'Ada', '']);
    assert.deepEqual([contact.phone_number, contact.source], [nationalFormat(phone), 'import']);
    assert.deepEqual(await storedPhone(contact.id), [nationalFormat(phone), null, 0]);
    for (const text of [
      nationalFormat(phone),
      phone.slice(2),
      phone.slice(2).replace(/(...)(...)/, '$1-$2.'),
    ])
      assert.deepEqual(await findNumber(text), [contact.id], text);
    const { id } = await makeContact(service, { phone_number: phone });
    assert.notEqual(id, contact.id, 'it does not take a number that cannot be derived');
  });

  test('A legacy import derives the identity from the chosen country or from a country column', async () => {
    const [one, two, three, four] = [newPhone(), newPhone(), newPhone(), newPhone()];
    const chosen = await migrateOne([nationalFormat(one), 'Ada', ''], { country: 'US' });
    const [given, part] = await migrate([
      [nationalFormat(two), 'Bob', two],
      [`1 ${nationalFormat(four)}`, 'Carol', four],
    ]);
    await owner.call('PATCH', '/settings', { default_country: 'US' });
    const default_ = await migrateOne([nationalFormat(three), 'Carol', '']);
    await owner.call('PATCH', '/settings', { default_country: null });
    for (const [contact, phone, shown] of [
      [chosen, one, nationalFormat(one)],
      [given, two, nationalFormat(two)],
      [default_, three, nationalFormat(three)],
      [part, four, `1 ${nationalFormat(four)}`],
    ]) {
      assert.deepEqual(await storedPhone(contact.id), [shown, phone, 0]);
      assert.equal(contact.phone_number, shown);
      await assertNumberTaken(contact.id, phone);
    }
  });

  test('A legacy import stores numbers that cannot be called, and rejects text that is not a number', async () => {
    const shortCode = '72975';
    assert.deepEqual(await storedPhone((await migrateOne([shortCode, 'Desk', ''], { country: 'US' })).id), [
      shortCode,
      null,
      0,
    ]);
    const { id, totals } = await plan([
      ['', 'Nothing', ''],
      ['n/a', 'Words', ''],
      ['4.15556E+11', 'Lost', ''],
      ['5'.repeat(65), 'Long', ''],
      ['(415) 555-0177', 'Wrong', 'none'],
    ]);
    assert.deepEqual(totals, { create: 2, invalid: 3 });
    assert.deepEqual(
      (await importRows(owner, id)).map(({ reason }) => reason),
      ['is missing.', 'is not a phone number.', null, 'must have at most 64 characters.', null],
    );
  });

  test('A legacy import creates an ordinary contact for an international number', async () => {
    const [one, two] = [newPhone(), newPhone()];
    const written = `+1 ${nationalFormat(two)}`;
    const contacts = await migrate([
      [one, 'Ada', ''],
      [written, 'Bob', ''],
    ]);
    assert.deepEqual(await Promise.all(contacts.map(({ id }) => storedPhone(id))), [
      [one, one, 0],
      [two, two, 0],
    ]);
  });

  test('A legacy import matches a repeated number to the same contact, with and without an identity', async () => {
    const [one, two] = [newPhone(), newPhone()];
    const rows = [
      [nationalFormat(one), 'Ada', ''],
      [nationalFormat(two), 'Bob', ''],
      [nationalFormat(one), 'Again', ''],
    ];
    const resultsOf = async (query: Record<string, string> = {}) =>
      (await importRows(owner, (await plan(rows, query)).id)).map(({ verdict, reason }) => [verdict, reason]);
    const twice = ['duplicate_in_file', 'Same number as line 2.'];
    assert.deepEqual(await resultsOf({ country: 'US' }), [['create', null], ['create', null], twice]);
    const { id } = await plan(rows);
    await applyImport(owner, id);
    assert.deepEqual(await resultsOf(), [['unchanged', null], ['unchanged', null], twice]);
    assert.equal((await findNumber(nationalFormat(one))).length, 1);
  });

  test('A legacy contact stored without an identity is found once the country is known', async () => {
    const phone = newPhone();
    await migrateOne([nationalFormat(phone), 'Ada', '']);
    const again = await plan([[nationalFormat(phone), 'Ada', '']], { country: 'US' });
    assert.deepEqual(again.totals, { unchanged: 1 });
  });

  for (const [kind, query] of [
    ['without an identity', {}],
    ['with an identity', { country: 'US' }],
  ] as const) {
    test(`Legacy contacts (${kind}) can be sent back unchanged and updated to international numbers`, async () => {
      const [phone, next] = [newPhone(), newPhone()];
      const contact = await migrateOne([nationalFormat(phone), 'Ada', ''], query);
      const phone_number = nationalFormat(phone);
      const echoed = await accepts(contact.id, { ...contact, notes: 'New.', tags: ['x'] });
      assert.deepEqual([echoed.phone_number, echoed.notes, echoed.tags], [phone_number, 'New.', ['x']]);
      assert.equal((await accepts(contact.id, { phone_number, first_name: 'Eve' })).first_name, 'Eve');
      for (const other of [nationalFormat(next), phone.slice(2), ` ${phone_number}`, `+1 ${phone_number}`]) {
        await assertFieldsRejected(service, ['phone_number'], () =>
          patch(contact.id, { phone_number: other }),
        );
      }
      assert.equal((await accepts(contact.id, { phone_number: next })).phone_number, next);
      await assertNumberTaken(contact.id, next);
      await makeContact(service, { phone_number: phone });
      await assertFieldsRejected(service, ['phone_number'], () => patch(contact.id, { phone_number }));
    });
  }

  for (const [where, query] of [
    ['with a country', { country: 'US' }],
    ['without a country', {}],
  ] as const) {
    test(`A legacy import keeps both conflicting numbers until the conflict is resolved, ${where}`, async () => {
      const [shown, normalized, next] = [newPhone(), newPhone(), newPhone()];
      const contact = await migrateOne([nationalFormat(shown), 'Ada', normalized], query);
      const { id } = contact;
      assert.equal(contact.phone_number, nationalFormat(shown));
      assert.deepEqual(await storedPhone(id), [nationalFormat(shown), normalized, 1]);
      await assertNumberTaken(id, normalized);
      assert.equal((await accepts(id, { ...contact, notes: 'New.' })).phone_number, nationalFormat(shown));
      for (const extra of [{}, { confirm_phone_change: false }]) {
        const error = await assertRejected(service, 409, 'CONFLICT', () =>
          patch(id, { phone_number: next, ...extra }),
        );
        const { request_id: _, ...said } = error;
        assert.deepEqual(said, {
          code: 'CONFLICT',
          message:
            'The displayed and normalized phone numbers of this contact conflict. To replace both, send confirm_phone_change: true.',
          details: [
            { field: 'confirm_phone_change', message: 'must be true to change the number of this contact.' },
          ],
        });
      }
      const confirmed = { phone_number: next, confirm_phone_change: true };
      await assertFieldsRejected(service, ['phone_number'], () =>
        patch(id, { ...confirmed, phone_number: nationalFormat(next) }),
      );
      assert.equal((await accepts(id, confirmed)).phone_number, next);
      assert.deepEqual(await storedPhone(id), [next, next, 0]);
      await assertNumberTaken(id, next);
      const other = await makeContact(service, { phone_number: normalized });
      const error = await assertRejected(service, 409, 'CONFLICT', () =>
        patch(other.id, { phone_number: next }),
      );
      assert.deepEqual(error.details, { existing_contact_id: id });
    });
  }

  test('A displayed number equal to the normalized one is no conflict, whatever its format', async () => {
    const phone = newPhone();
    const contacts = await migrate([
      [nationalFormat(phone), 'Whole', phone],
      ['555-0188', 'Local', '+19075550188'],
      ['020 7946 0188', 'British', '+442079460188'],
      ['0044 20 7946 0189', 'Abroad', '+442079460189'],
      ['8 (495) 555-01-88', 'Trunk', '+74955550188'],
    ], { country: 'US' }); // biome-ignore format: a table
    for (const { id } of contacts)
      assert.equal((await storedPhone(id))[2], 0, JSON.stringify(await storedPhone(id)));
    const conflicting = await migrate([
      ['555-0189', 'Local', '+19075550190'],
      ['020 7946 0190', 'British', '+442079460191'],
      [newPhone(), 'International', newPhone()],
    ]);
    for (const { id } of conflicting) assert.equal((await storedPhone(id))[2], 1);
  });

  test('A legacy import can be undone, including its conflicts', async () => {
    const [shown, normalized] = [newPhone(), newPhone()];
    const { id } = await plan([[nationalFormat(shown), 'Ada', normalized]]);
    await applyImport(owner, id);
    assert.equal((await undoImport(owner, id)).totals.removed, 1);
    assert.deepEqual(await findNumber(nationalFormat(shown)), []);
    await makeContact(service, { phone_number: normalized });
  });

  test('Without the legacy option such rows are invalid, and a normalized number is used', async () => {
    const [one, two] = [newPhone(), newPhone()];
    const file = `Phone,E.164\n${nationalFormat(one)},\n${nationalFormat(one)},${two}`;
    const reply = await owner.call('POST', '/imports', undefined, {
      raw: file,
      headers: { 'content-type': 'text/csv' },
    });
    const { id, options } = reply.body.data;
    assert.equal(options.legacy, false);
    assert.deepEqual(
      (await importRows(owner, id)).map(({ verdict }) => verdict),
      ['invalid', 'create'],
    );
    await applyImport(owner, id);
    assert.equal((await findNumber(two)).length, 1);
    assert.equal((await planCsv(owner, file, { legacy: 'false' })).totals.create, 1);
  });
});
