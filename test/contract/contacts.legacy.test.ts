import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertFieldsRejected,
  assertRejected,
  getContact,
  listContactIds,
} from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import {
  type LegacyContact,
  makeLegacyContact,
  nationalFormat,
  rewriteContact,
} from '../kit/fixtures/legacy-contacts.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const kinds = ['derived', 'conflicting', 'none'] as const;

onEveryEngine('Legacy contacts', (service) => {
  const patch = (id: string, fields: object) => service.patch(`/v1/contacts/${id}`, fields);
  const accepts = async (id: string, fields: Record<string, unknown>): Promise<Json> => {
    const { status, body, text } = await patch(id, fields);
    assert.equal(status, 200, text);
    const { crm_ids: _, ...stored } = await getContact(service, id);
    assert.deepEqual(body.data, stored);
    return stored;
  };
  /** Asserts that creating a contact with this number conflicts with the contact. */
  const assertNumberTaken = async (id: string, phone_number: string) => {
    const error = await assertRejected(service, 409, 'CONFLICT', () =>
      service.post('/v1/contacts', { phone_number }),
    );
    assert.deepEqual(error.details, { existing_contact_id: id });
  };
  const needsConfirmation = async ({ contact }: LegacyContact, fields: object) => {
    const error = await assertRejected(service, 409, 'CONFLICT', () => patch(contact.id, fields));
    assert.equal(error.details.length, 1);
    assert.equal(error.details[0].field, 'confirm_phone_change');
    assert.match(error.details[0].message, /must be true/);
    assert.match(error.message, /confirm_phone_change: true/);
  };

  for (const kind of kinds) {
    test(`A legacy contact (${kind}) is returned unchanged by get, list and search`, async () => {
      const { contact, displayed } = await makeLegacyContact(service, kind, { first_name: 'Ada' });
      assert.equal(contact.phone_number, nationalFormat(displayed));
      const { body } = await service.get('/v1/contacts?limit=1');
      const { crm_ids: _, ...listed } = contact;
      assert.deepEqual(body.data, [listed]);
      for (const search of [nationalFormat(displayed), displayed.slice(2), displayed.slice(5)]) {
        assert.ok((await listContactIds(service, { search })).includes(contact.id), search);
      }
    });

    test(`A legacy contact (${kind}) accepts its own number with and without the flag`, async () => {
      const { contact, displayed } = await makeLegacyContact(service, kind, { first_name: 'Ada' });
      for (const extra of [{}, { confirm_phone_change: true }, { confirm_phone_change: false }]) {
        const phone_number = nationalFormat(displayed);
        const stored = await accepts(contact.id, { phone_number, first_name: 'Eve', tags: ['x'], ...extra });
        assert.equal(stored.phone_number, phone_number);
        assert.equal(stored.first_name, 'Eve');
        assert.deepEqual(stored.tags, ['x']);
      }
    });

    test(`A legacy contact (${kind}) can be sent back whole and updated without its number`, async () => {
      const { contact } = await makeLegacyContact(service, kind, { first_name: 'Ada' });
      const { updated_at, ...rest } = await accepts(contact.id, contact);
      assert.ok(updated_at > contact.updated_at);
      assert.deepEqual({ ...rest, updated_at: contact.updated_at, crm_ids: {} }, contact);
      assert.equal((await accepts(contact.id, { notes: 'New.' })).phone_number, contact.phone_number);
    });

    test(`A legacy contact (${kind}) rejects another number that is not international`, async () => {
      const { contact, displayed } = await makeLegacyContact(service, kind);
      const others = [
        '(907) 555-0177',
        displayed.slice(2),
        nationalFormat(displayed).replace(' ', ''),
        ` ${nationalFormat(displayed)}`,
        `+1 ${nationalFormat(displayed)}`,
        '',
      ];
      for (const phone_number of others) {
        for (const confirm_phone_change of [false, true]) {
          await assertFieldsRejected(service, ['phone_number'], () =>
            patch(contact.id, { phone_number, confirm_phone_change, notes: 'New.' }),
          );
        }
      }
    });

    test(`Deleting a legacy contact (${kind}) frees its number and removes its search entry`, async () => {
      const { contact, displayed, identity } = await makeLegacyContact(service, kind, {
        last_name: `Gone${kind}`,
      });
      assert.equal((await service.delete(`/v1/contacts/${contact.id}`)).status, 200);
      assert.deepEqual(await listContactIds(service, { search: `gone${kind}` }), []);
      assert.deepEqual(await listContactIds(service, { search: nationalFormat(displayed) }), []);
      await makeContact(service, { phone_number: identity ?? displayed });
    });
  }

  for (const kind of ['derived', 'none'] as const) {
    for (const flag of [{}, { confirm_phone_change: true }, { confirm_phone_change: false }]) {
      test(`A legacy contact (${kind}) accepts an international number with ${JSON.stringify(flag)}`, async () => {
        const { contact, identity } = await makeLegacyContact(service, kind);
        const phone_number = newPhone();
        assert.equal((await accepts(contact.id, { phone_number, ...flag })).phone_number, phone_number);
        await assertNumberTaken(contact.id, phone_number);
        assert.deepEqual(await listContactIds(service, { search: contact.phone_number }), []);
        assert.deepEqual(await listContactIds(service, { search: phone_number }), [contact.id]);
        if (identity) await makeContact(service, { phone_number: identity });
      });
    }

    test(`A legacy contact (${kind}) accepts the international form of the number it displays`, async () => {
      const { contact, displayed } = await makeLegacyContact(service, kind);
      assert.equal((await accepts(contact.id, { phone_number: displayed })).phone_number, displayed);
      await assertNumberTaken(contact.id, displayed);
      await assertFieldsRejected(service, ['phone_number'], () =>
        patch(contact.id, { phone_number: contact.phone_number }),
      );
    });
  }

  for (const kind of ['derived', 'conflicting'] as const) {
    test(`The identity of a legacy contact (${kind}) is taken for creates and updates`, async () => {
      const { contact, identity } = await makeLegacyContact(service, kind);
      await assertNumberTaken(contact.id, String(identity));
      const other = await makeContact(service);
      const error = await assertRejected(service, 409, 'CONFLICT', () =>
        patch(other.id, { phone_number: identity }),
      );
      assert.deepEqual(error.details, { existing_contact_id: contact.id });
      await accepts(contact.id, contact);
      await assertNumberTaken(contact.id, String(identity));
    });
  }

  test('A legacy contact (conflicting) leaves the number that it only displays free', async () => {
    const { displayed } = await makeLegacyContact(service, 'conflicting');
    await makeContact(service, { phone_number: displayed });
  });

  test('Several legacy contacts (none) can exist without taking a number', async () => {
    const { contact, displayed } = await makeLegacyContact(service, 'none');
    await makeLegacyContact(service, 'none');
    const { id } = await makeContact(service, { phone_number: displayed });
    const error = await assertRejected(service, 409, 'CONFLICT', () =>
      patch(contact.id, { phone_number: displayed, confirm_phone_change: true }),
    );
    assert.deepEqual(error.details, { existing_contact_id: id });
  });

  test('A legacy contact (conflicting) changes its number only with confirmation', async () => {
    const legacy = await makeLegacyContact(service, 'conflicting');
    const { id } = legacy.contact;
    for (const phone_number of [newPhone(), legacy.displayed, legacy.identity]) {
      await needsConfirmation(legacy, { phone_number, notes: 'New.' });
      await needsConfirmation(legacy, { phone_number, notes: 'New.', confirm_phone_change: false });
    }
    await accepts(id, { notes: 'A note.', confirm_phone_change: true });
    await accepts(id, { phone_number: legacy.contact.phone_number, confirm_phone_change: true });
    await needsConfirmation(legacy, { phone_number: newPhone() });
  });

  test('A legacy contact (conflicting) can display an international number', async () => {
    const legacy = await makeLegacyContact(service, 'conflicting');
    const { id } = legacy.contact;
    await rewriteContact(service, id, { phone_number: legacy.displayed });
    const echo = { phone_number: legacy.displayed, notes: 'New.', confirm_phone_change: true };
    assert.equal((await accepts(id, echo)).phone_number, legacy.displayed);
    await assertNumberTaken(id, String(legacy.identity));
    await needsConfirmation(legacy, { phone_number: newPhone() });
    const phone_number = newPhone();
    await accepts(id, { phone_number, confirm_phone_change: true });
    await assertNumberTaken(id, phone_number);
  });

  for (const [what, choose] of Object.entries({
    'another number': () => newPhone(),
    'the number it displays': ({ displayed }: LegacyContact) => displayed,
    'its own identity': ({ identity }: LegacyContact) => String(identity),
  })) {
    test(`A legacy contact (conflicting) accepts ${what} with confirmation and is then resolved`, async () => {
      const legacy = await makeLegacyContact(service, 'conflicting');
      const { id } = legacy.contact;
      const phone_number = choose(legacy);
      const stored = await accepts(id, { phone_number, confirm_phone_change: true, notes: 'Repaired.' });
      assert.equal(stored.phone_number, phone_number);
      assert.equal(stored.notes, 'Repaired.');
      await assertNumberTaken(id, phone_number);
      if (legacy.identity !== phone_number) await makeContact(service, { phone_number: legacy.identity });
      const next = newPhone();
      assert.equal((await accepts(id, { phone_number: next })).phone_number, next);
      await assertNumberTaken(id, next);
    });
  }

  test('A legacy contact (conflicting) never accepts the number of another contact', async () => {
    const legacy = await makeLegacyContact(service, 'conflicting');
    const existing = await makeContact(service);
    const { phone_number } = existing;
    const error = await assertRejected(service, 409, 'CONFLICT', () =>
      patch(legacy.contact.id, { phone_number, confirm_phone_change: true, notes: 'New.' }),
    );
    assert.deepEqual(error.details, { existing_contact_id: existing.id });
    await needsConfirmation(legacy, { phone_number: newPhone() });
  });
});

onEveryEngine('The flag confirm_phone_change', (service) => {
  for (const confirm_phone_change of [true, false]) {
    test(`confirm_phone_change ${confirm_phone_change} has no effect on an ordinary contact`, async () => {
      const { id } = await makeContact(service, { first_name: 'Ada' });
      const existing = await makeContact(service);
      const patch = (fields: object) =>
        service.patch(`/v1/contacts/${id}`, { confirm_phone_change, ...fields });
      assert.equal((await patch({})).status, 200);
      const phone_number = newPhone();
      const { status, body } = await patch({ phone_number });
      assert.equal(status, 200);
      assert.equal(body.data.phone_number, phone_number);
      assert.equal('confirm_phone_change' in body.data, false);
      await assertFieldsRejected(service, ['phone_number'], () => patch({ phone_number: '(907) 555-0177' }));
      const error = await assertRejected(service, 409, 'CONFLICT', () =>
        patch({ phone_number: existing.phone_number }),
      );
      assert.deepEqual(error.details, { existing_contact_id: existing.id });
    });
  }
});
