import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countContacts, listContactIds, listContacts } from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Contact list by tag', (service) => {
  test('A tag filter returns only contacts with exactly this tag', async () => {
    const tags = ['vip', 'VIP', 'Vip', ' vip', 'vip ', 'vi', 'vip2', 'ｖｉｐ', 'v%p', 'v_p', '%', '_', '*'];
    const accents = ['é', 'e\u0301', 'e', 'ss', 'ß'];
    const odd = [
      '"',
      "'",
      '\\',
      'a,b',
      'a&b=c',
      '#',
      '+',
      '😀',
      '\n',
      '["vip"]',
      'contacts',
      'contacts:vip',
      'null',
    ];
    const made = new Map<string, string>();
    for (const tag of [...tags, ...accents, ...odd]) {
      made.set(tag, (await makeContact(service, { tags: ['common', tag] })).id);
    }
    for (const [tag, id] of made)
      assert.deepEqual(await listContactIds(service, { tag }), [id], JSON.stringify(tag));
    assert.deepEqual(await listContactIds(service, { tag: 'common' }), [...made.values()].reverse());
  });

  test('A tag that no contact has returns an empty list', async () => {
    for (const tag of ['nobody', 'commo', 'COMMON', 'x'.repeat(65), 'x'.repeat(2000)]) {
      const { data, pagination } = await listContacts(service, { tag });
      assert.deepEqual(data, []);
      assert.deepEqual(pagination, { total: 0, limit: 20, offset: 0, has_more: false });
    }
  });

  test('A plus in the tag parameter is read as a space', async () => {
    const { id } = await makeContact(service, { tags: ['two words'] });
    const { body } = await service.get('/v1/contacts?tag=two+words');
    assert.deepEqual(
      body.data.map((contact: { id: string }) => contact.id),
      [id],
    );
  });

  test('A tag list paginates like the whole list', async () => {
    const made: string[] = [];
    for (let at = 0; at < 5; at++) {
      made.unshift((await makeContact(service, { tags: ['paged'] })).id);
      await makeContact(service, { tags: ['between'] });
    }
    for (const [offset, ids, has_more] of [
      [0, made.slice(0, 2), true],
      [2, made.slice(2, 4), true],
      [3, made.slice(3), false],
      [4, made.slice(4), false],
      [5, [], false],
      [5000, [], false],
    ] as const) {
      const { data, pagination } = await listContacts(service, { tag: 'paged', limit: 2, offset });
      assert.deepEqual(
        data.map(({ id }) => id),
        ids,
      );
      assert.deepEqual(pagination, { total: 5, limit: 2, offset, has_more });
    }
  });

  test('An empty tag parameter counts as missing', async () => {
    const total = await countContacts(service);
    assert.ok(total > 0);
    for (const query of ['tag=', 'tag', 'tag=&search=', 'search', 'search=&limit=1', '&']) {
      const { status, body } = await service.get(`/v1/contacts?${query}`);
      assert.equal(status, 200);
      assert.equal(body.pagination.total, total, query);
    }
  });

  test('A tag list reflects an update, which replaces all tags', async () => {
    const { id } = await makeContact(service, { tags: ['old', 'kept'] });
    const newer = await makeContact(service, { tags: ['kept', 'new'] });
    const { body } = await service.patch(`/v1/contacts/${id}`, { tags: ['new', 'kept'] });
    assert.deepEqual(body.data.tags, ['new', 'kept']);
    assert.deepEqual(await listContactIds(service, { tag: 'old' }), []);
    assert.deepEqual(await listContactIds(service, { tag: 'kept' }), [newer.id, id]);
    assert.deepEqual(await listContactIds(service, { tag: 'new' }), [newer.id, id]);
  });

  test('A tag and a search return the contacts that match both', async () => {
    const [both, ,] = [
      await makeContact(service, { first_name: 'Quentin', tags: ['team'] }),
      await makeContact(service, { first_name: 'Quentin', tags: ['Team'] }),
      await makeContact(service, { first_name: 'Rosalind', tags: ['team'] }),
    ];
    const later = await makeContact(service, { email: 'quentin@example.com', tags: ['x', 'team'] });
    for (const search of ['quentin', 'que', 'qu', 'QUENT']) {
      assert.deepEqual(await listContactIds(service, { search, tag: 'team' }), [later.id, both.id], search);
    }
    assert.deepEqual(await listContactIds(service, { search: 'quentin', tag: 'teams' }), []);
    assert.deepEqual(await listContactIds(service, { search: 'nobody', tag: 'team' }), []);
    assert.deepEqual(await listContactIds(service, { search: '', tag: 'Team' }), [
      (await listContacts(service, { search: 'quentin', tag: 'Team' })).data[0].id,
    ]);
    const page = await listContacts(service, { search: 'quentin', tag: 'team', limit: 1 });
    assert.deepEqual(page.pagination, { total: 2, limit: 1, offset: 0, has_more: true });
    assert.equal(page.data[0].id, later.id);
    const last = await listContacts(service, { search: 'quentin', tag: 'team', limit: 1, offset: 1 });
    assert.deepEqual(last.pagination, { total: 2, limit: 1, offset: 1, has_more: false });
    assert.equal(last.data[0].id, both.id);
  });
});
