import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage } from '../../src/db/storage.ts';
import { createKey, revokeKey } from '../../src/features/workspaces/key.service.ts';
import { requireWorkspace } from '../../src/features/workspaces/workspace.service.ts';
import { COMMAND_LINE } from '../../src/records/change.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { KEY, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

onEveryEngine('API credentials', (service) => {
  let workspace: number;
  const withStorage = async <T>(work: (storage: Storage) => T | Promise<T>): Promise<T> => {
    const storage = await openTestStorage(service.database);
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };
  before(async () => {
    const found = await withStorage((storage) => storage.run(requireWorkspace, null, { name: 'default' }));
    workspace = found.id;
  });

  const makeKey = (scope: 'read' | 'read_write' = 'read_write', expires_at: string | null = null) =>
    withStorage((storage) =>
      storage.run(
        createKey,
        { workspace, actor: COMMAND_LINE },
        { name: `a ${scope} key`, scope, expires_at },
      ),
    );
  const revoke = (id: string) =>
    withStorage((storage) => storage.run(revokeKey, { workspace, actor: COMMAND_LINE }, { id }));
  const status = async (key: string) => (await service.get('/v1/contacts', { key })).status;

  it('An API key of the workspace is accepted with any case of Bearer', async () => {
    const { key } = await makeKey();
    assert.match(key, /^rk_/);
    const contact = await makeContact(service);
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key} `]) {
      const reply = await service.get(`/v1/contacts/${contact.id}`, { headers: { authorization } });
      assert.equal(reply.status, 200, authorization);
    }
    assert.equal((await service.post('/v1/contacts', { phone_number: newPhone() }, { key })).status, 201);
  });

  it('Missing, malformed, unknown, revoked and expired credentials get the same 401', async () => {
    const [good, revoked, expiring] = [await makeKey(), await makeKey(), await makeKey('read', inMs(400))];
    await revoke(revoked.id);
    await sleep(450);
    const secret = good.key.slice(good.key.lastIndexOf('_', 5) + 1);
    const wrong: (string | null)[] = [
      null,
      '',
      'Bearer',
      'Bearer ',
      good.key,
      `Basic ${Buffer.from(`:${good.key}`).toString('base64')}`,
      `Token ${good.key}`,
      `Bearer${good.key}`,
      `Bearer ${good.key} ${good.key}`,
      `Bearer "${good.key}"`,
      `Bearer ${good.key}, Bearer ${good.key}`,
      `Bearer ${good.key}x`,
      `Bearer ${good.key.slice(0, -1)}`,
      `Bearer ${good.key.toUpperCase()}`,
      `Bearer ${good.id}`,
      `Bearer ${KEY.slice(0, -1)}`,
      `Bearer ${createHash('sha256').update(good.key).digest('hex')}`,
      `Bearer rk_${(workspace + 1).toString(36)}_${secret.slice(-32)}`,
      `Bearer rk_${workspace.toString(36)}_${'A'.repeat(32)}`,
      `Bearer rk_zzzzzzzzzz_${'A'.repeat(32)}`,
      `Bearer rk_-1_${'A'.repeat(32)}`,
      `Bearer ${'x'.repeat(4_000)}`,
      'Bearer \u00e9\u00e9\u00e9',
      `Bearer ${revoked.key}`,
      `Bearer ${expiring.key}`,
    ];
    let first: ReturnType<typeof comparableReply> | undefined;
    for (const authorization of wrong) {
      const reply = await sendBytes(
        service.url,
        requestBytes('GET', '/v1/contacts', { headers: { authorization } }),
      );
      const error = assertError(reply, 401, 'UNAUTHORIZED');
      assert.equal('details' in error, false);
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
      first ??= comparableReply(reply);
      assert.deepEqual(comparableReply(reply), first, `Authorization: ${authorization}`);
    }
    assert.equal(await status(good.key), 200);
  });

  it('Credentials are checked before the request and the record', async () => {
    const { id } = await makeContact(service);
    const agent = await makeAgent(service);
    const anonymous = { headers: { authorization: null } };
    const replies: Reply[] = [
      await service.get('/v1/contacts?limit=0&nonsense=1', anonymous),
      await service.get('/v1/contacts?search=%ff', anonymous),
      await service.get(`/v1/contacts/${id}`, anonymous),
      await service.get(`/v1/contacts/${UNKNOWN_ID}`, anonymous),
      await service.get(`/v1/agents/${agent.id}`, anonymous),
      await service.get('/v1/agents/no-uuid', anonymous),
      await service.delete(`/v1/contacts/${id}`, anonymous),
      await service.delete(`/v1/agents/${agent.id}`, anonymous),
    ];
    const [first] = replies.map(comparableReply);
    for (const reply of replies) assert.deepEqual(comparableReply(reply), first);
    for (const path of ['/v1/contacts', '/v1/agents']) {
      for (const raw of ['{', '[]', '{"unknown":1}', 'x'.repeat(1_100_000)]) {
        const reply = await service.post(path, undefined, { raw, headers: { authorization: null } });
        assertError(reply, 401, 'UNAUTHORIZED');
      }
      const headers = { authorization: null, 'content-type': 'text/plain' };
      assertError(await service.post(path, undefined, { raw: 'x', headers }), 401, 'UNAUTHORIZED');
    }
    assert.equal((await service.get(`/v1/contacts/${id}`)).status, 200);
    assert.equal((await service.get(`/v1/agents/${agent.id}`)).status, 200);
  });

  it('A key with the scope read can read everything and write nothing', async () => {
    const { key } = await makeKey('read');
    const contact = await makeContact(service);
    const agent = await makeAgent(service);
    for (const path of [
      '/v1/contacts',
      `/v1/contacts/${contact.id}`,
      '/v1/contacts?search=5550&tag=x',
      '/v1/agents',
      `/api/v1/agents/${agent.id}`,
    ]) {
      assert.equal((await service.get(path, { key })).status, 200, path);
      assert.equal((await service.call('HEAD', path, undefined, { key })).status, 200, path);
    }
    for (const [method, path, body] of [
      ['POST', '/v1/contacts', { phone_number: newPhone() }],
      ['POST', '/v1/contacts', { wrong: 1 }],
      ['PATCH', `/v1/contacts/${contact.id}`, { first_name: 'No' }],
      ['PATCH', `/v1/contacts/${UNKNOWN_ID}`, {}],
      ['DELETE', `/v1/contacts/${contact.id}`, undefined],
      ['POST', '/api/v1/agents', { name: 'No', instructions: '' }],
      ['PATCH', `/v1/agents/${agent.id}`, { instructions: 'No' }],
      ['DELETE', `/v1/agents/${agent.id}`, undefined],
      ['DELETE', '/v1/agents/no-uuid', undefined],
    ] as const) {
      const error = assertError(await service.call(method, path, body, { key }), 403, 'FORBIDDEN');
      assert.match(error.message, /read_write/);
    }
    const { crm_ids: _, ...after } = (await service.get(`/v1/contacts/${contact.id}`)).body.data;
    assert.equal(after.updated_at, contact.updated_at);
    assert.equal((await service.get(`/v1/agents/${agent.id}`)).body.data.versions.length, 1);
  });

  it('A revoked key is rejected, also while it is in use', async () => {
    const { id, key } = await makeKey();
    assert.equal(await status(key), 200);
    await revoke(id);
    // Each serving thread has its own cache.
    const deadline = performance.now() + 30_000;
    for (let rejected = 0; rejected < 20; await sleep(10)) {
      assert.ok(performance.now() < deadline, 'it is still accepted');
      rejected = (await status(key)) === 401 ? rejected + 1 : 0;
    }
    assert.equal((await service.delete(`/v1/contacts/${UNKNOWN_ID}`, { key })).status, 401);
  });

  it('A key is rejected after it expires, also while it is in use', async () => {
    const expires = inMs(700);
    const { key } = await makeKey('read_write', expires);
    const first = await status(key);
    if (inMs(0) < expires) assert.equal(first, 200);
    let last = 200;
    for (let at = inMs(0); last === 200; at = inMs(0)) {
      last = await status(key);
      if (at > expires) assert.equal(last, 401, `at ${at}, expired ${expires}`);
    }
    assert.ok(inMs(0) >= expires, 'not before');
  });

  it('An API key is stored only as a SHA-256 hash', async () => {
    const { id, key } = await makeKey();
    const [row] = await service.database.query('select * from keys where id = ?', id);
    assert.equal(row?.hash, createHash('sha256').update(key).digest('hex'));
    assert.equal(JSON.stringify(row).includes(key.slice(-20)), false);
    const all = await service.database.query('select * from keys');
    assert.equal(JSON.stringify(all).includes(KEY), false);
  });
});

onEveryEngine('Last use of an API key', (service) => {
  it('The last use of an API key is stored by the time the service stops', async () => {
    const storage = await openTestStorage(service.database);
    const { id: workspace } = await storage.run(requireWorkspace, null, { name: 'default' });
    const principal = { workspace, actor: COMMAND_LINE };
    const make = (name: string) =>
      storage.run(createKey, principal, { name, scope: 'read', expires_at: null });
    const [used, unused, refused] = [await make('used'), await make('unused'), await make('refused')];
    await storage.run(revokeKey, principal, { id: refused.id });
    await storage.close();
    const from = inMs(0);
    assert.equal((await service.get('/v1/contacts', { key: used.key })).status, 200);
    assert.equal((await service.get('/v1/contacts', { key: refused.key })).status, 401);
    const to = inMs(0);
    await service.stop();
    service.stop = async () => {};
    const rows = await service.database.query('select id, last_used_at from keys');
    const lastUse = new Map(rows.map((row) => [row.id, row.last_used_at]));
    assert.ok(String(lastUse.get(used.id)) >= from && String(lastUse.get(used.id)) <= to);
    assert.equal(lastUse.get(unused.id), null);
    assert.equal(lastUse.get(refused.id), null);
  });
});
