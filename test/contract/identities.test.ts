import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

onEveryEngine('Identities of a contact', (service) => {
  const list = async (id: string): Promise<Json[]> =>
    (await service.get(`/v1/contacts/${id}/identities`)).body.data;
  const add = (id: string, kind: string, value: string, others: object = {}) =>
    service.post(`/v1/contacts/${id}/identities`, { kind, value, ...others });
  const patch = (id: string, identity: string, body: object = { is_primary: true }) =>
    service.call('PATCH', `/v1/contacts/${id}/identities/${identity}`, body);
  const remove = (id: string, identity: string) =>
    service.call('DELETE', `/v1/contacts/${id}/identities/${identity}`);
  const find = (kind: string, value: string) =>
    service.get(`/v1/identities/${kind}/${encodeURIComponent(value)}`);
  const valuesOf = (some: readonly Json[]) =>
    some.map(({ kind, value, is_primary, valid_until }) => [kind, value, is_primary, valid_until === null]);

  test('A new contact has its number as the primary identity, with an id derived from its own', async () => {
    const contact = await makeContact(service);
    const primary = {
      id: contact.id.replace('contact_', 'identity_'),
      kind: 'phone',
      value: contact.phone_number,
      is_primary: true,
      verified_by: null,
      valid_from: contact.created_at,
      valid_until: null,
    };
    assert.deepEqual(await list(contact.id), [primary]);
    const { body } = await find('phone', contact.phone_number);
    assert.deepEqual(body.data, { ...primary, contact_id: contact.id });
    assert.deepEqual(
      await service.database.query('select id from identities where contact_id = ?', contact.id),
      [],
    );
  });

  test('Identities of every kind are added, found and included where a request asks for them', async () => {
    const contact = await makeContact(service);
    const phone = newPhone();
    const created = await add(contact.id, 'phone', phone, { verified_by: 'one-time code' });
    assert.equal(created.status, 201);
    const { id, valid_from, ...others } = created.body.data;
    assert.match(id, /^identity_[0-9a-z]{26}$/);
    assert.match(valid_from, TIME);
    assert.deepEqual(others, {
      kind: 'phone',
      value: phone,
      is_primary: false,
      verified_by: 'one-time code',
      valid_until: null,
    });
    assert.equal(created.headers.get('location'), `/v1/contacts/${contact.id}/identities/${id}`);
    await add(contact.id, 'whatsapp_user', `US.${contact.id}`);
    await add(contact.id, 'email_address', `Ada.${contact.id}@Example.com`);
    await add(contact.id, 'external', `crm 4711 ${contact.id}`, { valid_from: '2026-01-01T00:00:00Z' });
    const all = await list(contact.id);
    assert.deepEqual(
      all.map(({ kind }) => kind),
      ['phone', 'external', 'phone', 'whatsapp_user', 'email_address'],
    );
    assert.equal(all[4]?.value, `ada.${contact.id}@example.com`);
    for (const { kind, value } of all) {
      const { body } = await find(kind, value);
      assert.deepEqual([body.data.contact_id, body.data.value], [contact.id, value]);
    }
    const upper = await find('email_address', `ADA.${contact.id}@EXAMPLE.com`);
    assert.equal(upper.body.data.contact_id, contact.id);
    for (const path of [contact.id, `by-phone/${contact.phone_number}`, `by-phone/${phone}`]) {
      const plain = await service.get(`/v1/contacts/${path}`);
      const { body } = await service.get(`/v1/contacts/${path}?include=identities`);
      assert.deepEqual(body.data, { ...plain.body.data, identities: all });
      assert.equal(plain.body.data.id, contact.id);
    }
    const listed = await service.get(`/v1/contacts?include=identities&search=${encodeURIComponent(phone)}`);
    assert.deepEqual(
      listed.body.data.map(({ id, identities }: Json) => [id, identities]),
      [[contact.id, all]],
    );
  });

  test('A search finds a contact by its secondary number, email address and other identities', async () => {
    const contact = await makeContact(service);
    const phone = newPhone();
    await add(contact.id, 'phone', phone);
    await add(contact.id, 'email_address', `zoe.${contact.id}@work.example`);
    const found = async (search: string) =>
      (await service.get(`/v1/contacts?search=${encodeURIComponent(search)}`)).body.data.map(
        ({ id }: Json) => id,
      );
    const spaced = `${phone.slice(0, 5)} ${phone.slice(5, 8)}-${phone.slice(8)}`;
    for (const search of [phone, spaced, phone.slice(2), `ZOE.${contact.id}@work`])
      assert.deepEqual(await found(search), [contact.id], search);
    const identity = (await list(contact.id)).find(({ value }) => value === phone);
    await remove(contact.id, identity?.id);
    assert.deepEqual(await found(phone), []);
  });

  test('A value of a kind belongs to one contact, and a 409 names it also for a secondary number', async () => {
    const [one, other] = [await makeContact(service), await makeContact(service)];
    const phone = newPhone();
    await add(one.id, 'phone', phone);
    await add(one.id, 'external', phone);
    const refusals = [
      await add(other.id, 'phone', phone),
      await add(other.id, 'external', phone),
      await add(other.id, 'phone', one.phone_number),
      await add(one.id, 'phone', phone),
      await add(one.id, 'phone', one.phone_number),
      await service.post('/v1/contacts', { phone_number: phone }),
      await service.call('PATCH', `/v1/contacts/${other.id}`, { phone_number: phone }),
    ];
    for (const refusal of refusals) {
      assertError(refusal, 409, 'CONFLICT');
      assert.deepEqual(refusal.body.error.details, { existing_contact_id: one.id });
    }
    const batch = await service.post('/v1/contacts/batch', {
      operations: [
        { op: 'create', phone_number: phone },
        { op: 'update', id: other.id, phone_number: phone },
        { op: 'upsert', phone_number: phone, company: 'Acme' },
      ],
    });
    assert.deepEqual(
      batch.body.data.results.map(({ status, id, error }: Json) => [
        status,
        id ?? error.details.existing_contact_id,
      ]),
      [
        ['failed', one.id],
        ['failed', one.id],
        ['updated', one.id],
      ],
    );
    assert.deepEqual(valuesOf(await list(other.id)), [['phone', other.phone_number, true, true]]);
    const stored = await service.get(`/v1/contacts/${one.id}`);
    assert.deepEqual([stored.body.data.phone_number, stored.body.data.company], [one.phone_number, 'Acme']);
    assert.equal((await find('external', phone)).body.data.contact_id, one.id);
  });

  test('An upsert by a secondary number updates the contact and keeps its number', async () => {
    const contact = await makeContact(service);
    const phone = newPhone();
    await add(contact.id, 'phone', phone);
    const reply = await service.call('PUT', `/v1/contacts/by-phone/${phone}`, {
      phone_number: phone,
      company: 'Acme',
    });
    assert.deepEqual(
      [reply.status, reply.body.data.id, reply.body.data.phone_number, reply.body.data.company],
      [200, contact.id, contact.phone_number, 'Acme'],
    );
  });

  test('Another number becomes primary in one request, and the old one stays as a secondary one', async () => {
    const contact = await makeContact(service);
    const phone = newPhone();
    const { id } = (await add(contact.id, 'phone', phone)).body.data;
    const made = await patch(contact.id, id);
    assert.deepEqual([made.status, made.body.data.is_primary, made.body.data.value], [200, true, phone]);
    assert.equal((await service.get(`/v1/contacts/${contact.id}`)).body.data.phone_number, phone);
    const all = await list(contact.id);
    assert.deepEqual(valuesOf(all), [
      ['phone', phone, true, true],
      ['phone', contact.phone_number, false, true],
    ]);
    assert.deepEqual(
      [all[1]?.id, all[1]?.valid_from],
      [contact.id.replace('contact_', 'identity_'), contact.created_at],
    );
    assertError(await service.post('/v1/contacts', { phone_number: contact.phone_number }), 409, 'CONFLICT');
    assert.equal((await patch(contact.id, all[1]?.id)).status, 200);
    assert.deepEqual(valuesOf(await list(contact.id)), [
      ['phone', contact.phone_number, true, true],
      ['phone', phone, false, true],
    ]);
    const email = await add(contact.id, 'email_address', `p.${contact.id}@example.com`);
    assertError(await patch(contact.id, email.body.data.id), 409, 'CONFLICT');
    assertError(await patch(contact.id, id, { is_primary: false }), 400, 'VALIDATION_ERROR');
  });

  test('A changed phone_number keeps the old number as a former identity, which another contact can take', async () => {
    const contact = await makeContact(service);
    const numbers = [contact.phone_number, newPhone(), newPhone()];
    for (const phone_number of [numbers[1], numbers[2], numbers[0]])
      assert.equal((await service.call('PATCH', `/v1/contacts/${contact.id}`, { phone_number })).status, 200);
    const all = await list(contact.id);
    assert.deepEqual(valuesOf(all), [
      ['phone', numbers[0], true, true],
      ['phone', numbers[2], false, false],
      ['phone', numbers[1], false, false],
      ['phone', numbers[0], false, false],
    ]);
    assert.deepEqual(
      all.slice(1).map(({ valid_until }) => valid_until),
      all.slice(0, 3).map(({ valid_from }) => valid_from),
    );
    assertError(await find('phone', String(numbers[1])), 404, 'NOT_FOUND');
    const next = await service.post('/v1/contacts', { phone_number: numbers[1] });
    assert.equal(next.status, 201);
    const own = await add(contact.id, 'phone', newPhone());
    const { value } = own.body.data;
    await service.call('PATCH', `/v1/contacts/${contact.id}`, { phone_number: value });
    assert.deepEqual(valuesOf(await list(contact.id)).slice(0, 2), [
      ['phone', value, true, true],
      ['phone', numbers[0], false, false],
    ]);
  });

  test('A removed identity becomes a former one, a removed former one is gone, and the primary one stays', async () => {
    const contact = await makeContact(service);
    const phone = newPhone();
    const { id } = (await add(contact.id, 'phone', phone)).body.data;
    const primary = contact.id.replace('contact_', 'identity_');
    const refused = await remove(contact.id, primary);
    assertError(refused, 409, 'CONFLICT');
    assert.match(refused.body.error.message, /Make another number primary, or change phone_number/);
    assert.equal((await remove(contact.id, id)).status, 200);
    assert.deepEqual(valuesOf(await list(contact.id))[1], ['phone', phone, false, false]);
    assert.equal((await service.post('/v1/contacts', { phone_number: phone })).status, 201);
    assert.equal((await remove(contact.id, id)).status, 200);
    assert.equal((await list(contact.id)).length, 1);
    assertError(await remove(contact.id, id), 404, 'NOT_FOUND');
  });

  test('Invalid identities are refused with what to send, and change nothing', async () => {
    const contact = await makeContact(service);
    const cases: [object, RegExp][] = [
      [{ kind: 'phone', value: '+1 202 555 0100' }, /Send \+12025550100/],
      [{ kind: 'whatsapp_user', value: 'US 1' }, /spaces/],
      [{ kind: 'whatsapp_user', value: 'x'.repeat(129) }, /at most 128/],
      [{ kind: 'email_address', value: 'ada' }, /email address/],
      [{ kind: 'external', value: '' }, /at least 1/],
      [{ kind: 'external', value: 'x'.repeat(256) }, /at most 255/],
      [{ kind: 'fax', value: '1' }, /must be one of/],
      [{ kind: 'external' }, /required/],
      [{ kind: 'external', value: 'a', valid_from: '2999-01-01T00:00:00Z' }, /future/],
    ];
    for (const [body, message] of cases) {
      const reply = await service.post(`/v1/contacts/${contact.id}/identities`, body);
      assertError(reply, 400, 'VALIDATION_ERROR');
      assert.match(reply.body.error.message, message);
    }
    assert.equal((await list(contact.id)).length, 1);
    assertError(await find('fax', '1'), 400, 'VALIDATION_ERROR');
    assertError(await find('phone', '1'), 400, 'VALIDATION_ERROR');
    assertError(await service.get('/v1/identities'), 400, 'VALIDATION_ERROR');
  });

  test('A contact has at most 20 current identities', async () => {
    const contact = await makeContact(service);
    for (let count = 1; count < 20; count++)
      assert.equal((await add(contact.id, 'external', `${contact.id} ${count}`)).status, 201);
    const refused = await add(contact.id, 'external', `${contact.id} 20`);
    assertError(refused, 409, 'CONFLICT');
    assert.match(refused.body.error.message, /at most 20 current identities/);
  });

  test('Changes of identities are events, and their values are only in the timeline', async () => {
    const contact = await makeContact(service);
    const value = `secret-${contact.id}`;
    await add(contact.id, 'external', value);
    const entries = await service.get(`/v1/contacts/${contact.id}/timeline`);
    assert.ok(JSON.stringify(entries.body.data).includes(value));
    const rows = await service.database.query(
      `select changed, data from events where subject = ? and type = 'contact.updated'`,
      contact.id,
    );
    assert.deepEqual(
      rows.map(({ changed }) => changed),
      ['["identities"]'],
    );
    assert.ok(!JSON.stringify(rows).includes(value));
    const audit = await service.database.query('select * from audit_entries where subject = ?', contact.id);
    assert.equal(audit.length, 2);
    assert.ok(!JSON.stringify(audit).includes(value));
  });

  test('A deleted contact leaves no identity, also no former one and none in answers to idempotency keys', async () => {
    const contact = await makeContact(service);
    const added = { kind: 'external', value: contact.id };
    const keyed = () =>
      service.call('POST', `/v1/contacts/${contact.id}/identities`, added, withIdempotencyKey(contact.id));
    assert.deepEqual((await keyed()).body, (await keyed()).body);
    const answers = () => service.database.query('select answer from retries where subject = ?', contact.id);
    assert.equal((await answers()).length, 1);
    await service.call('PATCH', `/v1/contacts/${contact.id}`, { phone_number: newPhone() });
    assert.equal((await service.call('DELETE', `/v1/contacts/${contact.id}`)).status, 200);
    assert.deepEqual(await answers(), []);
    assert.deepEqual(
      await service.database.query('select id from identities where contact_id = ?', contact.id),
      [],
    );
    assertError(await service.get(`/v1/contacts/${contact.id}/identities`), 404, 'NOT_FOUND');
    assertError(await find('external', contact.id), 404, 'NOT_FOUND');
  });
});
