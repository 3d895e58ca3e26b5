import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertFieldsRejected,
  getContact,
  keysOf,
  LISTED_KEYS,
  listContactIds,
} from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { rewriteContact } from '../kit/fixtures/legacy-contacts.ts';
import { TIMESTAMP } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const profile = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  display_name: 'Countess',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  notes: 'Prefers letters.',
  tags: ['vip', 'science'],
};
const texts = ['first_name', 'last_name', 'display_name', 'email', 'company', 'notes'] as const;

onEveryEngine('Contact updates', (service) => {
  const make = async () => getContact(service, (await makeContact(service, profile)).id);
  const update = async (id: string, fields: object): Promise<Json> => {
    const reply = await service.patch(`/v1/contacts/${id}`, fields);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  /** Asserts that an update changes exactly the expected fields and `updated_at`. */
  const changes = async (before: Json, sent: object, expected: object) => {
    const answered = await update(before.id, sent);
    const { crm_ids, ...after } = await getContact(service, before.id);
    assert.deepEqual(answered, after);
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual({ crm_ids, ...after }, { ...before, ...expected, updated_at: after.updated_at });
  };

  test('Updating a contact returns 200 with exactly the fields of a listed contact under both prefixes', async () => {
    const { id } = await make();
    for (const prefix of ['/v1', '/api/v1']) {
      const { status, body, headers } = await service.patch(`${prefix}/contacts/${id}`, { notes: prefix });
      assert.equal(status, 200);
      assert.equal(headers.get('location'), null);
      assert.deepEqual(keysOf(body), ['data', 'success']);
      assert.equal(body.success, true);
      assert.deepEqual(keysOf(body.data), LISTED_KEYS);
      assert.equal(body.data.notes, prefix);
    }
  });

  test('Updating a contact changes the sent fields and leaves the others', async () => {
    for (const field of texts.filter((name) => name !== 'email')) {
      await changes(await make(), { [field]: `New ${field}` }, { [field]: `New ${field}` });
    }
    await changes(await make(), { email: 'new@example.com' }, { email: 'new@example.com' });
    await changes(await make(), { tags: ['new'] }, { tags: ['new'] });
    const phone_number = newPhone();
    await changes(await make(), { phone_number }, { phone_number });
    const all = { ...profile, first_name: 'Eve', tags: [], phone_number: newPhone() };
    await changes(await make(), all, all);
  });

  test('Null clears a text, and an empty text stays empty', async () => {
    const before = await make();
    for (const field of texts)
      await changes(await getContact(service, before.id), { [field]: null }, { [field]: null });
    const cleared = await getContact(service, before.id);
    for (const field of texts) assert.equal(cleared[field], null);
    assert.deepEqual(cleared.tags, profile.tags);
    for (const field of texts.filter((name) => name !== 'email')) {
      await changes(await getContact(service, before.id), { [field]: '' }, { [field]: '' });
    }
  });

  test('An update replaces all tags; an empty list clears them', async () => {
    await changes(
      await make(),
      { tags: ['science', 'new', 'vip', 'new'] },
      { tags: ['science', 'new', 'vip'] },
    );
    await changes(await make(), { tags: [] }, { tags: [] });
  });

  test('An update rejects null for the phone number, the tags and the flag', async () => {
    const { id } = await make();
    for (const field of ['phone_number', 'tags', 'confirm_phone_change']) {
      await assertFieldsRejected(service, [field], () =>
        service.patch(`/v1/contacts/${id}`, { first_name: 'Eve', [field]: null }),
      );
    }
  });

  test('An update without fields is accepted and advances updated_at', async () => {
    await changes(await make(), {}, {});
    const before = await make();
    await changes(before, { first_name: before.first_name }, {});
  });

  test('Updating a contact ignores read-only fields', async () => {
    const owned = {
      id: 'contact_01h455vb4pex5vsknk084sn02q',
      source: 'manual',
      first_contact_at: '2001-01-01T00:00:00.000Z',
      last_contact_at: null,
      created_at: '2001-01-01T00:00:00.000Z',
      updated_at: '2001-01-01T00:00:00.000Z',
      crm_ids: { hubspot: '7' },
    };
    await changes(await make(), owned, {});
    await changes(await make(), { ...owned, notes: 'New.' }, { notes: 'New.' });
  });

  test('A contact can be sent back as it was read', async () => {
    const full = await make();
    await changes(full, full, {});
    const bare = await getContact(service, (await makeContact(service)).id);
    await changes(bare, bare, {});
  });

  test('Updating a contact rejects unknown fields by name and changes nothing', async () => {
    const { id } = await make();
    const assertRejectedWith = (fields: object, names: string[]) =>
      assertFieldsRejected(service, names, () => service.patch(`/v1/contacts/${id}`, fields));
    await assertRejectedWith({ first_name: 'Eve', fist_name: 'Eve' }, ['fist_name']);
    await assertRejectedWith({ workspace_id: 2, seq: 1, wire: '{}' }, ['workspace_id', 'seq', 'wire']);
    await assertRejectedWith({ phone_identity: '+19075550100' }, ['phone_identity']);
    await assertRejectedWith({ phone_conflict: 1 }, ['phone_conflict']);
    await assertRejectedWith({ deployed_version: null }, ['deployed_version']);
    await assertRejectedWith({ '': 1 }, ['']);
  });

  test('An update with one invalid field changes nothing', async () => {
    const { id } = await make();
    const patch = (fields: object) => () => service.patch(`/v1/contacts/${id}`, fields);
    await assertFieldsRejected(
      service,
      ['email'],
      patch({ first_name: 'Mallory', tags: ['half'], email: 'eve' }),
    );
    await assertFieldsRejected(service, ['tags[0]'], patch({ first_name: 'Mallory', tags: [''] }));
    await assertFieldsRejected(service, ['phone_number'], patch({ tags: ['half'], phone_number: '555' }));
    await assertFieldsRejected(
      service,
      ['confirm_phone_change'],
      patch({ notes: 'x', confirm_phone_change: 'true' }),
    );
    await assertFieldsRejected(
      service,
      ['confirm_phone_change'],
      patch({ notes: 'x', confirm_phone_change: 1 }),
    );
    assert.deepEqual(await listContactIds(service, { tag: 'half' }), []);
    assert.deepEqual(await listContactIds(service, { search: 'mallory' }), []);
  });

  test('The updated_at of a contact increases with each update, even within one millisecond', async () => {
    const before = await make();
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, at) => service.patch(`/v1/contacts/${before.id}`, { notes: `${at}` })),
    );
    const moments = replies.map(({ status, body }) => {
      assert.equal(status, 200);
      assert.match(body.data.updated_at, TIMESTAMP);
      return body.data.updated_at as string;
    });
    assert.equal(new Set([before.updated_at, ...moments]).size, 31);
    const last = moments.toSorted().at(-1);
    assert.ok(moments.every((moment) => moment > before.updated_at));
    const after = await getContact(service, before.id);
    assert.equal(after.updated_at, last);
    const winner = replies.find(({ body }) => body.data.updated_at === last);
    assert.equal(after.notes, winner?.body.data.notes);
    assert.equal(after.created_at, before.created_at);
  });

  test('The updated_at of a contact increases even if the clock stepped back', async () => {
    const { id } = await make();
    await rewriteContact(service, id, { updated_at: '2999-12-31T23:59:59.998Z' });
    assert.equal((await getContact(service, id)).updated_at, '2999-12-31T23:59:59.998Z');
    assert.equal((await update(id, {})).updated_at, '2999-12-31T23:59:59.999Z');
    assert.equal((await update(id, { notes: 'x' })).updated_at, '3000-01-01T00:00:00.000Z');
    assert.equal((await getContact(service, id)).updated_at, '3000-01-01T00:00:00.000Z');
  });

  test('Concurrent updates of different fields lose none of them', async () => {
    const { id } = await makeContact(service);
    const sent = { ...profile, phone_number: newPhone() };
    await Promise.all(Object.entries(sent).map(([field, value]) => update(id, { [field]: value })));
    assert.partialDeepStrictEqual(await getContact(service, id), sent);
  });
});
