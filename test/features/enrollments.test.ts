import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { KeyScope } from '../../src/lib/scopes.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, TIMESTAMP } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const NOTHING = 'contact_01h455vb4pex5vsknk084sn02q';
const uuidOf = (id: string): string => {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const bits = [...id.slice('contact_'.length)].reduce(
    (sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)),
    0n,
  );
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

onEveryEngine('Enrollments', (service) => {
  let owner: CheckedUser;
  let agent: Json;
  const campaign = async (name = 'Spring'): Promise<Json> =>
    owner.request('POST', '/campaigns', { name, agent_id: agent.id }, 201);
  const enroll = (id: string, selection: object) =>
    owner.request('POST', `/campaigns/${id}/enrollments`, selection);
  const listed = async (id: string, query = '') =>
    (await owner.call('GET', `/campaigns/${id}/enrollments${query}`)).body;
  const idsOf = async (id: string): Promise<string[]> =>
    (await listed(id, '?limit=100')).data.map((each: Json) => each.contact_id).sort();
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    agent = await makeAgent(service);
  });

  test('Enrolling by id enrolls each contact once and names unknown ids', async () => {
    const { id } = await campaign();
    const [one, two] = [await makeContact(service), await makeContact(service)];
    const unknown = [NOTHING, 'nobody', '01890a5d-ac96-774b-bcce-b302099a8057'];
    assert.deepEqual(await enroll(id, { contact_ids: [one.id, unknown[0], one.id, two.id, ...unknown] }), {
      enrolled: 2,
      already_enrolled: 0,
      not_found: unknown,
    });
    assert.deepEqual(await enroll(id, { contact_ids: [two.id, one.id] }), {
      enrolled: 0,
      already_enrolled: 2,
      not_found: [],
    });
    const third = await makeContact(service);
    assert.deepEqual(await enroll(id, { contact_ids: [one.id, uuidOf(third.id), third.id, 'x'] }), {
      enrolled: 1,
      already_enrolled: 1,
      not_found: ['x'],
    });
    assert.deepEqual(await idsOf(id), [one.id, two.id, third.id].sort());
    assert.deepEqual(await enroll(id, { contact_ids: [] }), {
      enrolled: 0,
      already_enrolled: 0,
      not_found: [],
    });
    assert.deepEqual(
      (await owner.request('GET', `/campaigns/${id}`)).enrolled,
      enrollmentCounts({ pending: 3 }),
    );
  });

  test('Enrolling by tag enrolls exactly the contacts with that tag', async () => {
    const { id } = await campaign();
    const tagged = [
      await makeContact(service, { tags: ['vip', 'x'] }),
      await makeContact(service, { tags: ['vip'] }),
    ];
    await makeContact(service, { tags: ['VIP', 'vip2', 'x'] });
    assert.deepEqual(await enroll(id, { tag: 'vip' }), { enrolled: 2, already_enrolled: 0, not_found: [] });
    assert.deepEqual(await idsOf(id), tagged.map((each) => each.id).sort());
    await makeContact(service, { tags: ['vip'] });
    assert.deepEqual(await enroll(id, { tag: 'vip' }), { enrolled: 1, already_enrolled: 2, not_found: [] });
    assert.deepEqual(await enroll(id, { tag: 'nobody has it' }), {
      enrolled: 0,
      already_enrolled: 0,
      not_found: [],
    });
    assert.equal((await listed(id)).pagination.total, 3);
  });

  test('Enrolling by search enrolls exactly the contacts that the list finds', async () => {
    await makeContact(service, { first_name: 'Zoë', last_name: 'Quarles', email: 'zq@example.com' });
    await makeContact(service, { display_name: 'zoe quarles' });
    await makeContact(service, { last_name: '100%_Quarles' });
    await makeContact(service, { notes: 'Zoë Quarles' });
    for (const search of ['ZOE QUARLES', 'quarles', '%_q', 'zq@', 'q', '5550', 'no such person', "o'q"]) {
      const found = (await service.get(`/v1/contacts?limit=100&search=${encodeURIComponent(search)}`)).body;
      const { id } = await campaign(search);
      const { enrolled } = await enroll(id, { search });
      assert.equal(enrolled, found.pagination.total, search);
      assert.deepEqual(await idsOf(id), found.data.map((each: Json) => each.id).sort(), search);
    }
  });

  test('Enrolling requires exactly one of ids, contacts, tag and search', async () => {
    const { id } = await campaign();
    const { id: contact } = await makeContact(service, { tags: ['one'] });
    const post = (body: object) => owner.call('POST', `/campaigns/${id}/enrollments`, body);
    const all = { contact_ids: [contact], tag: 'one', search: '5550' };
    const { contact_ids, tag, search } = all;
    for (const body of [
      {},
      { contact_ids, tag },
      { contact_ids, search },
      { tag, search },
      all,
      { contact_ids: [], tag },
    ]) {
      const { message } = assertError(await post(body), 400, 'VALIDATION_ERROR');
      assert.match(message, /contact_ids, contacts, tag, search and filter/);
    }
    assertInvalid(await post({ tag: '' }), 'tag');
    assertInvalid(await post({ search: '' }), 'search');
    assertInvalid(await post({ tag: ['one'] }), 'tag');
    assertInvalid(await post({ contact_ids: contact }), 'contact_ids');
    assertInvalid(await post({ contact_ids: [contact, 7] }), 'contact_ids[1]');
    assertInvalid(
      await post({ contact_ids: Array.from({ length: 1_001 }, (_, at) => `${at}`) }),
      'contact_ids',
    );
    assertInvalid(await post({ contacts: contact_ids }), 'contacts[0]');
    assertInvalid(await post({ contacts: {} }), 'contacts');
    assertInvalid(await post({ people: contact_ids }), 'people');
    assert.equal((await listed(id)).pagination.total, 0);
  });

  test('More than a thousand contacts can be enrolled by tag and by search', async () => {
    for (let made = 0; made < 1_200; made += 600) {
      const operations = Array.from({ length: 600 }, (_, at) => ({
        op: 'create',
        phone_number: newPhone(),
        tags: ['many'],
        last_name: `Multitude ${made + at}`,
      }));
      await service.post('/v1/contacts/batch', { operations });
    }
    const [byTag, bySearch] = [await campaign('tag'), await campaign('search')];
    assert.deepEqual(await enroll(byTag.id, { tag: 'many' }), {
      enrolled: 1_200,
      already_enrolled: 0,
      not_found: [],
    });
    assert.deepEqual(await enroll(byTag.id, { tag: 'many' }), {
      enrolled: 0,
      already_enrolled: 1_200,
      not_found: [],
    });
    assert.equal((await enroll(bySearch.id, { search: 'multitude' })).enrolled, 1_200);
    const byKey = await campaign('idempotency key');
    const key = await createScopedKey(service.database, 'campaigns:write', 'contacts:read');
    const enrollOnce = () =>
      service.post(
        `/v1/campaigns/${byKey.id}/enrollments`,
        { tag: 'many' },
        { key, ...withIdempotencyKey('many') },
      );
    const once = await enrollOnce();
    assert.deepEqual(once.body.data, { enrolled: 1_200, already_enrolled: 0, not_found: [] });
    const again = await enrollOnce();
    assert.deepEqual([again.text, isReplay(again)], [once.text, true]);
    for (const { id } of [byTag, bySearch, byKey]) {
      const rows = await service.database.query('select * from enrollments where campaign_id = ?', id);
      assert.equal(rows.length, 1_200);
      assert.equal((await listed(id)).pagination.total, 1_200);
      assert.deepEqual(
        (await owner.request('GET', `/campaigns/${id}`)).enrolled,
        enrollmentCounts({ pending: 1_200 }),
      );
    }
  });

  test('Concurrent enrollments of one contact by id, tag and search create one enrollment', async () => {
    const { id } = await campaign();
    const contact = await makeContact(service, { tags: ['same time'] });
    const selections = [
      { contact_ids: [contact.id] },
      { tag: 'same time' },
      { search: contact.phone_number },
    ];
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, at) => enroll(id, selections[at % 3] as object)),
    );
    assert.equal(
      results.reduce((sum, { enrolled }) => sum + enrolled, 0),
      1,
    );
    assert.equal(
      results.reduce((sum, { already_enrolled }) => sum + already_enrolled, 0),
      11,
    );
    assert.equal((await listed(id)).pagination.total, 1);
  });

  test('An enrollment starts as pending and is listed by campaign and by contact', async () => {
    const [spring, autumn] = [await campaign('Spring'), await campaign('Autumn')];
    const contact = await makeContact(service);
    await enroll(spring.id, { contact_ids: [contact.id] });
    await enroll(autumn.id, { contact_ids: [contact.id] });
    const [inSpring] = (await listed(spring.id)).data;
    const { enrolled_at, updated_at, ...rest } = inSpring;
    assert.deepEqual(rest, {
      campaign_id: spring.id,
      campaign_name: 'Spring',
      campaign_status: spring.status,
      contact_id: contact.id,
      contact_name: null,
      contact_phone_number: contact.phone_number,
      status: 'pending',
      reason: null,
      attempts: 0,
      outcome: null,
      retry_at: null,
      lease_expires_at: null,
      last_attempt_at: null,
      variables: {},
    });
    assert.match(enrolled_at, TIMESTAMP);
    assert.equal(updated_at, enrolled_at);
    const [inAutumn] = (await listed(autumn.id)).data;
    for (const id of [contact.id, uuidOf(contact.id)]) {
      const of = await owner.request('GET', `/contacts/${id}/enrollments`);
      assert.deepEqual(new Set(of), new Set([inAutumn, inSpring]));
      assert.equal(of.length, 2);
    }
    const unknown = await makeContact(service);
    assert.deepEqual(await owner.request('GET', `/contacts/${unknown.id}/enrollments`), []);
    assertError(await owner.call('GET', `/contacts/${NOTHING}/enrollments`), 404, 'NOT_FOUND');
    assertError(await owner.call('GET', '/contacts/nothing/enrollments'), 404, 'NOT_FOUND');
  });

  test('Enrollments are listed in pages, each on one page', async () => {
    const { id } = await campaign();
    const contacts = await Promise.all(
      Array.from({ length: 5 }, () => makeContact(service, { tags: ['paged'] })),
    );
    await enroll(id, { tag: 'paged' });
    const pages = [
      await listed(id, '?limit=2'),
      await listed(id, '?limit=2&offset=2'),
      await listed(id, '?limit=2&offset=4'),
    ];
    assert.deepEqual(
      pages.map(({ pagination }) => pagination),
      [0, 2, 4].map((offset) => ({ total: 5, limit: 2, offset, has_more: offset < 4 })),
    );
    const seen = pages.flatMap(({ data }) => data.map((each: Json) => each.contact_id));
    assert.deepEqual(seen.sort(), contacts.map((each) => each.id).sort());
    assert.deepEqual((await listed(id, '?offset=7')).data, []);
    assertInvalid(await owner.call('GET', `/campaigns/${id}/enrollments?limit=0`), 'limit');
  });

  test('Enrollments change their status, and the campaign counts them', async () => {
    const { id } = await campaign('Counted');
    const [one, two] = [await makeContact(service), await makeContact(service)];
    await enroll(id, { contact_ids: [one.id, two.id] });
    const path = `/campaigns/${id}/enrollments/${one.id}`;
    const [, before] = (await listed(id)).data.sort((a: Json) => (a.contact_id === one.id ? 1 : -1));
    let last = before.updated_at;
    for (const status of ['in_progress', 'completed', 'failed', 'pending', 'pending', 'in_progress']) {
      const changed = await owner.request('PATCH', path, { status });
      assert.deepEqual(changed, { ...before, status, updated_at: changed.updated_at });
      assert.ok(changed.updated_at > last, `${changed.updated_at} is after ${last}`);
      last = changed.updated_at;
      const counted = (await owner.request('GET', `/campaigns/${id}`)).enrolled;
      assert.deepEqual(
        counted,
        enrollmentCounts(status === 'pending' ? { pending: 2 } : { pending: 1, [status]: 1 }),
      );
    }
    assert.equal(
      (await owner.request('PATCH', `/campaigns/${id}/enrollments/${uuidOf(one.id)}`, { status: 'failed' }))
        .contact_id,
      one.id,
    );
    const ahead = new Date(Date.now() + 60_000).toISOString();
    await service.database.query('update enrollments set updated_at = ? where contact_id = ?', ahead, one.id);
    const moved = await owner.request('PATCH', path, { status: 'failed' });
    assert.ok(moved.updated_at > ahead, 'also when the clock has stepped back');
    assertInvalid(await owner.call('PATCH', path, { status: 'done' }), 'status');
    assertInvalid(await owner.call('PATCH', path, {}), 'status');
    assert.deepEqual(await enroll(id, { contact_ids: [one.id] }), {
      enrolled: 0,
      already_enrolled: 1,
      not_found: [],
    });
    const [kept] = await owner.request('GET', `/contacts/${one.id}/enrollments`);
    assert.equal(kept.status, 'failed', 'enrolling again does not reset the status');
  });

  test('A key needs contacts:read to search enrollments by what contacts contain', async () => {
    const { id } = await campaign();
    const { id: contact } = await makeContact(service, { first_name: 'Searchable' });
    await enroll(id, { contact_ids: [contact] });
    const find = async (...scopes: KeyScope[]) =>
      service.get(`/v1/campaigns/${id}/enrollments?search=searchable`, {
        key: await createScopedKey(service.database, 'campaigns:read', ...scopes),
      });
    const { details } = assertError(await find(), 403, 'FORBIDDEN');
    assert.deepEqual(details, { required_scope: 'contacts:read' });
    assert.deepEqual(
      (await find('contacts:read')).body.data.map((each: Json) => each.contact_id),
      [contact],
    );
  });

  test('Enrollments can be removed one at a time', async () => {
    const { id } = await campaign();
    const [one, two] = [await makeContact(service), await makeContact(service)];
    await enroll(id, { contact_ids: [one.id, two.id] });
    const path = `/campaigns/${id}/enrollments/${one.id}`;
    assert.deepEqual(await owner.request('DELETE', path), { deleted: true });
    assert.deepEqual(await idsOf(id), [two.id]);
    assert.equal((await service.get(`/v1/contacts/${one.id}`)).status, 200);
    assertError(await owner.call('DELETE', path), 404, 'NOT_FOUND');
    assertError(await owner.call('PATCH', path, { status: 'failed' }), 404, 'NOT_FOUND');
    for (const unknown of [NOTHING, 'nobody']) {
      assertError(await owner.call('DELETE', `/campaigns/${id}/enrollments/${unknown}`), 404, 'NOT_FOUND');
    }
    assert.equal((await enroll(id, { contact_ids: [one.id] })).enrolled, 1);
    assert.deepEqual(await owner.request('DELETE', `/campaigns/${id}/enrollments/${uuidOf(one.id)}`), {
      deleted: true,
    });
    assert.deepEqual(await idsOf(id), [two.id]);
  });
});
