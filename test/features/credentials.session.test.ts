import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readAllTables } from '../kit/dashboard/operations.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { KEY, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

onEveryEngine('A session as the credential of the API', (service) => {
  let owner: DashboardUser;
  let member: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
    member = await signedInUser(service, 'member@example.com', 'member');
  });

  const send = (
    { cookie }: DashboardUser,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
  ): Promise<Reply> =>
    service.call(method, path, body, {
      headers: { authorization: null, cookie, origin: service.url, ...headers },
    });

  const assertUnchanged = async (attempt: () => Promise<void>) => {
    const before = await readAllTables(service);
    await attempt();
    assert.deepEqual(await readAllTables(service), before);
  };

  test('A user reads and changes contacts under both prefixes, without limits and permissions of other sites', async () => {
    for (const prefix of ['/v1', '/api/v1']) {
      const phone_number = newPhone();
      const made = await send(member, 'POST', `${prefix}/contacts`, { phone_number });
      assert.equal(made.status, 201, made.text);
      const { id, source } = made.body.data;
      assert.equal(source, 'manual');
      assert.equal(made.headers.get('location'), `${prefix}/contacts/${id}`);
      const read = await send(member, 'GET', `${prefix}/contacts/${id}`);
      assert.equal(read.body.data.phone_number, phone_number);
      const listed = await send(member, 'GET', `${prefix}/contacts?search=${phone_number.slice(1)}`);
      assert.deepEqual(
        listed.body.data.map((each: { id: string }) => each.id),
        [id],
      );
      for (const reply of [made, read, listed]) {
        assert.equal(reply.headers.get('ratelimit'), null);
        assert.equal(reply.headers.get('access-control-allow-origin'), null);
      }
    }
  });

  test('The source of a contact is that of its caller, also by phone number and in a batch', async () => {
    const sourceOf = async (caller: (method: string, path: string, body: unknown) => Promise<Reply>) => {
      const [one, two] = [newPhone(), newPhone()];
      const put = await caller('PUT', `/v1/contacts/by-phone/${one}`, {});
      assert.equal(put.status, 201, put.text);
      const batch = await caller('POST', '/v1/contacts/batch', {
        operations: [{ op: 'create', phone_number: two }],
      });
      assert.equal(batch.status, 200, batch.text);
      const { body } = await service.get(`/v1/contacts/by-phone/${two}`);
      return [put.body.data.source, body.data.source];
    };
    assert.deepEqual(await sourceOf((...args) => send(owner, ...args)), ['manual', 'manual']);
    assert.deepEqual(await sourceOf((...args) => service.call(...args)), ['api', 'api']);
  });

  test('A request with a key and a session is rejected before either is looked at, and changes nothing', async () => {
    const { key } = (await send(owner, 'POST', '/v1/keys', { name: 'Both' })).body.data;
    await assertUnchanged(async () => {
      for (const authorization of [`Bearer ${KEY}`, `bearer ${key}`, 'Bearer unknown', 'Bearer']) {
        for (const { cookie } of [owner, { cookie: 'roster_session=unknown' }]) {
          for (const [method, path, body] of [
            ['GET', '/v1/contacts', undefined],
            ['POST', '/v1/contacts', { phone_number: newPhone() }],
            ['POST', '/api/v1/keys', { name: 'Another' }],
          ] as const) {
            const reply = await service.call(method, path, body, {
              headers: { authorization, cookie, origin: service.url },
            });
            const { details } = assertError(reply, 400, 'VALIDATION_ERROR');
            assert.deepEqual(
              (details as { field: string }[]).map(({ field }) => field),
              ['Authorization'],
            );
            assert.match(reply.text, /Send one of them/);
          }
        }
      }
    });
  });

  test('A change needs proof that it comes from the dashboard', async () => {
    await assertUnchanged(async () => {
      const refused: Record<string, string | null>[] = [
        { origin: null },
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        { origin: null, 'sec-fetch-site': 'same-site' },
      ];
      for (const headers of refused) {
        const reply = await send(owner, 'POST', '/v1/contacts', { phone_number: newPhone() }, headers);
        assertError(reply, 403, 'FORBIDDEN');
      }
    });
    const preflight = await service.call('OPTIONS', '/v1/contacts', undefined, {
      headers: { authorization: null, origin: 'https://evil.example' },
    });
    assertError(preflight, 405, 'METHOD_NOT_ALLOWED');
  });

  test('A page that was loaded for another user gets 409', async () => {
    const reply = await send(owner, 'GET', '/v1/contacts', undefined, {
      'roster-user': 'user_of_another_tab',
    });
    assertError(reply, 409, 'CONFLICT');
  });

  test('A member gets 403 for what only owners may do, and reads the settings', async () => {
    await assertUnchanged(async () => {
      for (const [method, path, body] of [
        ['GET', '/v1/keys', undefined],
        ['POST', '/v1/keys', { name: 'Mine' }],
        ['GET', '/v1/audit', undefined],
        ['GET', '/v1/events', undefined],
        ['POST', '/v1/users', { email: 'new@example.com' }],
        ['PATCH', '/v1/settings', { default_country: 'US' }],
      ] as const)
        assertError(await send(member, method, path, body), 403, 'FORBIDDEN');
    });
    assert.equal((await send(member, 'GET', '/v1/settings')).status, 200);
    assert.equal((await send(owner, 'GET', '/v1/keys')).status, 200);
  });

  test('Only a user may create a user with a password', async () => {
    const body = { email: 'with-password@example.com', password: 'a long password 1' };
    const key = await createScopedKey(service.database, 'admin');
    const asKey = await service.post('/v1/users', body, { key });
    assert.deepEqual(
      (assertError(asKey, 400, 'VALIDATION_ERROR').details as { field: string }[]).map(({ field }) => field),
      ['password'],
    );
    const asUser = await send(owner, 'POST', '/v1/users', body);
    assert.equal(asUser.status, 201, asUser.text);
    assert.equal(asUser.body.data.link, null);
  });

  test('A retry with an idempotency key is not executed again', async () => {
    const headers = { 'idempotency-key': 'created-by-a-user' };
    const body = { phone_number: newPhone() };
    const first = await send(owner, 'POST', '/v1/contacts', body, headers);
    const second = await send(owner, 'POST', '/v1/contacts', body, headers);
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
  });

  test('Without a key, an ended session gets the 401 of a session, and no credential that of a key', async () => {
    const headers = { authorization: null };
    const none = await service.get('/v1/contacts', { headers });
    assertError(none, 401, 'UNAUTHORIZED');
    assert.equal(none.headers.get('www-authenticate'), 'Bearer');
    const other = await service.get('/v1/contacts', { headers: { ...headers, cookie: 'theme=dark' } });
    assert.equal(other.headers.get('www-authenticate'), 'Bearer');
    const ended = await service.get('/v1/contacts', { headers: { ...headers, cookie: 'roster_session=x' } });
    assertError(ended, 401, 'UNAUTHORIZED');
    assert.equal(ended.headers.get('www-authenticate'), 'Session');
  });

  test('The password of a reverse proxy is no API key, so a session works behind one', async () => {
    const authorization = `Basic ${Buffer.from('proxy:password').toString('base64')}`;
    const reply = await send(owner, 'GET', '/v1/contacts', undefined, { authorization });
    assert.equal(reply.status, 200, reply.text);
  });

  test('A session is no credential of the MCP endpoint', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    assertError(await send(owner, 'POST', '/mcp', ping), 401, 'UNAUTHORIZED');
  });
});
