import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeAgent, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { type N8n, playN8n } from '../kit/n8n/context.ts';
import { buildNodes, type NodePackage } from '../kit/n8n/package.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

onSqlite('The n8n node', (service) => {
  let built: NodePackage;
  let n8n: N8n;
  let api_key: string;
  before(async () => {
    built = buildNodes();
    // The scopes that its README names.
    api_key = await createScopedKey(
      service.database,
      ...(['contacts:read', 'contacts:write', 'campaigns:read', 'campaigns:write', 'agents:read'] as const),
    );
    n8n = playN8n(built.classes, { url: `${service.url}/`, api_key });
    await makeField(service, 'plan', 'text');
  });
  after(() => built?.remove());

  const runAll = async (resource: string, operation: string, parameters: Json = {}): Promise<Json[]> => {
    const items = await n8n.execute([{ resource, operation, ...parameters }]);
    for (const { pairedItem } of items) assert.deepEqual(pairedItem, { item: 0 });
    return items.map(({ json }) => json);
  };
  const run = async (...args: Parameters<typeof runAll>): Promise<Json> => {
    const [record, ...more] = await runAll(...args);
    assert.deepEqual(more, []);
    return record;
  };
  const makeCampaign = async (agent: string) => {
    const fields = { name: `Campaign ${newPhone()}`, agent_id: agent, status: 'draft' };
    const key = await createScopedKey(service.database, 'campaigns:write', 'agents:read', 'contacts:read');
    const { status, body, text } = await service.post('/v1/campaigns', fields, { key });
    assert.equal(status, 201, text);
    return body.data.id;
  };

  test('The credential is accepted with its key, and refused with another one', async () => {
    assert.equal(await n8n.testCredential(), 200);
    assert.equal(await playN8n(built.classes, { url: service.url, api_key: 'rk_no' }).testCredential(), 401);
  });

  test('A contact is created, read, updated and deleted, with its fields', async () => {
    const phone_number = newPhone();
    const contact_fields = { first_name: 'Ada', tags: 'vip, new', fields: '{"plan": "gold"}' };
    const created = await run('contact', 'create', { phone_number, contact_fields });
    assert.deepEqual(
      [created.phone_number, created.first_name, created.tags, created.fields],
      [phone_number, 'Ada', ['vip', 'new'], { plan: 'gold' }],
    );
    const { id: contact_id } = created;
    const { crm_ids, first_contact_at, last_contact_at, ...same } = await run('contact', 'get', {
      contact_id,
    });
    assert.deepEqual(same, created);
    assert.deepEqual(
      [crm_ids, first_contact_at, last_contact_at],
      [{}, created.created_at, created.created_at],
    );
    assert.equal((await run('contact', 'getByPhone', { phone_number })).id, contact_id);
    const changes = { first_name: '', company: 'Engines', tags: ['old'], fields: { plan: null } };
    const updated = await run('contact', 'update', { contact_id, contact_fields: changes });
    assert.deepEqual(
      [updated.first_name, updated.company, updated.tags, updated.fields],
      [null, 'Engines', ['old'], {}],
    );
    assert.deepEqual(await run('contact', 'delete', { contact_id }), { deleted: true });
    assert.equal((await service.get(`/v1/contacts/${contact_id}`)).status, 404);
  });

  test('Create or update finds a contact by its phone number', async () => {
    const phone_number = newPhone();
    const { id } = await run('contact', 'upsert', { phone_number, contact_fields: { first_name: 'Grace' } });
    const again = await run('contact', 'upsert', { phone_number, contact_fields: { company: 'Navy' } });
    assert.deepEqual([again.id, again.first_name, again.company], [id, 'Grace', 'Navy']);
  });

  test('Get many returns up to the limit, or all pages, of what the filters select', async () => {
    const operations = Array.from({ length: 120 }, () => {
      return { op: 'create', phone_number: newPhone(), tags: ['crowd'], first_name: 'Alan' };
    });
    assert.equal((await service.post('/v1/contacts/batch', { operations })).body.data.failed, 0);
    await run('contact', 'create', { phone_number: newPhone() });
    const filters = { tag: 'crowd' };
    const all = await runAll('contact', 'getAll', { filters, returnAll: true });
    assert.equal(new Set(all.map(({ id }) => id)).size, 120);
    assert.equal((await runAll('contact', 'getAll', { filters })).length, 50);
    assert.equal((await runAll('contact', 'getAll', { filters, limit: 105 })).length, 105);
    const filter = '{"attribute": "first_name", "op": "eq", "value": "Nobody"}';
    assert.deepEqual(await runAll('contact', 'getAll', { filters: { filter } }), []);

    const { id: agent } = await makeAgent(service, { name: 'Caller', instructions: 'Call.' });
    const campaign_id = await makeCampaign(agent);
    const enrolled = await run('enrollment', 'enroll', { campaign_id, enroll_by: 'tag', contacts: 'crowd' });
    assert.deepEqual(enrolled, { enrolled: 120, already_enrolled: 0, not_found: [] });
    const enrollments = await runAll('enrollment', 'getAll', { campaign_id, returnAll: true });
    assert.equal(new Set(enrollments.map(({ contact_id }) => contact_id)).size, 120);
  });

  test('Contacts are enrolled by id and by filter, and an enrollment gets a status and an outcome', async () => {
    const { id: agent } = await makeAgent(service, { name: 'Caller', instructions: 'Call.' });
    const campaign_id = await makeCampaign(agent);
    const fields = { contact_fields: { company: 'Turing & Sons' } };
    const { id: contact_id } = await run('contact', 'create', { phone_number: newPhone(), ...fields });
    const { id: other } = await run('contact', 'create', { phone_number: newPhone(), ...fields });
    const variables = '{"slot": "at ten"}';
    const enrolled = await run('enrollment', 'enroll', {
      campaign_id,
      contacts: `${contact_id}, x`,
      variables,
    });
    assert.deepEqual(enrolled, { enrolled: 1, already_enrolled: 0, not_found: ['x'] });
    const contacts = '{"attribute": "company", "op": "eq", "value": "Turing & Sons"}';
    const second = await run('enrollment', 'enroll', { campaign_id, enroll_by: 'filter', contacts });
    assert.deepEqual(second, { enrolled: 1, already_enrolled: 1, not_found: [] });
    const enrollment_fields = { status: 'completed', outcome: 'reached' };
    const updated = await run('enrollment', 'update', { campaign_id, contact_id, enrollment_fields });
    assert.deepEqual(
      [updated.status, updated.outcome, updated.contact_id],
      ['completed', 'reached', contact_id],
    );
    const pending = await runAll('enrollment', 'getAll', { campaign_id, filters: { status: 'pending' } });
    assert.deepEqual(
      pending.map(({ contact_id }) => contact_id),
      [other],
    );
  });

  test('Instructions are rendered for a contact: of the given version, or of the deployed one', async () => {
    const { id: agent_id } = await makeAgent(service, { instructions: 'Greet {{first_name}}.' });
    await service.patch(`/v1/agents/${agent_id}`, { instructions: 'Meet {{first_name}} {{slot}}.' });
    const phone_number = newPhone();
    const { id: contact } = await run('contact', 'create', {
      phone_number,
      contact_fields: { first_name: 'Ada' },
    });
    await assert.rejects(runAll('agent', 'render', { agent_id, contact }), {
      message: 'The agent has no deployed version. Deploy one, or enter a version.',
    });
    const key = await createScopedKey(service.database, 'agents:deploy', 'agents:read');
    assert.equal((await service.post(`/v1/agents/${agent_id}/versions/v1/deploy`, {}, { key })).status, 200);
    assert.equal((await run('agent', 'render', { agent_id, contact })).text, 'Greet Ada.');
    const byPhone = { contact_by: 'phone_number', contact: phone_number, variables: { slot: 'at ten' } };
    const { text, version } = await run('agent', 'render', { agent_id, version: 'v2', ...byPhone });
    assert.deepEqual([text, version.version_label], ['Meet Ada at ten.', 'v2']);
  });

  test('A refused request fails with the message of the service, and with its item', async () => {
    const phone_number = newPhone();
    const good = { resource: 'contact', operation: 'create', phone_number };
    const bad = { ...good, phone_number: '0207' };
    const failure = await n8n.execute([good, bad]).catch((error) => error);
    assert.deepEqual([failure.httpCode, failure.context.itemIndex], ['400', 1]);
    const results = await n8n.execute([bad, { ...good, phone_number: newPhone() }], { continueOnFail: true });
    assert.deepEqual(results[0], { json: { error: failure.description }, pairedItem: { item: 0 } });
    assert.equal(results[1].pairedItem.item, 1);
    const contact_fields = { fields: '{plan' };
    await assert.rejects(n8n.execute([{ ...good, phone_number: newPhone(), contact_fields }]), {
      message: 'fields must be a JSON object, such as {"plan": "gold"}.',
    });
  });
});
