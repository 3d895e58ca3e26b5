import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type KeyScope, memberScopes } from '../../src/lib/scopes.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { assertTablesUnchanged, signedInOwner } from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const TABLES = ['users', 'keys', 'sign_in_links', 'sessions', 'audit_entries'];
const NONE = 'user_01h455vb4pex5vsknk084sn02q';

onEveryEngine('API keys with the scope admin', (service) => {
  let owner: CheckedUser;
  let ownerId: string;
  let admin: Json;
  before(async () => {
    owner = await signedInOwner(service);
    ownerId = (await owner.request('GET', '/session')).id;
    admin = await owner.request('POST', '/keys', { name: 'Ops', scopes: ['admin', ...memberScopes] }, 201);
  });
  const call = (method: string, path: string, body?: unknown, key = admin.key) =>
    service.call(method, `/v1${path}`, body, { key });
  const request = async (method: string, path: string, body?: unknown, status = 200): Promise<Json> => {
    const reply = await call(method, path, body);
    assert.equal(reply.status, status, reply.text);
    return reply.body.data;
  };
  const assertRefused = async (method: string, path: string, body?: unknown) => {
    const reply = await assertTablesUnchanged(service, TABLES, () => call(method, path, body));
    const { message } = assertError(reply, 403, 'FORBIDDEN');
    assert.match(message, /Owners are managed by owners/);
  };

  test('A key invites, changes and deletes members, and the audit log names the key', async () => {
    const { link, ...user } = await request('POST', '/users', { email: 'm@admin.example' }, 201);
    assert.equal(user.role, 'member');
    assert.match(link.url_path, /^\/welcome#/);
    assert.equal((await request('GET', `/users/${user.id}`)).email, 'm@admin.example');
    assert.deepEqual(await request('PATCH', `/users/${user.id}`, { role: 'member' }), user);
    assert.match((await request('POST', `/users/${user.id}/link`)).url_path, /^\/welcome#/);
    assert.deepEqual(await request('DELETE', `/users/${user.id}`), { deleted: true });
    const entries = await owner.request('GET', `/audit?subject=${user.id}`);
    assert.deepEqual(
      entries.map(({ action, actor }: Json) => [action, actor.kind, actor.id]).reverse(),
      ['user.created', 'link.created', 'user.updated', 'link.created', 'user.deleted'].map((action) => [
        action,
        'key',
        admin.id,
      ]),
    );
  });

  test('A key without a scope of members cannot invite one or create a sign-in link', async () => {
    const { link: _, id } = await request('POST', '/users', { email: 's@admin.example' }, 201);
    const scopes = ['admin', ...memberScopes.filter((scope) => scope !== 'agents:deploy')];
    const { key } = await owner.request('POST', '/keys', { name: 'No deploys', scopes }, 201);
    for (const [path, body] of [
      ['/users', { email: 't@admin.example' }],
      [`/users/${id}/link`, undefined],
    ] as const) {
      const reply = await assertTablesUnchanged(service, TABLES, () => call('POST', path, body, key));
      const { details } = assertError(reply, 403, 'FORBIDDEN');
      assert.deepEqual(details, { required_scope: 'agents:deploy' });
    }
    assert.equal((await call('DELETE', `/users/${id}`, undefined, key)).status, 200);
  });

  test('A key cannot create, change, delete or sign in as an owner', async () => {
    const { link: _, ...member } = await request('POST', '/users', { email: 'p@admin.example' }, 201);
    await assertRefused('POST', '/users', { email: 'o@admin.example', role: 'owner' });
    await assertRefused('PATCH', `/users/${member.id}`, { role: 'owner' });
    await assertRefused('PATCH', `/users/${ownerId}`, { role: 'member' });
    await assertRefused('POST', `/users/${ownerId}/link`);
    await assertRefused('DELETE', `/users/${ownerId}`);
    await owner.request('PATCH', `/users/${member.id}`, { role: 'owner' });
    await assertRefused('DELETE', `/users/${member.id}`);
    for (const [method, path, body] of [
      ['PATCH', `/users/${NONE}`, { role: 'owner' }],
      ['DELETE', `/users/${NONE}`, undefined],
      ['POST', `/users/${NONE}/link`, undefined],
    ] as const) {
      assertError(await call(method, path, body), 404, 'NOT_FOUND');
    }
  });

  test('A sign-in link of a member is not valid after the member becomes an owner', async () => {
    const { link, id } = await request('POST', '/users', { email: 'r@admin.example' }, 201);
    const redeem = (path: string) =>
      service.post(
        '/dashboard/api/session/link',
        { token: path.split('#')[1] },
        { headers: { origin: service.url } },
      );
    await owner.request('PATCH', `/users/${id}`, { role: 'owner' });
    assertError(await redeem(link.url_path), 401, 'UNAUTHORIZED');
    const renewed = await owner.request('POST', `/users/${id}/link`);
    await owner.request('PATCH', `/users/${id}`, { role: 'owner' });
    assert.equal((await redeem(renewed.url_path)).status, 200);
  });

  test('A key cannot set the password of a user', async () => {
    const reply = await call('POST', '/users', { email: 'q@admin.example', password: 'a long password 1' });
    assertInvalid(reply, 'password');
  });

  test('A key creates keys only with scopes that it has', async () => {
    const scopes = ['admin', 'calls:read'];
    const { key } = await owner.request('POST', '/keys', { name: 'Calls and keys', scopes }, 201);
    const reply = await call('POST', '/keys', { name: 'Calls', scopes: ['calls:read'] }, key);
    assert.equal(reply.status, 201, reply.text);
    const made = reply.body.data;
    assert.equal((await call('GET', '/calls', undefined, made.key)).status, 200);
    for (const body of [
      { scopes: ['calls:read', 'agents:deploy'] },
      { scopes: ['contacts:read'] },
      { scope: 'read' },
      {},
    ]) {
      const refused = await assertTablesUnchanged(service, TABLES, () =>
        call('POST', '/keys', { name: 'More', ...body }, key),
      );
      assert.match(assertError(refused, 403, 'FORBIDDEN').message, /only grant scopes that it has/);
    }
    assert.deepEqual(await request('DELETE', `/keys/${made.id}`), { deleted: true });
  });

  test('A key can revoke itself', async () => {
    const self = await owner.request('POST', '/keys', { name: 'Self', scopes: ['admin'] }, 201);
    const reply = await call('DELETE', `/keys/${self.id}`, undefined, self.key);
    assert.equal(reply.status, 200, reply.text);
  });

  test('A key manages settings and integrations, and reads the audit log with its own scope', async () => {
    await request('PATCH', '/settings', { default_country: 'DE' });
    assert.equal((await request('GET', '/settings')).default_country, 'DE');
    await request('PATCH', '/settings', { default_country: null });
    await request('PATCH', '/settings', {});
    const made = await request('POST', '/integrations', { name: 'CRM' }, 201);
    const hook = await service.post(`/hooks/contacts/${made.id}`, {}, { key: made.secret });
    assert.equal(hook.status, 400, hook.text);
    assert.deepEqual(await request('DELETE', `/integrations/${made.id}`), { deleted: true });
    assertError(await call('GET', '/audit'), 403, 'FORBIDDEN');
    const scopes: KeyScope[] = ['audit:read'];
    const { key } = await owner.request('POST', '/keys', { name: 'Auditor', scopes }, 201);
    const audit = (await call('GET', '/audit?action=settings.updated', undefined, key)).body.data;
    assert.equal(audit.length, 2, 'an empty update changes nothing');
    const { body } = await call('GET', `/audit?subject=${made.id}`, undefined, key);
    assert.deepEqual(
      body.data.map(({ action }: Json) => action),
      ['integration.deleted', 'integration.created'],
    );
  });

  test('Requests of a key count against its rate limit on every endpoint', async () => {
    const limited = { name: 'Slow', scopes: ['admin', 'audit:read'], rate_limit: '3/1h' };
    const { key } = await owner.request('POST', '/keys', limited, 201);
    for (const path of ['/users', '/audit', '/settings'])
      assert.equal((await call('GET', path, undefined, key)).status, 200);
    assertError(await call('GET', '/keys', undefined, key), 429, 'RATE_LIMITED');
  });
});
