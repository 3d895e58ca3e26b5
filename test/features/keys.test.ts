import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, TIMESTAMP } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('API keys of a workspace', (service) => {
  let owner: CheckedUser;
  const make = (body: object) => owner.request('POST', '/keys', body, 201);
  const listed = async (id: string) =>
    (await owner.request('GET', '/keys')).find((key: Json) => key.id === id);
  const read = (key: string) => service.get('/v1/contacts', { key });
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  test('An API key is shown once, works immediately, and is stored as a digest', async () => {
    const reply = await owner.call('POST', '/keys', { name: 'Till' });
    assert.equal(reply.status, 201);
    const { id, created_at, key, ...rest } = reply.body.data;
    assert.match(id, /^key_/);
    assert.match(created_at, TIMESTAMP);
    assert.match(key, /^rk_[0-9a-z]+_[\w-]{32}$/);
    assert.deepEqual(rest, {
      name: 'Till',
      scope: 'read_write',
      scopes: ['contacts:read', 'contacts:write', 'agents:read', 'agents:write'],
      expires_at: null,
      rate_limit: null,
      revoked_at: null,
      last_used_at: null,
    });
    assert.equal((await read(key)).status, 200);
    const made = await service.post('/v1/contacts', { phone_number: newPhone() }, { key });
    assert.equal(made.status, 201);
    const { last_used_at: _, ...seen } = await listed(id);
    assert.deepEqual(seen, {
      id,
      created_at,
      name: 'Till',
      scope: 'read_write',
      scopes: ['contacts:read', 'contacts:write', 'agents:read', 'agents:write'],
      expires_at: null,
      rate_limit: null,
      revoked_at: null,
    });
    const [row] = await service.database.query('select * from keys where id = ?', id);
    assert.equal(row?.hash, createHash('sha256').update(key).digest('hex'));
    assert.equal(JSON.stringify(row).includes(key.slice(-32)), false);
    assert.equal(service.log.join('').includes(key), false);
  });

  test('An API key can be read-only', async () => {
    const { id, key } = await make({ name: 'Report', scope: 'read' });
    assert.equal((await listed(id)).scope, 'read');
    assert.equal((await read(key)).status, 200);
    const refused = await service.post('/v1/contacts', { phone_number: newPhone() }, { key });
    assertError(refused, 403, 'FORBIDDEN');
  });

  test('An API key with a list of scopes may do exactly what they allow', async () => {
    const { id, key, ...made } = await make({ name: 'Sync', scopes: ['agents:read', 'contacts:write'] });
    assert.deepEqual([made.scope, made.scopes], ['custom', ['contacts:write', 'agents:read']]);
    assert.deepEqual((await listed(id)).scopes, ['contacts:write', 'agents:read']);
    assert.equal((await service.post('/v1/contacts', { phone_number: newPhone() }, { key })).status, 201);
    assert.equal((await service.get('/api/v1/agents', { key })).status, 200);
    const refused = await read(key);
    assertError(refused, 403, 'FORBIDDEN');
    assert.equal(
      refused.body.error.message,
      'This API key does not have the scope contacts:read. Use a key with the scope contacts:read or read_write. Create one with `npx roster key create --name NAME --scope contacts:read,contacts:write,agents:read` or in Settings → API keys.',
    );
    assert.deepEqual(refused.body.error.details, { required_scope: 'contacts:read' });
    const drafted = await service.post('/v1/agents', { name: 'A', instructions: 'B' }, { key });
    assert.deepEqual(drafted.body.error.details, { required_scope: 'agents:write' });
    const { key: writer } = await make({ name: 'Writer', scopes: ['agents:read', 'campaigns:read'] });
    const searched = await service.get(
      '/v1/campaigns/campaign_00000000000000000000000000/enrollments?search=a',
      { key: writer },
    );
    assert.equal(
      searched.body.error.message,
      'This request also requires the scope contacts:read. Use a key with all required scopes. Create one with `npx roster key create --name NAME --scope contacts:read,agents:read,campaigns:read` or in Settings → API keys.',
    );
  });

  test('An unknown, empty or doubled specification of scopes is rejected', async () => {
    const post = (body: object) => owner.call('POST', '/keys', { name: 'N', ...body });
    assertInvalid(await post({ scopes: [] }), 'scopes');
    assertInvalid(await post({ scopes: ['contacts:read', 'contacts'] }), 'scopes[1]');
    assertInvalid(await post({ scopes: ['read'] }), 'scopes[0]');
    const wrongField = await post({ scope: 'contacts:read' });
    assertInvalid(wrongField, 'scope');
    assert.match(
      wrongField.body.error.message,
      /Send other scopes in scopes, for example \["contacts:read"\]\.$/,
    );
    assertInvalid(await post({ scopes: 'contacts:read' }), 'scopes');
    assertInvalid(await post({ scope: 'read', scopes: ['contacts:read'] }), 'scopes');
  });

  test('An API key stops working when it expires', async () => {
    const expires_at = '2099-01-31T10:30:00+02:00';
    const { id, key } = await make({ name: 'Until', expires_at });
    assert.equal((await listed(id)).expires_at, '2099-01-31T08:30:00.000Z');
    await service.database.query(
      'update keys set expires_at = ? where id = ?',
      new Date(Date.now() - 1).toISOString(),
      id,
    );
    assertError(await read(key), 401, 'UNAUTHORIZED');
    const soon = new Date(Date.now() + 400).toISOString();
    const { key: used } = await make({ name: 'Soon', expires_at: soon });
    const { status } = await read(used);
    if (new Date().toISOString() < soon) assert.equal(status, 200);
    while (new Date().toISOString() <= soon) await sleep(20);
    assertError(await read(used), 401, 'UNAUTHORIZED');
  });

  test('A revoked API key is rejected by every instance', async () => {
    const { id, key } = await make({ name: 'Lost' });
    assert.equal((await read(key)).status, 200);
    assert.deepEqual(await owner.request('DELETE', `/keys/${id}`), { deleted: true });
    while ((await read(key)).status !== 401) await sleep(20);
    while ((await service.post('/v1/agents', {}, { key })).status !== 401) await sleep(20);
    assert.match((await listed(id)).revoked_at, TIMESTAMP);
    assertError(await owner.call('DELETE', `/keys/${id}`), 404, 'NOT_FOUND');
    assertError(await owner.call('DELETE', '/keys/nothing'), 404, 'NOT_FOUND');
  });

  test('An API key without a name, with an unknown scope or a past expiry is rejected', async () => {
    const post = (body: object) => owner.call('POST', '/keys', body);
    const before = (await owner.request('GET', '/keys')).length;
    assertInvalid(await post({}), 'name');
    for (const name of ['', '  ', 'n'.repeat(101), null, 7]) assertInvalid(await post({ name }), 'name');
    assertInvalid(await post({ name: 'N', scope: 'write' }), 'scope');
    for (const expires_at of [
      '2020-01-01T00:00:00Z',
      '2099-02-31T00:00:00Z',
      '2099-01-01T24:00:00Z',
      '2099-01-01',
      'never',
      4_000_000_000,
      '',
    ]) {
      assertInvalid(await post({ name: 'N', expires_at }), 'expires_at');
    }
    assertInvalid(await post({ name: 'N', expires: '2099-01-01T00:00:00Z' }), 'expires');
    assert.equal((await owner.request('GET', '/keys')).length, before);
  });

  test('An API key may have a name of a hundred characters and no expiry', async () => {
    const name = '🔑'.repeat(100);
    assert.equal((await make({ name, expires_at: null })).name, name);
  });
});
