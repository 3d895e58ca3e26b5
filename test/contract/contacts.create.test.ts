import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertFieldsRejected,
  assertRejected,
  CREATED_KEYS,
  countContacts,
  FULL_KEYS,
  getContact,
  keysOf,
} from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, TIMESTAMP } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const full = () => ({
  phone_number: newPhone(),
  first_name: 'Ada',
  last_name: 'Lovelace',
  display_name: 'Countess',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  notes: 'Prefers letters.',
  tags: ['vip', 'science'],
});

const id = /^contact_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

onEveryEngine('Contact creation', (service) => {
  test('Creating a contact returns 201 with exactly the documented fields', async () => {
    const began = new Date().toISOString();
    const sent = full();
    const { status, body } = await service.post('/v1/contacts', sent);
    assert.equal(status, 201);
    assert.deepEqual(keysOf(body), ['data', 'success']);
    assert.equal(body.success, true);
    assert.deepEqual(keysOf(body.data), CREATED_KEYS);
    const { id: made, source, created_at, updated_at, ...rest } = body.data;
    assert.deepEqual(rest, sent);
    assert.match(made, id);
    assert.equal(source, 'api');
    assert.match(created_at, TIMESTAMP);
    assert.equal(updated_at, created_at);
    assert.ok(created_at >= began && created_at <= new Date().toISOString());
  });

  test('A created contact is stored as returned, with both contact times at its creation', async () => {
    const created = await makeContact(service, full());
    const stored = await getContact(service, created.id);
    assert.deepEqual(keysOf(stored), FULL_KEYS);
    assert.deepEqual(stored, {
      ...created,
      first_contact_at: created.created_at,
      last_contact_at: created.created_at,
      crm_ids: {},
    });
  });

  for (const prefix of ['/v1', '/api/v1']) {
    test(`Creating a contact under ${prefix} returns its Location`, async () => {
      const reply = await service.post(`${prefix}/contacts`, { phone_number: newPhone() });
      assert.equal(reply.status, 201);
      const location = reply.headers.get('location') ?? '';
      assert.equal(location, `${prefix}/contacts/${reply.body.data.id}`);
      const found = await service.get(location);
      assert.equal(found.status, 200);
      assert.equal(found.body.data.id, reply.body.data.id);
    });
  }

  const nothing = {
    first_name: null,
    last_name: null,
    display_name: null,
    email: null,
    company: null,
    notes: null,
    tags: [],
  };

  test('Missing texts are stored as null and missing tags as an empty list', async () => {
    const phone_number = newPhone();
    const created = await makeContact(service, { phone_number });
    const { id: _, source, created_at: __, updated_at: ___, ...rest } = created;
    assert.equal(source, 'api');
    assert.deepEqual(rest, { phone_number, ...nothing });
    assert.partialDeepStrictEqual(await getContact(service, created.id), { phone_number, ...nothing });
  });

  test('A null text counts as missing, and an empty text stays empty', async () => {
    const { tags, ...nulls } = nothing;
    assert.partialDeepStrictEqual(await makeContact(service, { ...nulls, tags }), nothing);
    const empty = { first_name: '', last_name: '', display_name: '', company: '', notes: '' };
    const created = await makeContact(service, empty);
    assert.partialDeepStrictEqual(created, empty);
    assert.partialDeepStrictEqual(await getContact(service, created.id), empty);
  });

  test('Creating a contact ignores read-only fields', async () => {
    const foreign = {
      id: 'contact_01h455vb4pex5vsknk084sn02q',
      source: 'import',
      first_contact_at: '2001-01-01T00:00:00.000Z',
      last_contact_at: '2001-01-01T00:00:00.000Z',
      created_at: '2001-01-01T00:00:00.000Z',
      updated_at: 'no time at all',
      crm_ids: { hubspot: '7' },
    };
    const created = await makeContact(service, foreign);
    const stored = await getContact(service, created.id);
    assert.notEqual(stored.id, foreign.id);
    assert.equal(stored.source, 'api');
    assert.deepEqual(stored.crm_ids, {});
    for (const time of ['first_contact_at', 'last_contact_at', 'created_at', 'updated_at']) {
      assert.ok(stored[time] > '2025', time);
    }
  });

  test('A deleted contact can be created again from the record that was read', async () => {
    const { id: made } = await makeContact(service, full());
    const read = await getContact(service, made);
    assert.equal((await service.delete(`/v1/contacts/${made}`)).status, 200);
    const again = await makeContact(service, read);
    assert.notEqual(again.id, made);
    assert.deepEqual(again.tags, read.tags);
    assert.equal(again.notes, read.notes);
  });

  test('Creating a contact rejects unknown fields by name', async () => {
    const assertRejectedWith = (fields: object, names: string[]) =>
      assertFieldsRejected(service, names, () =>
        service.post('/v1/contacts', { phone_number: newPhone(), ...fields }),
      );
    await assertRejectedWith({ fist_name: 'Ada' }, ['fist_name']);
    await assertRejectedWith({ First_Name: 'Ada', phone: 'x' }, ['First_Name', 'phone']);
    await assertRejectedWith({ confirm_phone_change: true }, ['confirm_phone_change']);
    await assertRejectedWith({ workspace_id: 1 }, ['workspace_id']);
    await assertRejectedWith({ phone_identity: '+19075550100', phone_conflict: 1 }, [
      'phone_identity',
      'phone_conflict',
    ]);
    await assertFieldsRejected(service, ['__proto__'], () =>
      service.call('POST', '/v1/contacts', undefined, {
        raw: `{"phone_number": "${newPhone()}", "__proto__": {"first_name": "Ada"}}`,
      }),
    );
  });

  test('Creating a contact requires a phone number', async () => {
    const post = (body: object) => () => service.post('/v1/contacts', body);
    assert.equal(await assertFieldsRejected(service, ['phone_number'], post({})), 'is required.');
    await assertFieldsRejected(service, ['phone_number'], post({ first_name: 'Ada' }));
    await assertFieldsRejected(service, ['phone_number'], post({ phone_number: null }));
    await assertFieldsRejected(service, ['phone_number'], post({ phone_number: 19_075_550_100 }));
    await assertFieldsRejected(service, ['phone_number'], post({ phone_number: ['+19075550100'] }));
  });

  test('Creating a contact reports every invalid field', async () => {
    await assertFieldsRejected(service, ['phone_number', 'email', 'tags', 'nickname'], () =>
      service.post('/v1/contacts', { phone_number: '1', email: 'ada', tags: 'vip', nickname: 'A' }),
    );
  });

  test('A create with a taken phone number returns 409 and names the existing contact', async () => {
    const existing = await makeContact(service, { first_name: 'Ada', tags: ['held'] });
    for (const prefix of ['/v1', '/api/v1']) {
      const error = await assertRejected(service, 409, 'CONFLICT', () =>
        service.post(`${prefix}/contacts`, {
          ...full(),
          phone_number: existing.phone_number,
          tags: ['held'],
        }),
      );
      assert.deepEqual(error.details, { existing_contact_id: existing.id });
    }
    assert.equal(await countContacts(service, { tag: 'held' }), 1);
  });

  test('A create validates the request before it looks up the phone number', async () => {
    const { phone_number } = await makeContact(service);
    await assertFieldsRejected(service, ['email'], () =>
      service.post('/v1/contacts', { phone_number, email: 'ada' }),
    );
  });

  test('Of many concurrent creates of a number one wins, and the others name its contact', async () => {
    const before = await countContacts(service);
    const phone_number = newPhone();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        service.post('/v1/contacts', { phone_number, first_name: `${at}`, tags: ['race'] }),
      ),
    );
    const [winner, ...more] = replies.filter(({ status }) => status === 201);
    assert.ok(winner);
    assert.deepEqual(more, []);
    for (const reply of replies.filter((each) => each !== winner)) {
      assert.deepEqual(assertError(reply, 409, 'CONFLICT').details, {
        existing_contact_id: winner.body.data.id,
      });
    }
    assert.equal(await countContacts(service), before + 1);
    assert.equal(await countContacts(service, { tag: 'race' }), 1);
  });
});
