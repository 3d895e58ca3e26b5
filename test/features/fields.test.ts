import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { createBulkJob, runBulkJob, waitForBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { FULL_KEYS, keysOf } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { McpClient } from '../kit/http/mcp.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Values of fields in other parts of the service', (service) => {
  let owner: CheckedUser;
  let key: string;
  before(async () => {
    owner = await signedInOwner(service);
    key = await createScopedKey(service.database, 'contacts:read', 'contacts:write');
    for (const field of [
      { key: 'plan', type: 'enum', options: ['gold', 'silver'], filterable: true },
      { key: 'balance', type: 'number' },
      { key: 'remark', type: 'text' },
      { key: 'old', type: 'text' },
    ])
      await owner.request('POST', '/fields', { label: field.key, ...field }, 201);
  });
  const fieldsOf = async (id: string) =>
    (await service.get(`/v1/contacts/${id}?include=fields`)).body.data.fields;

  test('The webhook of an integration writes values, and refuses wrong ones', async () => {
    const { id, secret } = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const send = (body: Json) => service.post(`/hooks/contacts/${id}`, body, { key: secret });
    const phone_number = newPhone();
    const made = await send({ phone_number, fields: { plan: 'gold', balance: 1 }, crm_ids: { hub: '1' } });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(keysOf(made.body.data.contact), FULL_KEYS);
    const contact = made.body.data.contact.id;
    assert.equal((await send({ phone_number, fields: { plan: null, remark: 'x' } })).status, 200);
    assert.deepEqual(await fieldsOf(contact), { balance: 1, remark: 'x' });
    const refused = await send({ phone_number, company: 'Changed', fields: { balance: 'much' } });
    const { details } = assertError(refused, 400, 'VALIDATION_ERROR');
    assert.equal((details as Json[])[0]?.field, 'fields.balance');
    assert.equal((await service.get(`/v1/contacts/${contact}`)).body.data.company, null);
  });

  test('A bulk job sets values of many contacts, and keeps none of them', async () => {
    const made = await Promise.all(
      ['silver', 'gold', 'silver'].map((plan) => makeContact(service, { tags: ['bulk'], fields: { plan } })),
    );
    const job = await runBulkJob(owner, {
      action: 'set_fields',
      selection: { filter: { tag: 'bulk' } },
      fields: { plan: 'gold', old: null },
    });
    assert.deepEqual(
      [job.status, job.changed, job.unchanged, job.blocked, job.fields],
      ['done', 2, 1, 0, ['old', 'plan']],
    );
    for (const { id } of made) assert.deepEqual(await fieldsOf(id), { plan: 'gold' });
    const [stored] = await service.database.query('select parameters from bulk_jobs where id = ?', job.id);
    assert.ok(!String(stored?.parameters).includes('gold'));
    const [entry] = await service.database.query(
      `select fields from audit_entries where action = 'contact.updated' order by seq desc limit 1`,
    );
    assert.equal(entry?.fields, '["fields.old","fields.plan"]');
  });

  test('A bulk job with wrong values is refused', async () => {
    const ids = [(await makeContact(service)).id];
    for (const [fields, name] of [
      [{}, 'fields'],
      [{ plan: 'brass' }, 'fields.plan'],
      [{ nothing: 1 }, 'fields.nothing'],
    ] as const) {
      const body = { action: 'set_fields', selection: { ids }, fields };
      const { details } = assertError(await owner.call('POST', '/bulk-jobs', body), 400, 'VALIDATION_ERROR');
      assert.equal((details as Json[])[0]?.field, name);
    }
    const last = await createBulkJob(owner, {
      action: 'set_fields',
      selection: { ids },
      fields: { balance: 5 },
    });
    await waitForBulkJob(owner, last.id);
    assert.deepEqual(await fieldsOf(ids[0]), { balance: 5 });
  });

  test('MCP tools save and show values', async () => {
    const client = new McpClient(service, key);
    const phone_number = newPhone();
    const saved = await client.call('save_person', { phone_number, fields: { plan: 'silver' } });
    assert.equal(saved.isError, false, saved.text);
    const shown = await client.call('get_person', { phone_number, history: [] });
    assert.deepEqual(shown.records[0]?.person.fields, { plan: 'silver' });
    const found = await client.call('find_people', { search: phone_number, fields: ['fields'] });
    assert.deepEqual(found.records[0]?.fields, { plan: 'silver' });
    const refused = await client.call('save_person', { phone_number, fields: { plan: 'brass' } });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /fields\.plan/);
  });

  test('An export has a column for each field that is not archived, if the request includes them', async () => {
    await makeContact(service, {
      tags: ['csv'],
      fields: { plan: 'gold', balance: -1.5, remark: '=1+1', old: 'x' },
    });
    await makeContact(service, { tags: ['csv'] });
    assert.equal((await owner.request('DELETE', '/fields/old')).archived, true);
    const get = async (query: string) => (await service.get(`/v1/contacts/export?tag=csv&${query}`)).text;
    const plain = (await get('')).split('\r\n');
    const lines = (await get('include=fields')).split('\r\n');
    assert.equal(lines[0], `${plain[0]},plan,balance,remark`);
    assert.equal(lines[1], `${plain[1]},gold,'-1.5,'=1+1`);
    assert.equal(lines[2], `${plain[2]},,,`);
    const records = (await get('include=fields&format=jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      records.map(({ fields }) => fields),
      [{ balance: -1.5, plan: 'gold', remark: '=1+1' }, {}],
    );
    assert.ok(!('fields' in JSON.parse((await get('format=jsonl')).split('\n')[0] ?? '')));
    const selection = { filter: { tag: 'csv' } };
    const { id } = await createBulkJob(owner, { action: 'export', selection });
    const bulk = await service.get(`/v1/bulk-jobs/${id}/export?include=fields`);
    assert.deepEqual(bulk.text.split('\r\n'), lines);
  });
});
