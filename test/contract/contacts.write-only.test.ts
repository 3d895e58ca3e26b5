import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { bulkActions, bulkCounts } from '../../src/features/bulk/bulk.schema.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError } from '../kit/http/assertions.ts';
import { mcpClient } from '../kit/http/mcp.ts';
import { planCsv } from '../kit/imports/imports.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const STORED = {
  first_name: 'Stored',
  company: 'Stored Company',
  email: 'stored@example.com',
  notes: 'Stored notes',
  tags: ['stored tag'],
};

onEveryEngine('A key with contacts:write and without contacts:read', (service) => {
  let owner: CheckedUser;
  let key: string;
  let contact: Json;
  before(async () => {
    owner = await signedInOwner(service);
    key = await createScopedKey(service.database, 'contacts:write');
    contact = await makeContact(service, STORED);
    await makeField(service, 'plan', 'text');
  });
  const send = (method: string, path: string, body?: Json, headers = {}) =>
    service.call(method, `/v1${path}`, body, { key, headers });

  test('It sees the id and the fields that it sent, and no ETag', async () => {
    const { id, phone_number } = contact;
    const sent = { display_name: 'New', tags: ['a', 'a', 'b'] };
    const shown = { display_name: 'New', tags: ['a', 'b'] };
    const byId = `/contacts/${id}`;
    const byPhone = `/contacts/by-phone/${phone_number}`;
    for (const [method, path, body, data] of [
      ['PATCH', byId, {}, { id }],
      ['PATCH', byId, sent, { id, ...shown }],
      ['PATCH', byId, { phone_number, confirm_phone_change: true }, { id, phone_number }],
      ['PUT', byPhone, {}, { id, phone_number }],
      ['PUT', byPhone, sent, { id, phone_number, ...shown }],
    ] as const) {
      const reply = await send(method, path, body);
      assert.deepEqual([reply.status, reply.body], [200, { success: true, data }]);
      assert.equal(reply.headers.get('etag'), null);
    }
    await owner.request('PATCH', `/contacts/${id}`, STORED);
  });

  test('A key that can also read sees the whole contact', async () => {
    const both = await createScopedKey(service.database, 'contacts:write', 'contacts:read');
    const read = (await service.get(`/v1/contacts/${contact.id}`)).body.data;
    const reply = await service.call('PATCH', `/v1/contacts/${contact.id}`, {}, { key: both });
    const { crm_ids: _, updated_at: __, ...rest } = read;
    const { updated_at: ___, ...changed } = reply.body.data;
    assert.deepEqual(changed, rest);
    assert.notEqual(reply.headers.get('etag'), null);
  });

  test('A new contact and a conflict are as documented', async () => {
    const phone_number = newPhone();
    const made = await send('POST', '/contacts', { phone_number });
    const twin = await makeContact(service);
    const upserted = await send('PUT', `/contacts/by-phone/${newPhone()}`);
    for (const reply of [made, upserted]) {
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual(Object.keys(reply.body.data).sort(), Object.keys(twin).sort());
    }
    const { details } = assertError(await send('POST', '/contacts', { phone_number }), 409, 'CONFLICT');
    assert.deepEqual(details, { existing_contact_id: made.body.data.id });
  });

  test('A batch shows ids and counts only', async () => {
    const { id, phone_number } = contact;
    const operations = [
      { op: 'upsert', phone_number },
      { op: 'update', id },
      { op: 'create', phone_number },
    ];
    const { status, text } = await send('POST', '/contacts/batch', { operations });
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /Stored|stored/);
  });

  test('It cannot find out what a contact contains by changing all contacts that match a filter', async () => {
    const selection = { filter: { search: STORED.email } };
    for (const change of [{ action: 'tag', add: ['found'] }, { action: 'delete' }]) {
      const refused = await send('POST', '/bulk-jobs', { ...change, selection });
      assert.deepEqual(assertError(refused, 403, 'FORBIDDEN').details, { required_scope: 'contacts:read' });
    }
    assert.deepEqual((await service.get('/v1/bulk-jobs')).body.data, []);
  });

  test('It cannot export, and a bulk job shows no count', async () => {
    const selection = { ids: [contact.id] };
    const refused = await send('POST', '/bulk-jobs', { action: 'export', selection });
    assert.deepEqual(assertError(refused, 403, 'FORBIDDEN').details, { required_scope: 'contacts:read' });
    const bodies: Partial<Record<(typeof bulkActions)[number], Json>> = {
      tag: { selection, remove: ['nothing'] },
      rename_tag: { tag: 'no such tag', to: 'another tag' },
      set_fields: { selection, fields: { plan: 'gold' } },
      delete: { selection: { ids: [(await makeContact(service)).id] } },
    };
    assert.deepEqual(
      bulkActions.filter((action) => bodies[action] === undefined),
      ['enroll', 'export'],
      'the actions that need contacts:read',
    );
    const counts = Object.fromEntries(bulkCounts.map((name) => [name, null]));
    for (const [action, body] of Object.entries(bodies)) {
      const reply = await send('POST', '/bulk-jobs', { action, ...body });
      assert.equal(reply.status, 201, reply.text);
      const job = reply.body.data;
      assert.deepEqual({ ...job, ...counts, blocked_contacts: [] }, job);
      const canceled = await send('POST', `/bulk-jobs/${job.id}/cancel`);
      const { data } = canceled.body;
      if (canceled.status === 200) assert.deepEqual({ ...data, ...counts, blocked_contacts: [] }, data);
      else assertError(canceled, 409, 'CONFLICT');
    }
  });

  test('A retry with the idempotency key of another API key shows what this key may see', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const path = `/contacts/${contact.id}`;
    const first = await service.call('PATCH', `/v1${path}`, { last_name: 'Known' }, { headers });
    assert.equal(first.body.data.email, STORED.email);
    const foreign = await send('PATCH', path, { last_name: 'Known' }, headers);
    assert.equal(foreign.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(foreign.body.data, { id: contact.id, last_name: 'Known' });
    const job = { action: 'tag', selection: { ids: [contact.id] }, remove: ['nothing'] };
    const counted = await service.post('/v1/bulk-jobs', job, { headers });
    assert.equal(counted.body.data.total, 1);
    const hidden = await send('POST', '/bulk-jobs', job, headers);
    assert.equal(hidden.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual([hidden.body.data.id, hidden.body.data.total], [counted.body.data.id, null]);
  });

  test('An assistant sees what it sent', async () => {
    const client = await mcpClient(service, owner, ['contacts:write']);
    const { phone_number, id } = contact;
    const { data, records, structured } = await client.use('save_person', {
      phone_number,
      last_name: 'Sent',
    });
    assert.doesNotMatch(data, /Stored|stored/);
    assert.deepEqual(records, [{ name: 'Sent', id, phone_number }]);
    assert.deepEqual([structured.id, structured.phone_number], [id, phone_number]);
  });

  test('A key that imports reads no stored values without contacts:read', async () => {
    const csv = `Phone,Company\n${contact.phone_number},Other\n`;
    const { id } = await planCsv(owner, csv, { on_existing: 'overwrite' });
    const importer = await createScopedKey(service.database, 'imports:write');
    const path = `/v1/imports/${id}/rows`;
    const { text } = await service.get(path, { key: importer });
    assert.doesNotMatch(text, /Stored/);
    const refused = await service.get(`${path}?include=changes`, { key: importer });
    assert.deepEqual(assertError(refused, 403, 'FORBIDDEN').details, { required_scope: 'contacts:read' });
    const plans = [
      await service.call('POST', '/v1/imports', undefined, {
        key: importer,
        raw: csv,
        headers: { 'content-type': 'text/csv' },
      }),
      await service.patch(`/v1/imports/${id}`, { on_existing: 'fill' }, { key: importer }),
    ];
    for (const plan of plans)
      assert.deepEqual(assertError(plan, 403, 'FORBIDDEN').details, { required_scope: 'contacts:read' });
    const both = await createScopedKey(service.database, 'imports:write', 'contacts:read');
    assert.match((await service.get(`${path}?include=changes`, { key: both })).text, /Stored Company/);
    const shown = (await service.get(`/v1/imports/${id}`, { key: both })).body.data;
    assert.equal(shown.created_by_email, null);
  });
});
