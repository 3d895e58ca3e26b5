import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type Json, type Reply, startTestService, type TestService } from '../kit/service/test-service.ts';

/** Concurrent calls, distributed among the instances of the service. */
type Concurrently = (
  count: number,
  call: (service: TestService, at: number) => Promise<Reply>,
) => Promise<Reply[]>;

const statuses = (replies: readonly Reply[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const withStatus = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status);

const only = <T>(values: readonly T[]): T => {
  assert.equal(values.length, 1);
  return values[0] as T;
};

/** Asserts that all others get a conflict with the contact that was created. */
const assertConflicts = (losers: readonly Reply[], id: string) => {
  for (const { body } of losers) {
    assert.equal(body.error.code, 'CONFLICT');
    assert.deepEqual(body.error.details, { existing_contact_id: id });
  }
};

const totalOf = async (service: TestService, query = ''): Promise<number> =>
  (await service.get(`/v1/contacts?limit=1${query}`)).body.pagination.total;

/** All listed contacts with this number. */
const contactsWithPhone = async (service: TestService, phone: string): Promise<Json[]> =>
  (await service.get(`/v1/contacts?search=${encodeURIComponent(phone)}`)).body.data;

const suite = (service: TestService, concurrently: Concurrently) => {
  it('Of 20 creates of one number one succeeds, and nineteen name its contact', async () => {
    const before = await totalOf(service);
    const phone_number = newPhone();
    const replies = await concurrently(20, (each, at) =>
      each.post('/v1/contacts', { phone_number, first_name: `${at}` }),
    );
    assert.deepEqual(statuses(replies), { 201: 1, 409: 19 });
    const winner = only(withStatus(replies, 201)).body.data;
    assertConflicts(withStatus(replies, 409), winner.id);
    assert.equal(await totalOf(service), before + 1);
    const { crm_ids, first_contact_at, last_contact_at, ...stored } = (
      await service.get(`/v1/contacts/${winner.id}`)
    ).body.data;
    assert.deepEqual(stored, winner);
    assert.deepEqual(crm_ids, {});
    assert.deepEqual([first_contact_at, last_contact_at], [winner.created_at, winner.created_at]);
  });

  it('Each of many concurrent creates, refused ones among them, has its own outcome, event and audit entry', async () => {
    const [shared, key] = [newPhone(), randomUUID()];
    const replies = await concurrently(30, (each, at) => {
      const phone_number = at % 5 === 0 ? shared : at % 5 === 1 ? 'no number' : newPhone();
      const body = { phone_number, first_name: `${at}` };
      return each.post('/v1/contacts', body, at % 5 === 2 ? withIdempotencyKey(`${key} ${at}`) : {});
    });
    assert.deepEqual(statuses(replies), { 201: 19, 400: 6, 409: 5 });
    const firsts = replies.flatMap(({ status, body }, at) =>
      status === 201 ? [[`${at}`, body.data.first_name]] : [],
    );
    for (const [asked, got] of firsts) assert.equal(got, asked);
    const created = withStatus(replies, 201).map(({ body, headers }) => [
      body.data.id,
      headers.get('x-request-id'),
    ]);
    for (const [table, column] of [
      ['audit_entries', 'action'],
      ['events', 'type'],
    ] as const) {
      const rows = await service.database.query(
        `select subject, request_id from ${table} where ${column} = 'contact.created'`,
      );
      const requests = new Map(rows.map(({ subject, request_id }) => [subject, request_id]));
      for (const [id, request] of created) assert.equal(requests.get(id), request, table);
      assert.equal(new Set(requests.keys()).size, rows.length, table);
      for (const { headers } of [...withStatus(replies, 400), ...withStatus(replies, 409)])
        assert.ok(!rows.some(({ request_id }) => request_id === headers.get('x-request-id')), table);
    }
  });

  it('Of 20 updates of different contacts to one number one succeeds, and the others change nothing', async () => {
    const contacts = await Promise.all(Array.from({ length: 20 }, () => makeContact(service)));
    const phone_number = newPhone();
    const replies = await concurrently(20, (each, at) =>
      each.patch(`/v1/contacts/${contacts[at].id}`, { phone_number, notes: 'changed' }),
    );
    assert.deepEqual(statuses(replies), { 200: 1, 409: 19 });
    const winner = only(withStatus(replies, 200)).body.data;
    assertConflicts(withStatus(replies, 409), winner.id);
    for (const contact of contacts) {
      const { data } = (await service.get(`/v1/contacts/${contact.id}`)).body;
      if (contact.id === winner.id) assert.equal(data.phone_number, phone_number);
      else {
        assert.equal(data.phone_number, contact.phone_number);
        assert.equal(data.notes, null);
        assert.equal(data.updated_at, contact.updated_at);
      }
    }
  });

  it('Two contacts that swap numbers concurrently never share a number', async () => {
    const [one, two] = [await makeContact(service), await makeContact(service)];
    const replies = await concurrently(20, (each, at) => {
      const [contact, other] = at % 2 ? [one, two] : [two, one];
      return each.patch(`/v1/contacts/${contact.id}`, { phone_number: other.phone_number });
    });
    assert.deepEqual(statuses(replies), { 409: 20 });
  });

  it('A number that is created, reassigned and deleted concurrently has at most one contact', async () => {
    for (let round = 0; round < 5; round++) {
      const phone_number = newPhone();
      const [owner, other] = [await makeContact(service, { phone_number }), await makeContact(service)];
      const replies = await concurrently(21, (each, at) => {
        if (at % 3 === 0) return each.post('/v1/contacts', { phone_number });
        if (at % 3 === 1) return each.patch(`/v1/contacts/${other.id}`, { phone_number });
        return each.delete(`/v1/contacts/${owner.id}`);
      });
      const [creates, updates, deletes] = [0, 1, 2].map((kind) => replies.filter((_, at) => at % 3 === kind));
      assert.deepEqual(statuses(deletes as Reply[]), { 200: 1, 404: 6 });
      const created = withStatus(creates as Reply[], 201);
      const updated = withStatus(updates as Reply[], 200);
      assert.ok(created.length <= 1);
      // After the first successful update, the other updates change nothing.
      assert.ok(created.length === 0 || updated.length === 0);
      const rejected = [...(creates as Reply[]), ...(updates as Reply[])].filter(
        ({ status }) => status >= 400,
      );
      assert.deepEqual(Object.keys(statuses(rejected)), rejected.length > 0 ? ['409'] : []);
      const contacts = await contactsWithPhone(service, phone_number);
      const expected = created[0]?.body.data.id ?? (updated.length > 0 ? other.id : undefined);
      assert.deepEqual(
        contacts.map(({ id }) => id),
        expected === undefined ? [] : [expected],
      );
      for (const { body } of rejected) {
        assert.ok(
          [owner.id, expected].includes(body.error.details?.existing_contact_id),
          JSON.stringify(body),
        );
      }
    }
  });

  it("20 updates of one agent's instructions create versions v2 to v21 without a gap", async () => {
    const agent = await makeAgent(service);
    const replies = await concurrently(20, (each, at) =>
      each.patch(`/v1/agents/${agent.id}`, { instructions: `text ${at}` }),
    );
    assert.deepEqual(statuses(replies), { 200: 20 });
    const { versions, updated_at } = (await service.get(`/v1/agents/${agent.id}`)).body.data;
    assert.deepEqual(
      versions.map(({ version_label }: Json) => version_label),
      Array.from({ length: 21 }, (_, at) => `v${21 - at}`),
    );
    assert.equal(new Set(versions.map(({ id }: Json) => id)).size, 21);
    const times = replies.map(({ body }) => body.data.updated_at).sort();
    assert.equal(new Set([agent.updated_at, ...times]).size, 21);
    assert.equal(times[0] > agent.updated_at, true);
    assert.equal(times.at(-1), updated_at);
    const texts = await service.database.query(
      'select number, instructions from agent_versions where agent_id = ? order by number',
      agent.id,
    );
    assert.deepEqual(
      texts.map(({ instructions }) => instructions).sort(),
      ['Be kind.', ...Array.from({ length: 20 }, (_, at) => `text ${at}`)].sort(),
    );
    assert.deepEqual(
      texts.map(({ number }) => Number(number)),
      Array.from({ length: 21 }, (_, at) => at + 1),
    );
  });

  it('20 updates of one contact all apply, each with its own updated_at', async () => {
    const contact = await makeContact(service, { tags: ['start'] });
    const fields = ['first_name', 'last_name', 'display_name', 'company', 'notes'];
    const replies = await concurrently(20, (each, at) =>
      each.patch(`/v1/contacts/${contact.id}`, { [fields[at % 5] as string]: `value ${at}` }),
    );
    assert.deepEqual(statuses(replies), { 200: 20 });
    const inOrder = replies
      .map(({ body }, at) => ({ at, data: body.data }))
      .sort((one, other) => (one.data.updated_at < other.data.updated_at ? -1 : 1));
    // In the order of updated_at, every response equals the previous one plus its own change.
    let expected: Json = {
      ...contact,
      first_contact_at: contact.created_at,
      last_contact_at: contact.created_at,
    };
    for (const { at, data } of inOrder) {
      assert.ok(data.updated_at > expected.updated_at);
      expected = { ...expected, [fields[at % 5] as string]: `value ${at}`, updated_at: data.updated_at };
      assert.deepEqual(data, expected);
    }
    assert.deepEqual((await service.get(`/v1/contacts/${contact.id}`)).body.data, {
      ...expected,
      crm_ids: {},
    });
  });

  it("After 20 updates of a contact's tags, exactly the tags of the last are found", async () => {
    const contact = await makeContact(service);
    const sets = Array.from({ length: 20 }, (_, at) => [`set ${at % 4}`, `every ${at % 2}`, `${at % 3}`]);
    const replies = await concurrently(20, (each, at) =>
      each.patch(`/v1/contacts/${contact.id}`, { tags: sets[at] }),
    );
    assert.deepEqual(statuses(replies), { 200: 20 });
    const { tags } = (await service.get(`/v1/contacts/${contact.id}`)).body.data;
    const last = replies.reduce((one, other) =>
      one.body.data.updated_at > other.body.data.updated_at ? one : other,
    );
    assert.deepEqual(tags, last.body.data.tags);
    for (const tag of new Set(sets.flat())) {
      const { data, pagination } = (await service.get(`/v1/contacts?tag=${tag}`)).body;
      assert.equal(data.length, tags.includes(tag) ? 1 : 0);
      assert.equal(pagination.total, data.length);
    }
  });

  it('After 50 creates with shared tags, the totals are exact', async () => {
    const before = await totalOf(service);
    const replies = await concurrently(50, (each, at) =>
      each.post('/v1/contacts', {
        phone_number: newPhone(),
        tags: ['shared', at % 2 ? 'odd' : 'even', `one of ten ${at % 10}`],
      }),
    );
    assert.deepEqual(statuses(replies), { 201: 50 });
    assert.equal(new Set(replies.map(({ body }) => body.data.id)).size, 50);
    assert.equal(await totalOf(service), before + 50);
    assert.equal(await totalOf(service, '&tag=shared'), 50);
    assert.equal(await totalOf(service, '&tag=odd'), 25);
    assert.equal(await totalOf(service, '&tag=even'), 25);
    assert.equal(await totalOf(service, '&tag=one of ten 3'), 5);
    const listed = (await service.get('/v1/contacts?tag=shared&limit=100')).body.data;
    assert.deepEqual(listed.map(({ id }: Json) => id).sort(), replies.map(({ body }) => body.data.id).sort());
    const deletes = await concurrently(50, (each, at) =>
      each.delete(`/v1/contacts/${replies[at]?.body.data.id}`),
    );
    assert.deepEqual(statuses(deletes), { 200: 50 });
    assert.equal(await totalOf(service), before);
    assert.equal(await totalOf(service, '&tag=shared'), 0);
  });

  it('Of 20 deletes of one contact, exactly one succeeds', async () => {
    const before = await totalOf(service);
    const contact = await makeContact(service, { tags: ['once'] });
    const replies = await concurrently(20, (each) => each.delete(`/v1/contacts/${contact.id}`));
    assert.deepEqual(statuses(replies), { 200: 1, 404: 19 });
    assert.equal(await totalOf(service), before);
    assert.equal(await totalOf(service, '&tag=once'), 0);
  });

  it('Of 20 deletes of one agent, exactly one succeeds', async () => {
    const total = async () => (await service.get('/v1/agents')).body.pagination.total;
    const before = await total();
    const agent = await makeAgent(service);
    const replies = await concurrently(20, (each) => each.delete(`/v1/agents/${agent.id}`));
    assert.deepEqual(statuses(replies), { 200: 1, 404: 19 });
    assert.equal(await total(), before);
  });

  it('Concurrent updates and a delete of a contact leave nothing of it', async () => {
    const contact = await makeContact(service, { tags: ['early'] });
    const replies = await concurrently(21, (each, at) =>
      at === 10
        ? each.delete(`/v1/contacts/${contact.id}`)
        : each.patch(`/v1/contacts/${contact.id}`, { tags: ['late'], first_name: 'Latecomer' }),
    );
    assert.equal(replies[10]?.status, 200);
    for (const { status } of replies) assert.ok(status === 200 || status === 404, `${status}`);
    assert.equal((await service.get(`/v1/contacts/${contact.id}`)).status, 404);
    assert.equal(await totalOf(service, '&tag=late'), 0);
    assert.equal(await totalOf(service, '&tag=early'), 0);
    assert.equal(await totalOf(service, '&search=Latecomer'), 0);
  });
};

const onInstances = (title: string, create: () => Promise<TestDatabase>, count: number) => {
  describe(`Concurrent calls ${title}`, () => {
    const first = {} as TestService;
    const instances = [first];
    before(async () => {
      const database = await create();
      Object.assign(first, await startTestService(database));
      while (instances.length < count) instances.push(await startTestService(database));
    });
    after(async () => {
      for (const instance of instances) await instance.stop?.();
      await first.database?.drop();
    });
    suite(first, (calls, call) =>
      Promise.all(
        Array.from({ length: calls }, (_, at) => call(instances[at % instances.length] as TestService, at)),
      ),
    );
  });
};

onInstances('on sqlite', engines.sqlite, 1);
onInstances('on postgres', engines.postgres, 1);
onInstances('on postgres, two instances sharing the load', engines.postgres, 2);
