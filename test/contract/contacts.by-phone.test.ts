import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import {
  assertFieldsRejected,
  assertRejected,
  CREATED_KEYS,
  FULL_KEYS,
  keysOf,
  LISTED_KEYS,
} from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeLegacyContact } from '../kit/fixtures/legacy-contacts.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type CallOptions, type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

onEveryEngine('Contacts by phone number', (service) => {
  const pathOf = (phone: string) => `/v1/contacts/by-phone/${phone}`;
  const put = (phone: string, body?: unknown, options?: CallOptions) =>
    service.call('PUT', pathOf(phone), body, options);
  /** A busy machine sheds load. A request that was shed changed nothing and is sent again. */
  const putUnlessShed = async (...sent: Parameters<typeof put>): Promise<Reply> => {
    const reply = await put(...sent);
    return reply.status === 503 && reply.text.includes('overloaded') ? putUnlessShed(...sent) : reply;
  };

  for (const prefix of ['/v1', '/api/v1']) {
    it(`A PUT of a new number under ${prefix} creates a contact, and its Location has the id`, async () => {
      const phone = newPhone();
      const fields = { first_name: 'Ada', tags: ['a', 'b'], notes: null };
      const reply = await service.call('PUT', `${prefix}/contacts/by-phone/${phone}`, fields);
      assert.equal(reply.status, 201, reply.text);
      const { data } = reply.body;
      assert.deepEqual(keysOf(data), CREATED_KEYS);
      assert.equal(data.phone_number, phone);
      assert.equal(data.source, 'api');
      assert.deepEqual([data.first_name, data.tags, data.company], ['Ada', ['a', 'b'], null]);
      assert.equal(reply.headers.get('location'), `${prefix}/contacts/${data.id}`);
      const stored = await service.get(reply.headers.get('location') as string);
      assert.equal(stored.headers.get('etag'), reply.headers.get('etag'));
    });
  }

  it('A PUT of a known number changes the fields in the request, and the others stay', async () => {
    const contact = await makeContact(service, { first_name: 'Ada', company: 'Acme', tags: ['a'] });
    const phone = contact.phone_number;
    const fields = { phone_number: phone, first_name: 'Zoë', company: null };
    const reply = await put(phone, fields);
    assert.equal(reply.status, 200, reply.text);
    const { data } = reply.body;
    assert.deepEqual(keysOf(data), LISTED_KEYS);
    assert.deepEqual([data.id, data.first_name, data.company, data.tags], [contact.id, 'Zoë', null, ['a']]);
    assert.ok(data.updated_at > contact.updated_at);
    assert.equal(reply.headers.get('location'), null);
    const patched = await service.patch(`/v1/contacts/${contact.id}`, {});
    assert.deepEqual(keysOf(patched.body.data), keysOf(data));
  });

  it('A PUT without a body creates a contact with only its number', async () => {
    const phone = newPhone();
    assert.equal((await put(phone)).status, 201);
    assert.equal((await put(phone)).status, 200);
  });

  it('A contact that was read is accepted as the body of a PUT', async () => {
    const contact = await makeContact(service, { first_name: 'Ada' });
    const { data } = (await service.get(pathOf(contact.phone_number))).body;
    const reply = await put(contact.phone_number, data);
    assert.equal(reply.status, 200, reply.text);
    const { crm_ids: _, updated_at: __, ...same } = data;
    const { updated_at: ___, ...stored } = reply.body.data;
    assert.deepEqual(stored, same);
  });

  it('A GET returns the same as a GET by id, with its ETag, whatever form the plus sign has', async () => {
    const contact = await makeContact(service, { first_name: 'Ada', tags: ['x'] });
    for (const form of [contact.phone_number, contact.phone_number.replace('+', '%2B')]) {
      const byId = await service.get(`/v1/contacts/${contact.id}`);
      const reply = await service.get(pathOf(form));
      assert.deepEqual(comparableReply(reply), comparableReply(byId));
      assert.deepEqual(keysOf(reply.body.data), FULL_KEYS);
      const etag = reply.headers.get('etag') as string;
      const again = await service.get(pathOf(form), { headers: { 'if-none-match': etag } });
      assert.equal(again.status, 304);
      assert.equal((await put(form, { notes: form })).body.data.id, contact.id);
    }
    assertError(await service.get(pathOf(newPhone())), 404, 'NOT_FOUND');
  });

  for (const [sent, hint] of [
    ['+1 (202) 555-0142', /Send \+12025550142\./],
    ['+4402079460018', /Send \+442079460018\./],
    ['12025550142', /starts with \+/],
    ['+123', /7 to 15 digits/],
    ['+999999999999', /assigned country code/],
    ['contact_01h455vb4pex5vsknk084sn02q', /starts with \+/],
    ['%', /starts with \+/],
  ] as const) {
    it(`The number ${sent} in the path is 400 and says what to send`, async () => {
      for (const method of ['GET', 'PUT']) {
        const body = method === 'PUT' ? { first_name: 'x' } : undefined;
        const call = () => service.call(method, pathOf(encodeURIComponent(sent)), body);
        assert.match(await assertFieldsRejected(service, ['phone'], call), hint);
      }
    });
  }

  it('A body with another number, an unknown or an invalid field is 400 and changes nothing', async () => {
    const { phone_number: phone } = await makeContact(service);
    for (const number of [newPhone(), phone.slice(1), '']) {
      const call = () => put(phone, { phone_number: number, notes: 'changed' });
      assert.match(await assertFieldsRejected(service, ['phone_number'], call), /number in the path/);
    }
    const invalid = { first_name: 1, email: 'x', tags: null, colour: 'red' };
    await assertFieldsRejected(service, Object.keys(invalid), () => put(newPhone(), invalid));
  });

  it('A legacy contact is found by its normalized number and keeps the number that it displays', async () => {
    const { contact, identity } = await makeLegacyContact(service, 'derived', { first_name: 'Ada' });
    const phone = identity as string;
    assert.equal((await service.get(pathOf(phone))).body.data.id, contact.id);
    const kept = (await put(phone, { notes: 'n' })).body.data;
    assert.deepEqual(
      [kept.id, kept.phone_number, kept.first_name],
      [contact.id, contact.phone_number, 'Ada'],
    );
    assert.equal((await put(phone, { phone_number: phone })).body.data.phone_number, phone);
  });

  it('The number of a legacy contact with a conflict is replaced only with confirm_phone_change', async () => {
    const { contact, identity } = await makeLegacyContact(service, 'conflicting');
    const phone = identity as string;
    const error = await assertRejected(service, 409, 'CONFLICT', () => put(phone, { phone_number: phone }));
    assert.equal(error.details[0].field, 'confirm_phone_change');
    const fields = { phone_number: phone, confirm_phone_change: true };
    const { data } = (await put(phone, fields)).body;
    assert.deepEqual([data.id, data.phone_number], [contact.id, phone]);
  });

  it('If-Match makes a PUT update only the state that was read', async () => {
    const { phone_number: phone } = await makeContact(service);
    const etag = (await service.get(pathOf(phone))).headers.get('etag') as string;
    const first = await put(phone, { notes: '1' }, { headers: { 'if-match': etag } });
    assert.equal(first.status, 200, first.text);
    const stale = { headers: { 'if-match': etag } };
    await assertRejected(service, 412, 'PRECONDITION_FAILED', () => put(phone, { notes: '2' }, stale));
    for (const header of ['*', etag]) {
      const options = { headers: { 'if-match': header } };
      await assertRejected(service, 412, 'PRECONDITION_FAILED', () => put(newPhone(), {}, options));
    }
    const broken = { headers: { 'if-match': 'x' } };
    await assertFieldsRejected(service, ['If-Match'], () => put(phone, {}, broken));
  });

  it('If-None-Match: * makes a PUT create only', async () => {
    const phone = newPhone();
    const createOnly = { headers: { 'if-none-match': '*' } };
    assert.equal((await put(phone, {}, createOnly)).status, 201);
    await assertRejected(service, 412, 'PRECONDITION_FAILED', () => put(phone, { notes: '2' }, createOnly));
    const broken = { headers: { 'if-none-match': 'x' } };
    await assertFieldsRejected(service, ['If-None-Match'], () => put(phone, {}, broken));
  });

  it('A retried PUT with an idempotency key gets the first response, also after other changes', async () => {
    const phone = newPhone();
    for (const status of [201, 200]) {
      const options = withIdempotencyKey(randomUUID());
      const first = await put(phone, { notes: 'first' }, options);
      assert.equal(first.status, status);
      assert.equal(isReplay(first), false);
      await put(phone, { notes: 'second' });
      const again = await put(phone, { notes: 'first' }, options);
      assert.ok(isReplay(again));
      assert.deepEqual(
        [again.status, again.text, again.headers.get('etag'), again.headers.get('location')],
        [first.status, first.text, first.headers.get('etag'), first.headers.get('location')],
      );
      assert.equal((await service.get(pathOf(phone))).body.data.notes, 'second');
      assertError(await put(phone, { notes: 'other' }, options), 422, 'IDEMPOTENCY_MISMATCH');
      assertError(await put(newPhone(), { notes: 'first' }, options), 422, 'IDEMPOTENCY_MISMATCH');
      const createOnly = { headers: { ...options.headers, 'if-none-match': '*' } };
      assertError(await put(phone, { notes: 'first' }, createOnly), 422, 'IDEMPOTENCY_MISMATCH');
    }
  });

  it('Of 50 concurrent PUTs of one new number one creates and all others update', async () => {
    for (const isKeyed of [false, true]) {
      const phone = newPhone();
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          putUnlessShed(
            phone,
            { [['first_name', 'last_name', 'company', 'notes', 'display_name'][at % 5] as string]: `${at}` },
            isKeyed ? withIdempotencyKey(randomUUID()) : {},
          ),
        ),
      );
      const statuses = Object.groupBy(replies, ({ status }) => String(status));
      assert.deepEqual(
        Object.entries(statuses).map(([status, some]) => [status, some?.length]),
        [
          ['200', 49],
          ['201', 1],
        ],
      );
      const [id, ...others] = new Set(replies.map(({ body }) => body.data.id));
      assert.deepEqual(others, []);
      // In the order of updated_at, every response contains all changes before it.
      const inOrder = replies
        .map(({ body }) => body.data)
        .sort((one: Json, other: Json) => (one.updated_at < other.updated_at ? -1 : 1));
      assert.equal(new Set(inOrder.map(({ updated_at }: Json) => updated_at)).size, 50);
      for (const [at, next] of inOrder.slice(1).entries()) {
        const changed = ['first_name', 'last_name', 'company', 'notes', 'display_name'].filter(
          (name) => next[name] !== inOrder[at][name],
        );
        assert.equal(changed.length, 1);
      }
      assert.equal((await service.get(pathOf(phone))).body.data.updated_at, inOrder.at(-1).updated_at);
      assert.equal((await service.get(`/v1/contacts/${id}`)).status, 200);
    }
  });

  it('Concurrent PUTs of new and known numbers all succeed, and counters and audit entries are exact', async () => {
    const known = await Promise.all(Array.from({ length: 10 }, () => makeContact(service)));
    const numbers = [
      ...known.map(({ phone_number }) => phone_number),
      ...Array.from({ length: 30 }, newPhone),
    ];
    const before = (await service.get('/v1/contacts?limit=1')).body.pagination.total;
    const replies = await Promise.all(
      [...numbers, ...numbers].map((phone) => putUnlessShed(phone, { tags: ['mixed'] })),
    );
    const created = replies.filter(({ status }) => status === 201);
    assert.deepEqual(
      replies.filter(({ status }) => status >= 300).map(({ text }) => text),
      [],
    );
    assert.equal(created.length, 30);
    assert.equal(replies.filter(({ status }) => status === 200).length, 50);
    const { pagination } = (await service.get('/v1/contacts?limit=1')).body;
    assert.equal(pagination.total, before + 30);
    assert.equal((await service.get('/v1/contacts?tag=mixed&limit=1')).body.pagination.total, 40);
    for (const { body } of created.slice(0, 3)) {
      const entries = await service.database.query(
        'select action from audit_entries where subject = ? order by seq',
        body.data.id,
      );
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['contact.created', 'contact.updated'],
      );
    }
  });

  it('The number of a contact in another workspace is unknown, and a PUT creates a contact', async () => {
    const storage = await openTestStorage(service.database);
    const { key } = await makeWorkspace(storage);
    await storage.close();
    const contact = await makeContact(service, { first_name: 'Hidden' });
    const phone = contact.phone_number;
    const [theirs, unknown] = [
      await service.get(pathOf(phone), { key }),
      await service.get(pathOf(newPhone()), { key }),
    ];
    assert.deepEqual(comparableReply(theirs), comparableReply(unknown));
    assert.equal(theirs.status, 404);
    const reply = await put(phone, { notes: 'mine' }, { key });
    assert.equal(reply.status, 201);
    assert.equal(reply.body.data.first_name, null);
    assert.equal((await service.get(`/v1/contacts/${contact.id}`)).body.data.notes, null);
    await assertRejected(service, 401, 'UNAUTHORIZED', () => put(phone, {}, { key: 'rk_wrong' }));
  });

  it('The path by-phone without a number is a contact id that does not exist', async () => {
    assertError(await service.get('/v1/contacts/by-phone'), 404, 'NOT_FOUND');
    assertError(await service.get('/v1/contacts/by-phone/'), 404, 'NOT_FOUND');
    assertError(await service.call('PATCH', pathOf(newPhone()), {}), 405, 'METHOD_NOT_ALLOWED');
  });
});
