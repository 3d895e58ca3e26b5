import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { onEveryEngine, type Reply, type TestService } from '../kit/service/test-service.ts';

/** A response without its request id, its date and its replay header. */
const comparable = ({ status, text, headers }: Reply) => ({
  status,
  text,
  ...Object.fromEntries(
    ['location', 'etag', 'content-type', 'retry-after'].map((name) => [name, headers.get(name)]),
  ),
});

const assertFirst = (reply: Reply) => assert.equal(isReplay(reply), false);

const assertReplay = (first: Reply, again: Reply) => {
  assertFirst(first);
  assert.deepEqual(comparable(again), comparable(first));
  assert.ok(isReplay(again));
  assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
};

const totalOf = async (service: TestService, path: string) =>
  (await service.get(`${path}?limit=1`)).body.pagination.total;

onEveryEngine('Idempotency keys', (service) => {
  const records = [
    [
      '/v1/contacts',
      () => ({ phone_number: newPhone(), first_name: 'Zoë "Z"', tags: ['a', 'b'] }),
      { notes: 'n' },
    ],
    ['/v1/agents', () => ({ name: 'A', instructions: 'Be kind.' }), { instructions: 'Be brief.' }],
  ] as const;
  for (const [path, fields, change] of records) {
    it(`A retried create under ${path} gets the first response byte for byte and creates one record`, async () => {
      const [key, body] = [randomUUID(), fields()];
      const before = await totalOf(service, path);
      const first = await service.post(path, body, withIdempotencyKey(key));
      assert.equal(first.status, 201, first.text);
      assertReplay(first, await service.post(path, body, withIdempotencyKey(key)));
      await service.patch(`${path}/${first.body.data.id}`, change);
      assertReplay(
        first,
        await service.post(path, Object.fromEntries(Object.entries(body).reverse()), withIdempotencyKey(key)),
      );
      assert.equal(await totalOf(service, path), before + 1);
    });

    it(`A response for ${path} that an earlier release stored is replayed byte for byte`, async () => {
      const [key, body] = [randomUUID(), fields()];
      const first = await service.post(path, body, withIdempotencyKey(key));
      await service.database.query(
        `update retries set answer = replace(answer, '"json":', '"wire":') where subject = ?`,
        first.body.data.id,
      );
      assertReplay(first, await service.post(path, body, withIdempotencyKey(key)));
    });

    it(`A retried update under ${path} gets the first response and is applied once`, async () => {
      const [key, record] = [randomUUID(), (await service.post(path, fields())).body.data];
      const target = `${path}/${record.id}`;
      const first = await service.patch(target, change, withIdempotencyKey(key));
      assert.equal(first.status, 200, first.text);
      const after = await service.get(target);
      assertReplay(first, await service.patch(target, change, withIdempotencyKey(key)));
      assert.equal((await service.get(target)).text, after.text);
    });
  }

  it('An idempotency key is shared by /v1 and /api/v1, with the Location of the called prefix', async () => {
    const [key, body] = [randomUUID(), { phone_number: newPhone() }];
    const first = await service.post('/v1/contacts', body, withIdempotencyKey(key));
    const again = await service.post('/api/v1/contacts', body, withIdempotencyKey(key));
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers.get('location'), `/api${first.headers.get('location')}`);
    assert.ok(isReplay(again));
  });

  it('An idempotency key is rejected for another body, record or If-Match, without effect', async () => {
    const [one, two] = [await makeAgent(service), await makeAgent(service)];
    const key = randomUUID();
    const target = `/v1/agents/${one.id}`;
    assert.equal((await service.patch(target, { name: 'B' }, withIdempotencyKey(key))).status, 200);
    for (const [path, body, headers] of [
      [target, { name: 'C' }, {}],
      [target, { name: 'B', description: null }, {}],
      [target, {}, {}],
      [`/v1/agents/${two.id}`, { name: 'B' }, {}],
      [target, { name: 'B' }, { 'if-match': '*' }],
    ] as const) {
      assertError(
        await service.patch(path, body, withIdempotencyKey(key, headers)),
        422,
        'IDEMPOTENCY_MISMATCH',
      );
    }
    assert.equal((await service.get(target)).body.data.name, 'B');
    assert.equal((await service.get(`/v1/agents/${two.id}`)).body.data.name, two.name);
  });

  it('Idempotency keys are separate for each route and workspace', async () => {
    const storage = await openTestStorage(service.database);
    const other = await makeWorkspace(storage);
    await storage.close();
    const [key, phone_number] = [randomUUID(), newPhone()];
    const first = await service.post('/v1/contacts', { phone_number }, withIdempotencyKey(key));
    const elsewhere = await service.post(
      '/v1/contacts',
      { phone_number },
      { ...withIdempotencyKey(key), key: other.key },
    );
    const agent = await service.post('/v1/agents', { name: 'A', instructions: '' }, withIdempotencyKey(key));
    const update = await service.patch(
      `/v1/contacts/${first.body.data.id}`,
      { phone_number },
      withIdempotencyKey(key),
    );
    assert.deepEqual(
      [first, elsewhere, agent, update].map(({ status }) => status),
      [201, 201, 201, 200],
    );
    for (const reply of [first, elsewhere, agent, update]) assertFirst(reply);
    assert.notEqual(elsewhere.body.data.id, first.body.data.id);
  });

  it('A retry replays a 404, 409 or 412 with the first request id, even if it would now succeed', async () => {
    const phone_number = newPhone();
    const existing = await makeContact(service, { phone_number });
    const contact = await makeContact(service);
    const target = `/v1/contacts/${contact.id}`;
    const unknownContact = '/v1/contacts/contact_01h455vb4pex5vsknk084sn02q';
    const stale = { 'if-match': '"stale"' };
    const calls = [
      [409, () => service.post('/v1/contacts', { phone_number }, withIdempotencyKey('taken'))],
      [409, () => service.patch(target, { phone_number }, withIdempotencyKey('taken'))],
      [404, () => service.patch(unknownContact, {}, withIdempotencyKey('nobody'))],
      [412, () => service.patch(target, { notes: 'x' }, withIdempotencyKey('stale', stale))],
    ] as const;
    const firsts = [];
    for (const [status, call] of calls) {
      const first = await call();
      assert.equal(first.status, status, first.text);
      assert.equal(first.body.error.request_id, first.headers.get('x-request-id'));
      firsts.push(first);
    }
    await service.patch(`/v1/contacts/${existing.id}`, { phone_number: newPhone() });
    for (const [at, [, call]] of calls.entries()) assertReplay(firsts[at] as Reply, await call());
    assert.equal((await service.get(target)).body.data.updated_at, contact.updated_at);
  });

  it('An invalid request is not stored: the corrected one can use the same idempotency key', async () => {
    const [key, body] = [randomUUID(), { phone_number: newPhone() }];
    const { id } = await makeContact(service);
    const wrong = { ...body, phone_number: '555' };
    assertError(
      await service.post('/v1/contacts', { first_name: 1 }, withIdempotencyKey(key)),
      400,
      'VALIDATION_ERROR',
    );
    assertError(await service.post('/v1/contacts', wrong, withIdempotencyKey(key)), 400, 'VALIDATION_ERROR');
    assertError(
      await service.patch(`/v1/contacts/${id}`, wrong, withIdempotencyKey(key)),
      400,
      'VALIDATION_ERROR',
    );
    assertError(
      await service.post('/v1/contacts', body, { ...withIdempotencyKey(key), key: 'rk_1_no' }),
      401,
      'UNAUTHORIZED',
    );
    const first = await service.post('/v1/contacts', body, withIdempotencyKey(key));
    assert.equal(first.status, 201, first.text);
    assertFirst(first);
    const patched = await service.patch(
      `/v1/contacts/${id}`,
      { phone_number: newPhone() },
      withIdempotencyKey(key),
    );
    assert.equal(patched.status, 200);
    assertFirst(patched);
  });

  for (const [what, key] of [
    ['empty', ''],
    ['longer than 255 characters', 'k'.repeat(256)],
    ['with a letter beyond ASCII', 'Zo\u00eb'],
    ['with a tab', 'a\tb'],
  ] as const) {
    it(`An idempotency key that is ${what} is rejected without effect, and the error names the header`, async () => {
      const before = await totalOf(service, '/v1/contacts');
      const reply = await service.post('/v1/contacts', { phone_number: newPhone() }, withIdempotencyKey(key));
      assertInvalid(reply, 'Idempotency-Key');
      assert.equal(await totalOf(service, '/v1/contacts'), before);
    });
  }

  it('An idempotency key can have 1 to 255 printable characters', async () => {
    for (const key of ['k', 'k'.repeat(255), '~ !"#,;\\ {}']) {
      const body = { name: 'A', instructions: key };
      const first = await service.post('/v1/agents', body, withIdempotencyKey(key));
      assertReplay(first, await service.post('/v1/agents', body, withIdempotencyKey(key)));
    }
  });

  it('The idempotency key is ignored on GET and DELETE', async () => {
    const { id } = await makeContact(service);
    const bad = withIdempotencyKey('k'.repeat(300));
    assert.equal((await service.get('/v1/contacts', bad)).status, 200);
    assert.equal((await service.delete(`/v1/contacts/${id}`, bad)).status, 200);
    assert.equal((await service.delete(`/v1/contacts/${id}`, bad)).status, 404);
  });

  it('A session can send an idempotency key, too', async () => {
    const owner = await signedInUser(service);
    const phone_number = newPhone();
    const create = () => owner.call('POST', '/contacts', { phone_number }, withIdempotencyKey('one'));
    const first = await create();
    assert.equal(first.status, 201, first.text);
    assertFirst(first);
    assertReplay(first, await create());
  });

  it('The database stores neither the idempotency key nor the request, only the response', async () => {
    const [key, secret] = [`key of ${randomUUID()}`, randomUUID()];
    await service.post('/v1/agents', { name: 'A', instructions: secret }, withIdempotencyKey(key));
    const rows = JSON.stringify(await service.database.query('select * from retries'));
    assert.ok(rows.includes('POST /agents'));
    assert.deepEqual(
      [key, secret].filter((text) => rows.includes(text)),
      [],
    );
  });
});
