import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { actualCounts, storedCounts } from '../kit/database/counters.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { assertFieldsRejected, assertRejected, getContact } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeLegacyContact } from '../kit/fixtures/legacy-contacts.ts';
import { assertError } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type CallOptions, type Json, onEveryEngine } from '../kit/service/test-service.ts';

const UNKNOWN = 'contact_01h455vb4pex5vsknk084sn02q';

onEveryEngine('Batches of contacts', (service) => {
  const post = (operations: unknown, more: object = {}, options?: CallOptions) =>
    service.post('/v1/contacts/batch', { operations, ...more }, options);

  /** Runs a batch and returns its data. */
  const run = async (operations: unknown[], more: object = {}, options?: CallOptions): Promise<Json> => {
    const reply = await post(operations, more, options);
    assert.equal(reply.status, 200, reply.text);
    const { data } = reply.body;
    assert.deepEqual(
      data.results.map(({ index }: Json) => index),
      operations.map((_, at) => at),
    );
    assert.equal(data.created + data.updated + data.deleted + data.failed, operations.length);
    return data;
  };
  const statuses = ({ results }: Json): string[] => results.map(({ status }: Json) => status);
  const auditOf = async (id: string): Promise<unknown[]> =>
    (
      await service.database.query(
        'select action, fields from audit_entries where subject = ? order by seq',
        id,
      )
    ).map(({ action, fields }) => (fields === null ? action : [action, JSON.parse(fields as string)]));
  const assertCounts = async () =>
    assert.deepEqual(await storedCounts(service.database), await actualCounts(service.database));

  for (const prefix of ['/v1', '/api/v1']) {
    it(`A batch under ${prefix} creates, updates, upserts and deletes, with a result for each operation`, async () => {
      const [first, second, third] = [
        await makeContact(service, { first_name: 'Ada', tags: ['old'] }),
        await makeContact(service, { notes: 'stays' }),
        await makeContact(service),
      ];
      const [created, upserted] = [newPhone(), newPhone()];
      const reply = await service.post(`${prefix}/contacts/batch`, {
        operations: [
          { op: 'create', phone_number: created, first_name: 'New', tags: ['batch', 'batch'] },
          { op: 'update', id: first.id, first_name: null, tags: ['batch'] },
          { op: 'upsert', phone_number: second.phone_number, company: 'Acme' },
          { op: 'upsert', phone_number: upserted, company: 'Acme' },
          { op: 'delete', id: third.id },
        ],
      });
      assert.equal(reply.status, 200, reply.text);
      const { results, ...counts } = reply.body.data;
      assert.deepEqual(counts, { created: 2, updated: 2, deleted: 1, failed: 0 });
      assert.deepEqual(
        results.map(({ index, status, error }: Json) => [index, status, error]),
        ['created', 'updated', 'updated', 'created', 'deleted'].map((status, at) => [at, status, null]),
      );
      for (const result of results) assert.deepEqual(Object.keys(result), ['index', 'status', 'id', 'error']);
      const [one, , , four] = results;
      const made = await getContact(service, one.id);
      assert.deepEqual([made.phone_number, made.first_name, made.tags], [created, 'New', ['batch']]);
      assert.deepEqual([made.source, made.notes, made.crm_ids], ['api', null, {}]);
      assert.equal(made.first_contact_at, made.created_at);
      const changed = await getContact(service, first.id);
      assert.deepEqual([changed.first_name, changed.tags], [null, ['batch']]);
      assert.ok(changed.updated_at > first.updated_at);
      const merged = await getContact(service, second.id);
      assert.deepEqual([merged.notes, merged.company], ['stays', 'Acme']);
      assert.equal((await getContact(service, four.id)).phone_number, upserted);
      assertError(await service.get(`/v1/contacts/${third.id}`), 404, 'NOT_FOUND');
      assert.deepEqual(await auditOf(one.id), ['contact.created']);
      assert.deepEqual(await auditOf(first.id), [
        'contact.created',
        ['contact.updated', ['first_name', 'tags']],
      ]);
      assert.deepEqual(await auditOf(third.id), ['contact.created', 'contact.deleted']);
      await assertCounts();
    });
  }

  it('Updates and deletes also name a contact by its phone number, or by a UUID', async () => {
    const [first, second] = [await makeContact(service), await makeContact(service)];
    const data = await run([
      { op: 'update', phone_number: first.phone_number, notes: 'n' },
      { op: 'delete', phone_number: second.phone_number },
    ]);
    assert.deepEqual(statuses(data), ['updated', 'deleted']);
    assert.equal((await getContact(service, first.id)).notes, 'n');
  });

  it('A contact that was read is accepted as an update', async () => {
    const contact = await getContact(service, (await makeContact(service, { first_name: 'Ada' })).id);
    assert.deepEqual(statuses(await run([{ op: 'update', ...contact, notes: 'n' }])), ['updated']);
    assert.equal((await getContact(service, contact.id)).notes, 'n');
  });

  it('Without atomic, failed operations have the error of the single endpoint and the others are executed', async () => {
    const [known, other] = [await makeContact(service), await makeContact(service)];
    const phone_number = newPhone();
    const operations = [
      { op: 'create', phone_number: known.phone_number },
      { op: 'create', phone_number: '+1 (202) 555-0142' },
      { op: 'create', phone_number: newPhone(), email: 'x', tags: [1], colour: 'red' },
      { op: 'update', id: UNKNOWN, notes: 'n' },
      { op: 'update', id: 'no-id', notes: 'n' },
      { op: 'update', id: known.id, phone_number: other.phone_number },
      { op: 'update', id: known.id, phone_number: '02079460018' },
      { op: 'delete', id: UNKNOWN },
      { op: 'delete', phone_number: newPhone() },
      { op: 'create', phone_number, notes: 'written' },
    ];
    const data = await run(operations);
    assert.deepEqual([data.created, data.failed], [1, 9]);
    assert.equal((await getContact(service, data.results[9].id)).notes, 'written');
    const singles = [
      () => service.post('/v1/contacts', { phone_number: known.phone_number }),
      () => service.post('/v1/contacts', { phone_number: '+1 (202) 555-0142' }),
      undefined,
      () => service.patch(`/v1/contacts/${UNKNOWN}`, {}),
      () => service.patch('/v1/contacts/no-id', {}),
      () => service.patch(`/v1/contacts/${known.id}`, { phone_number: other.phone_number }),
      () => service.patch(`/v1/contacts/${known.id}`, { phone_number: '02079460018' }),
      () => service.delete(`/v1/contacts/${UNKNOWN}`),
      () => service.delete(`/v1/contacts/${UNKNOWN}`),
    ];
    for (const [at, single] of singles.entries()) {
      const { id, status, error } = data.results[at];
      assert.deepEqual([id, status], [null, 'failed']);
      if (!single) continue;
      const { request_id: _, ...expected } = (await single()).body.error;
      assert.deepEqual(error, expected);
    }
    assert.deepEqual(
      data.results[2].error.details.map(({ field }: Json) => field),
      ['email', 'tags[0]', 'colour'],
    );
    await assertCounts();
  });

  it('An atomic batch with a failed operation changes nothing and names every failed operation', async () => {
    const known = await makeContact(service);
    const valid = { op: 'create', phone_number: newPhone() };
    const changed = { op: 'update', id: known.id, notes: 'changed' };
    const taken = { op: 'create', phone_number: known.phone_number };
    const missing = { op: 'delete', id: UNKNOWN };
    const wrong = { op: 'upsert', phone_number: '0', email: 'x' };
    const atomic = { atomic: true };
    const fieldsOf = (error: Json) => error.details.map(({ field }: Json) => field);
    const conflict = await assertRejected(service, 409, 'CONFLICT', () =>
      post([valid, taken, changed], atomic),
    );
    assert.deepEqual(fieldsOf(conflict), ['operations[1]']);
    assert.match(conflict.details[0].message, new RegExp(known.id));
    const unknown = await assertRejected(service, 404, 'NOT_FOUND', () =>
      post([valid, changed, missing, taken], atomic),
    );
    assert.deepEqual(fieldsOf(unknown), ['operations[2]', 'operations[3]']);
    const invalid = await assertRejected(service, 400, 'VALIDATION_ERROR', () =>
      post([valid, wrong, changed, wrong], atomic),
    );
    assert.deepEqual(fieldsOf(invalid), [
      'operations[1].phone_number',
      'operations[1].email',
      'operations[3].phone_number',
      'operations[3].email',
    ]);
    const number = await assertRejected(service, 400, 'VALIDATION_ERROR', () =>
      post([taken, { op: 'update', id: known.id, phone_number: '0' }], atomic),
    );
    assert.deepEqual(fieldsOf(number), ['operations[0]', 'operations[1].phone_number']);
    const many = await assertRejected(service, 404, 'NOT_FOUND', () =>
      post(
        Array.from({ length: 300 }, () => missing),
        atomic,
      ),
    );
    assert.equal(many.details.length, 100);
    assert.match(many.message, /300 operations/);
    assert.equal((await getContact(service, known.id)).notes, null);
    assert.deepEqual(statuses(await run([valid, changed], atomic)), ['created', 'updated']);
    await assertCounts();
  });

  it('Operations on one contact are executed in their order', async () => {
    const [a, b, c] = [newPhone(), newPhone(), newPhone()];
    const data = await run([
      { op: 'create', phone_number: a, notes: '1' },
      { op: 'create', phone_number: a, notes: '2' },
      { op: 'upsert', phone_number: a, company: '3', tags: ['t'] },
      { op: 'upsert', phone_number: b },
      { op: 'delete', phone_number: b },
      { op: 'update', phone_number: b },
      { op: 'upsert', phone_number: b, notes: 'again' },
    ]);
    assert.deepEqual(statuses(data), [
      'created',
      'failed',
      'updated',
      'created',
      'deleted',
      'failed',
      'created',
    ]);
    const [first, second, third, fourth, , , last] = data.results;
    assert.equal(second.error.details.existing_contact_id, first.id);
    assert.equal(third.id, first.id);
    assert.notEqual(last.id, fourth.id);
    const stored = await getContact(service, first.id);
    assert.deepEqual([stored.notes, stored.company, stored.tags], ['1', '3', ['t']]);
    assert.equal((await service.get(`/v1/contacts/${fourth.id}`)).status, 404);
    assert.equal((await getContact(service, last.id)).notes, 'again');
    // Two stored contacts exchange their numbers over a third one.
    const swapped = await run([
      { op: 'update', id: first.id, phone_number: c },
      { op: 'update', id: last.id, phone_number: a },
      { op: 'update', id: first.id, phone_number: b },
    ]);
    assert.deepEqual(statuses(swapped), ['updated', 'updated', 'updated']);
    assert.equal((await getContact(service, first.id)).phone_number, b);
    assert.equal((await getContact(service, last.id)).phone_number, a);
    const replaced = await run([
      { op: 'delete', id: first.id },
      { op: 'create', phone_number: b },
      { op: 'update', id: first.id, notes: 'x' },
    ]);
    assert.deepEqual(statuses(replaced), ['deleted', 'created', 'failed']);
    await assertCounts();
  });

  it('Contacts of a batch are listed in its order, newest first, and are found by search and tag', async () => {
    const numbers = Array.from({ length: 5 }, newPhone).reverse();
    const name = `Batch${randomUUID()}`;
    await run(numbers.map((phone_number) => ({ op: 'create', phone_number, last_name: name, tags: [name] })));
    for (const query of [`search=${name}`, `tag=${name}`]) {
      const { data } = (await service.get(`/v1/contacts?${query}`)).body;
      assert.deepEqual(
        data.map(({ phone_number }: Json) => phone_number),
        numbers.toReversed(),
      );
    }
  });

  it('A legacy contact keeps its displayed number in an upsert, and a change of the number needs confirmation', async () => {
    const { contact, identity } = await makeLegacyContact(service, 'conflicting');
    const change = { op: 'update', id: contact.id, phone_number: newPhone() };
    const data = await run([
      { op: 'upsert', phone_number: identity, notes: 'n' },
      { op: 'update', id: contact.id, phone_number: contact.phone_number, company: 'c' },
      change,
    ]);
    assert.deepEqual(statuses(data), ['updated', 'updated', 'failed']);
    assert.equal(data.results[2].error.code, 'CONFLICT');
    assert.equal(data.results[2].error.details[0].field, 'confirm_phone_change');
    const stored = await getContact(service, contact.id);
    assert.deepEqual([stored.phone_number, stored.notes, stored.company], [contact.phone_number, 'n', 'c']);
    assert.deepEqual(statuses(await run([{ ...change, confirm_phone_change: true }])), ['updated']);
    assert.equal((await getContact(service, contact.id)).phone_number, change.phone_number);
  });

  it('A batch has 1 to 1,000 operations, each an object with a known op and its own fields', async () => {
    const phone_number = newPhone();
    const rejected = (operations: unknown, ...fields: string[]) =>
      assertFieldsRejected(service, fields, () => post(operations));
    assert.match(await rejected([], 'operations'), /1 to 1000 operations; this has 0/);
    assert.match(await rejected(new Array(1_001).fill({ op: 'delete', id: UNKNOWN }), 'operations'), /1001/);
    await rejected({}, 'operations');
    await rejected([{ op: 'delete', id: UNKNOWN }, 7], 'operations[1]');
    await rejected([[]], 'operations[0]');
    await assertFieldsRejected(service, ['operations'], () => service.post('/v1/contacts/batch', {}));
    await assertFieldsRejected(service, ['atomic', 'all'], () => post([{}], { atomic: 'yes', all: true }));
    for (const [operation, field] of [
      [{ phone_number }, 'op'],
      [{ op: 'replace', phone_number }, 'op'],
      [{ op: 'create' }, 'phone_number'],
      [{ op: 'create', id: UNKNOWN, phone_number }, 'id'],
      [{ op: 'create', phone_number, confirm_phone_change: true }, 'confirm_phone_change'],
      [{ op: 'upsert', id: UNKNOWN, phone_number }, 'id'],
      [{ op: 'update', notes: 'n' }, 'id'],
      [{ op: 'update', phone_number: '0', notes: 'n' }, 'phone_number'],
      [{ op: 'delete' }, 'id'],
      [{ op: 'delete', id: UNKNOWN, phone_number }, 'phone_number'],
      [{ op: 'delete', id: UNKNOWN, notes: 'n' }, 'notes'],
    ] as const) {
      const { results } = await run([operation]);
      assert.equal(results[0].error?.code, 'VALIDATION_ERROR', JSON.stringify(operation));
      assert.equal(results[0].error.details[0].field, field);
    }
    assert.equal((await service.get(`/v1/contacts/by-phone/${phone_number}`)).status, 404);
  });

  it('A batch of 1,000 creates, then upserts, then deletes succeeds, and a larger body is 413', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, at) => `+1415555${String(at).padStart(4, '0')}`);
    const tags = Array.from({ length: 50 }, (_, at) => `tag ${at}`);
    const full = { first_name: 'Ada', last_name: 'Moreau', email: 'ada@example.com', notes: 'n'.repeat(500) };
    const created = await run(
      numbers.map((phone_number, at) => ({
        op: 'create',
        phone_number,
        ...full,
        tags: at % 100 === 0 ? tags : ['few'],
      })),
      { atomic: true },
    );
    assert.equal(created.created, 1_000);
    const upserted = await run(numbers.map((phone_number) => ({ op: 'upsert', phone_number, notes: null })));
    assert.equal(upserted.updated, 1_000);
    await assertCounts();
    const deleted = await run(numbers.map((phone_number) => ({ op: 'delete', phone_number })));
    assert.equal(deleted.deleted, 1_000);
    await assertCounts();
    const large = numbers.map((phone_number) => ({ op: 'create', phone_number, notes: 'n'.repeat(5_000) }));
    const error = await assertRejected(service, 413, 'PAYLOAD_TOO_LARGE', () => post(large));
    assert.match(error.message, /4 MiB/);
    const values = new Array(100).fill({ op: 'create', tags: new Array(1_000).fill('') });
    assert.match(
      (await assertRejected(service, 400, 'VALIDATION_ERROR', () => post(values))).message,
      /75000 values/,
    );
  });

  it('A retried batch with an idempotency key gets the first response and is executed once', async () => {
    const known = await makeContact(service);
    const operations = [
      { op: 'upsert', phone_number: newPhone(), notes: 'private' },
      { op: 'create', phone_number: known.phone_number },
      { op: 'create', phone_number: '+1 (202) 555-0143' },
      { op: 'update', id: known.id, phone_number: '(202) 555-0144' },
    ];
    const key = withIdempotencyKey(randomUUID());
    const first = await post(operations, {}, key);
    assert.deepEqual(statuses(first.body.data), ['created', 'failed', 'failed', 'failed']);
    assert.equal(isReplay(first), false);
    await service.delete(`/v1/contacts/${first.body.data.results[0].id}`);
    const again = await post(operations, {}, key);
    assert.ok(isReplay(again));
    assert.equal(again.text, first.text);
    assertError(await post(operations.slice(1), {}, key), 422, 'IDEMPOTENCY_MISMATCH');
    assertError(await post(operations, { atomic: true }, key), 400, 'VALIDATION_ERROR');
    const stored = JSON.stringify(
      await service.database.query(`select answer from retries where route like '%batch'`),
    );
    assert.ok(stored.includes(known.id));
    // Ids begin with the time in hexadecimal digits, which have any three of them now and then.
    for (const text of ['private', '5550143', '555-0143', '5550144', '555-0144', known.phone_number])
      assert.equal(stored.includes(text), false, text);
    const atomicKey = withIdempotencyKey(randomUUID());
    const conflict = [{ op: 'create', phone_number: known.phone_number }];
    const refused = await post(conflict, { atomic: true }, atomicKey);
    assertError(refused, 409, 'CONFLICT');
    await service.delete(`/v1/contacts/${known.id}`);
    const replayed = await post(conflict, { atomic: true }, atomicKey);
    assert.ok(isReplay(replayed));
    assert.equal(replayed.text, refused.text);
  });

  it('Deleting in a batch erases what is stored for the contact, as a single delete does', async () => {
    const key = withIdempotencyKey(randomUUID());
    const body = { phone_number: newPhone(), first_name: 'Erased' };
    const { id } = (await service.post('/v1/contacts', body, key)).body.data;
    await run([{ op: 'delete', id }]);
    assertError(await service.post('/v1/contacts', body, key), 409, 'CONFLICT');
  });

  it('Concurrent batches with the same numbers in any order all succeed, without a conflict', async () => {
    const numbers = Array.from({ length: 40 }, newPhone);
    const known = await Promise.all(Array.from({ length: 10 }, () => makeContact(service)));
    const all = [...numbers, ...known.map(({ phone_number }) => phone_number)];
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) => {
        const order = at % 2 ? all : all.toReversed();
        return post(order.map((phone_number) => ({ op: 'upsert', phone_number, tags: [`${at}`] })));
      }),
    );
    const datas = replies.map(({ status, body, text }) => {
      assert.equal(status, 200, text);
      return body.data;
    });
    assert.equal(
      datas.reduce((sum, { created }) => sum + created, 0),
      numbers.length,
    );
    assert.equal(
      datas.reduce((sum, { failed }) => sum + failed, 0),
      0,
    );
    await assertCounts();
  });

  it('A batch neither sees nor changes contacts of another workspace', async () => {
    const storage = await openTestStorage(service.database);
    const { key } = await makeWorkspace(storage);
    await storage.close();
    const hidden = await makeContact(service, { first_name: 'Hidden' });
    const before = await getContact(service, hidden.id);
    const operations = (id: string) => [
      { op: 'update', id, notes: 'stolen' },
      { op: 'delete', id },
      { op: 'update', id, phone_number: '+12025550188', confirm_phone_change: true },
    ];
    const theirs = await run(operations(hidden.id), {}, { key });
    const unknown = await run(operations(UNKNOWN), {}, { key });
    assert.deepEqual(theirs, unknown);
    assert.equal(theirs.failed, 3);
    const data = await run(
      [
        { op: 'update', phone_number: hidden.phone_number, notes: 'stolen' },
        { op: 'upsert', phone_number: hidden.phone_number, notes: 'mine' },
      ],
      {},
      { key },
    );
    assert.deepEqual(statuses(data), ['failed', 'created']);
    assert.deepEqual(await getContact(service, hidden.id), before);
    await assertRejected(service, 401, 'UNAUTHORIZED', () =>
      post([{ op: 'delete', id: hidden.id }], {}, { key: 'rk_wrong' }),
    );
  });
});
