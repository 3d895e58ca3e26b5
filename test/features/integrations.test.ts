import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { CREATED_KEYS, FULL_KEYS, keysOf, LISTED_KEYS } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeLegacyContact } from '../kit/fixtures/legacy-contacts.ts';
import { assertError, TIMESTAMP } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Integration webhooks', (service) => {
  let owner: CheckedUser;
  let crm: Json;
  before(async () => {
    owner = await signedInOwner(service);
    crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
  });
  const sendContact = (body: Json, { id, secret }: Json = crm) =>
    service.post(`/hooks/contacts/${id}`, body, { key: secret });
  const contactOf = async (id: string) => (await service.get(`/v1/contacts/${id}`)).body.data;

  test('An integration webhook creates a contact for an unknown number', async () => {
    const fields = {
      phone_number: newPhone(),
      first_name: 'Ada',
      last_name: 'Lovelace',
      display_name: 'Countess',
      email: 'ada@example.com',
      company: 'Engines',
      notes: 'first',
      tags: ['vip', 'crm'],
    };
    const began = new Date().toISOString();
    const reply = await sendContact({ ...fields, crm_ids: { hubspot: '17', salesforce: '003A' } });
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(keysOf(reply.body.data), ['action', 'contact']);
    const { action, contact } = reply.body.data;
    assert.equal(action, 'created');
    assert.deepEqual(keysOf(contact), FULL_KEYS);
    const { id, created_at, ...rest } = contact;
    assert.ok(created_at >= began);
    assert.deepEqual(rest, {
      ...fields,
      source: 'webhook',
      first_contact_at: created_at,
      last_contact_at: created_at,
      updated_at: created_at,
      crm_ids: { hubspot: '17', salesforce: '003A' },
    });
    assert.deepEqual(await contactOf(id), contact);
    const tagged = await service.get('/v1/contacts?tag=crm&search=countess');
    assert.deepEqual(
      tagged.body.data.map((each: Json) => each.id),
      [id],
    );
  });

  test('An integration webhook updates only the sent fields of a known contact', async () => {
    const before = await makeContact(service, { first_name: 'Ada', company: 'Engines', tags: ['old'] });
    const { phone_number } = before;
    const reply = await sendContact({ phone_number, first_name: 'Augusta', company: null, tags: ['new'] });
    assert.equal(reply.status, 200, reply.text);
    const { action, contact } = reply.body.data;
    assert.equal(action, 'updated');
    assert.ok(contact.updated_at > before.updated_at);
    const { updated_at, first_contact_at: _, last_contact_at: __, crm_ids, ...rest } = contact;
    const { updated_at: ___, ...was } = before;
    assert.deepEqual(rest, { ...was, first_name: 'Augusta', company: null, tags: ['new'] });
    assert.deepEqual(crm_ids, {});
    assert.equal(rest.source, 'api', 'the source does not change');
    assert.deepEqual(await contactOf(before.id), contact);
    const bare = await sendContact({ phone_number });
    assert.equal(bare.status, 200);
    assert.deepEqual(bare.body.data.contact, { ...contact, updated_at: bare.body.data.contact.updated_at });
    assert.equal((await service.get('/v1/contacts?tag=old')).body.pagination.total, 0);
  });

  test('CRM ids are merged by name, and null removes one', async () => {
    const phone_number = newPhone();
    const sendCrmIds = async (crm_ids?: Json) =>
      (await sendContact({ phone_number, crm_ids })).body.data.contact;
    const { id } = await sendCrmIds({ hubspot: '1', gone: null });
    const now = async () => (await contactOf(id)).crm_ids;
    assert.deepEqual(await now(), { hubspot: '1' }, 'null for an unknown name has no effect');
    await sendCrmIds({ salesforce: 'A', pipedrive: '9' });
    assert.deepEqual(await now(), { hubspot: '1', salesforce: 'A', pipedrive: '9' });
    await sendCrmIds({ hubspot: '2', pipedrive: null });
    assert.deepEqual(await now(), { hubspot: '2', salesforce: 'A' });
    for (const nothing of [{}, undefined]) {
      await sendCrmIds(nothing);
      assert.deepEqual(await now(), { hubspot: '2', salesforce: 'A' });
    }
    await sendCrmIds({ hubspot: null, salesforce: null });
    assert.deepEqual(await now(), {});
  });

  test('Unusual CRM names and ids are stored exactly', async () => {
    const crm_ids = JSON.parse(
      '{"__proto__":"p","constructor":"c"," Zoho é ":"\\"quoted\\"","a,b":"}","😀":"😀"}',
    );
    const { contact } = (await sendContact({ phone_number: newPhone(), crm_ids })).body.data;
    assert.deepEqual(
      Object.entries((await contactOf(contact.id)).crm_ids).sort(),
      Object.entries(crm_ids).sort(),
    );
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`crm ${at}`, 'x'.repeat(255)]));
    const full = (await sendContact({ phone_number: newPhone(), crm_ids: many })).body.data.contact;
    assert.deepEqual((await contactOf(full.id)).crm_ids, many);
  });

  test('CRM ids are written only by the webhook and shown only by the get of a contact', async () => {
    const phone_number = newPhone();
    const { contact } = (await sendContact({ phone_number, crm_ids: { hubspot: '1' } })).body.data;
    const path = `/v1/contacts/${contact.id}`;
    const patched = await service.patch(path, { first_name: 'Ada', crm_ids: { hubspot: '2', other: '3' } });
    assert.equal(patched.status, 200);
    assert.deepEqual(keysOf(patched.body.data), LISTED_KEYS);
    assert.deepEqual((await contactOf(contact.id)).crm_ids, { hubspot: '1' });
    const listed = (await service.get(`/v1/contacts?search=${phone_number.slice(1)}`)).body.data;
    assert.deepEqual(listed.map(keysOf), [LISTED_KEYS]);
    const made = await service.post('/v1/contacts', { phone_number: newPhone(), crm_ids: { hubspot: '9' } });
    assert.deepEqual(keysOf(made.body.data), CREATED_KEYS);
    assert.deepEqual((await contactOf(made.body.data.id)).crm_ids, {});
  });

  test('An integration webhook accepts its own response as a request', async () => {
    const { contact } = (await sendContact({ phone_number: newPhone(), crm_ids: { hubspot: '1' } })).body
      .data;
    const again = await sendContact({ ...contact, source: 'manual', id: 'other', created_at: 'never' });
    assert.equal(again.status, 200);
    assert.deepEqual(again.body.data.contact, { ...contact, updated_at: again.body.data.contact.updated_at });
  });

  test('An integration webhook finds a legacy contact by its identity and keeps the displayed number', async () => {
    const legacy = await makeLegacyContact(service, 'conflicting');
    const reply = await sendContact({
      phone_number: legacy.identity,
      first_name: 'Ada',
      crm_ids: { hubspot: '1' },
    });
    assert.equal(reply.status, 200);
    const { id, phone_number, first_name } = reply.body.data.contact;
    assert.deepEqual([id, phone_number, first_name], [legacy.contact.id, legacy.contact.phone_number, 'Ada']);
  });

  test('Concurrent webhooks create one contact and lose no CRM id', async () => {
    const phone_number = newPhone();
    const names = Array.from({ length: 20 }, (_, at) => `crm${at}`);
    const replies = await Promise.all(
      names.map((name) => sendContact({ phone_number, crm_ids: { [name]: name } })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal(replies.filter(({ body }) => body.data.action === 'created').length, 1);
    const ids = new Set(replies.map(({ body }) => body.data.contact.id));
    assert.equal(ids.size, 1);
    const expected = Object.fromEntries(names.map((name) => [name, name]));
    assert.deepEqual((await contactOf([...ids][0] ?? '')).crm_ids, expected);
  });

  test('Integrations are listed, and the webhook of a deleted one is rejected', async () => {
    const reply = await owner.call('POST', '/integrations', { name: 'Short-lived' });
    const { secret, ...shown } = reply.body.data;
    assert.deepEqual(
      [keysOf(shown), shown.name],
      [['created_at', 'id', 'name', 'old_secret_expires_at'], 'Short-lived'],
    );
    assert.match(shown.created_at, TIMESTAMP);
    assert.equal(
      (await owner.request('GET', '/integrations')).find((each: Json) => each.id === shown.id)?.name,
      'Short-lived',
    );
    assert.doesNotMatch(JSON.stringify(await owner.request('GET', '/integrations')), /"secret|hash|rint_/);
    const [row] = await service.database.query('select * from integrations where id = ?', shown.id);
    assert.equal(row?.secret_hash, createHash('sha256').update(secret).digest('hex'));
    assert.ok(!JSON.stringify(row).includes(secret));
    assert.equal((await sendContact({ phone_number: newPhone() }, { id: shown.id, secret })).status, 201);
    assert.deepEqual(await owner.request('DELETE', `/integrations/${shown.id}`), { deleted: true });
    assertError(
      await sendContact({ phone_number: newPhone() }, { id: shown.id, secret }),
      401,
      'UNAUTHORIZED',
    );
    for (const id of [shown.id, 'x', '%00', 'integration_01h455vb4pex5vsknk084sn02q']) {
      assertError(await owner.call('DELETE', `/integrations/${id}`), 404, 'NOT_FOUND');
    }
  });

  test('An integration webhook writes only to its own workspace', async () => {
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    const theirs = await otherOwner.request('POST', '/integrations', { name: 'Theirs' }, 201);
    const contact = await makeContact(service, { first_name: 'Ada' });
    const reply = await sendContact({ phone_number: contact.phone_number, first_name: 'Eve' }, theirs);
    assert.equal(reply.status, 201, 'the number is free in the other workspace');
    assert.equal((await contactOf(contact.id)).first_name, 'Ada');
    assert.equal((await service.get(`/v1/contacts/${reply.body.data.contact.id}`)).status, 404);
    assertError(await otherOwner.call('DELETE', `/integrations/${crm.id}`), 404, 'NOT_FOUND');
  });
});
