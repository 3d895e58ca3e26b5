import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, startTestService } from '../kit/service/test-service.ts';

onEveryEngine('Workspace life', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  it('An owner renames the workspace, and its name is unique', async () => {
    const { owner: other } = await makeOtherWorkspace(service);
    const taken = (await other.request('GET', '/settings')).name;
    const renamed = await owner.request('PATCH', '/settings/name', { name: 'Acme' });
    assert.equal(renamed.name, 'Acme');
    assert.equal((await owner.request('GET', '/session')).workspace.name, 'Acme');
    assert.equal((await owner.request('PATCH', '/settings/name', { name: 'Acme' })).name, 'Acme');
    assertError(await owner.call('PATCH', '/settings/name', { name: taken }), 409, 'CONFLICT');
    for (const name of ['', ' ', 'x'.repeat(101), 1, null])
      assertInvalid(await owner.call('PATCH', '/settings/name', { name }), 'name');
    const member = await signedInUser(service, 'member@example.com', 'member');
    assertError(await member.call('PATCH', '/settings/name', { name: 'Mine' }), 403, 'FORBIDDEN');
    assert.equal((await owner.request('GET', '/settings')).name, 'Acme');
    assert.equal((await other.request('GET', '/settings')).name, taken);
    assertError(await other.call('PATCH', '/settings/name', { name: 'default' }), 409, 'CONFLICT');
    assert.equal((await owner.request('PATCH', '/settings/name', { name: 'default' })).name, 'default');
    await owner.request('PATCH', '/settings/name', { name: 'Acme' });
  });

  it('A service that starts after the rename serves the same workspace', async () => {
    const again = await startTestService(service.database);
    const { id } = (await service.post('/v1/contacts', { phone_number: newPhone() })).body.data;
    assert.equal((await again.get(`/v1/contacts/${id}`)).status, 200);
    await again.stop();
    const rows = await service.database.query(`select name from workspaces where is_default = 1`);
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Acme'],
    );
  });

  it('API keys show their first characters and their creator, which the API does not return', async () => {
    const key = await owner.request('POST', '/keys', { name: 'Till', scopes: ['admin'] }, 201);
    const made = await service.post('/v1/keys', { name: 'By key', scopes: ['admin'] }, { key: key.key });
    assert.equal(made.status, 201, made.text);
    const details = await owner.request('GET', '/keys/details');
    const of = (id: string) => details.find((each: Json) => each.id === id);
    const { id: user } = await owner.request('GET', '/session');
    assert.deepEqual(of(key.id), {
      id: key.id,
      prefix: key.key.slice(0, -28),
      created_by: { id: user, name: 'owner@example.com' },
    });
    assert.deepEqual(of(made.body.data.id).created_by, { id: key.id, name: 'Till' });
    assert.equal((await service.get('/v1/keys', { key: key.key })).text.includes('prefix'), false);
    assertError(await service.get('/v1/keys/details', { key: key.key }), 404, 'NOT_FOUND');
    await service.database.query('update keys set prefix = null, created_by = null where id = ?', key.id);
    const [old] = (await owner.request('GET', '/keys/details')).filter((each: Json) => each.id === key.id);
    assert.deepEqual(old, { id: key.id, prefix: null, created_by: null });
    const { owner: other } = await makeOtherWorkspace(service);
    assert.deepEqual(await other.request('GET', '/keys/details'), []);
  });

  it('An integration can be renamed', async () => {
    const crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const path = `/integrations/${crm.id}`;
    const { secret: _, ...rest } = crm;
    assert.deepEqual(await owner.request('PATCH', path, { name: 'HubSpot' }), { ...rest, name: 'HubSpot' });
    assertInvalid(await owner.call('PATCH', path, { name: '' }), 'name');
    assertInvalid(await owner.call('PATCH', path, {}), 'name');
    const { owner: other } = await makeOtherWorkspace(service);
    assertError(await other.call('PATCH', path, { name: 'Mine' }), 404, 'NOT_FOUND');
    assert.equal((await owner.request('GET', path)).name, 'HubSpot');
    const [entry] = (await owner.call('GET', `/audit?subject=${crm.id}&limit=1`)).body.data;
    assert.deepEqual([entry.action, entry.fields], ['integration.updated', ['name']]);
  });

  it('An integration shows its last delivery and its errors by reason, without values', async () => {
    // Stopping writes what a running service writes every five seconds.
    const running = await startTestService(service.database);
    const { id, secret } = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const send = (body: unknown, key = secret) => running.post(`/hooks/contacts/${id}`, body, { key });
    assert.equal((await send({ phone_number: newPhone() })).status, 201);
    assert.equal((await send({ phone_number: newPhone() }, 'rint_wrong')).status, 401);
    for (const last_name of ['Lovelace', 'Hopper'])
      assert.equal((await send({ phone_number: '+1 415 canary', last_name })).status, 400);
    assert.equal((await send({ phone_number: newPhone(), canary_name: 1 })).status, 400);
    assert.equal(
      (await running.post(`/hooks/contacts/${id}`, undefined, { key: secret, raw: '{' })).status,
      400,
    );
    await running.stop();
    const [health] = (await owner.request('GET', '/integrations/health')).filter(
      (each: Json) => each.id === id,
    );
    assert.ok(Date.now() - Date.parse(health.last_delivery_at) < 60_000);
    assert.deepEqual(
      health.errors.map(({ at: _, ...error }: Json) => error),
      [
        { status: 400, code: 'VALIDATION_ERROR', fields: [], count: 1 },
        { status: 400, code: 'VALIDATION_ERROR', fields: ['other'], count: 1 },
        { status: 400, code: 'VALIDATION_ERROR', fields: ['phone_number'], count: 2 },
        { status: 401, code: 'UNAUTHORIZED', fields: [], count: 1 },
      ],
    );
    const stored = JSON.stringify(await service.database.query('select * from integrations'));
    assert.doesNotMatch(stored, /canary/);
    const member = await signedInUser(service, 'member@example.com', 'member');
    assertError(await member.call('GET', '/integrations/health'), 403, 'FORBIDDEN');
  });
});
