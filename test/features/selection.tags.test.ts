import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Tags of a workspace', (service) => {
  let owner: CheckedUser;
  let first: Json;
  const list = async (query = '') => {
    const { data, pagination } = (await owner.call('GET', `/tags${query}`)).body;
    return { tags: data.map(({ tag, count }: Json) => `${tag} ${count}`), pagination };
  };
  const make = (tags: string[]) =>
    owner.request('POST', '/contacts', { phone_number: newPhone(), tags }, 201);
  before(async () => {
    ({ owner } = await makeOtherWorkspace(service));
    const { owner: other } = await makeOtherWorkspace(service);
    await other.request('POST', '/contacts', { phone_number: newPhone(), tags: ['theirs', 'b'] }, 201);
  });

  test('A workspace without tagged contacts has no tags', async () => {
    assert.deepEqual(await list(), {
      tags: [],
      pagination: { total: 0, limit: 20, offset: 0, has_more: false },
    });
  });

  test('Tags are listed most used first, then alphabetically, in pages', async () => {
    first = await make(['b', 'Café', 'contacts:x', '@day/api']);
    // On PostgreSQL, each connection has its own counter row.
    await Promise.all(Array.from({ length: 6 }, () => make(['b', 'a'])));
    await make(['café crème', '100 %', "o'", '_']);
    const all = await list();
    assert.deepEqual(all.tags, [
      'b 7',
      'a 6',
      '100 % 1',
      '@day/api 1',
      'Café 1',
      '_ 1',
      'café crème 1',
      'contacts:x 1',
      "o' 1",
    ]);
    assert.equal(all.pagination.total, 9);
    const page = await list('?limit=2&offset=1');
    assert.deepEqual(page.tags, ['a 6', '100 % 1']);
    assert.deepEqual(page.pagination, { total: 9, limit: 2, offset: 1, has_more: true });
    assert.deepEqual((await list('?offset=50')).tags, []);
  });

  test('Tags are sorted by name or count, and similar ones are found', async () => {
    assert.deepEqual((await list('?sort=name&limit=3')).tags, ['100 % 1', '@day/api 1', '_ 1']);
    assert.deepEqual((await list('?sort=-name&limit=2')).tags, ["o' 1", 'contacts:x 1']);
    assert.deepEqual((await list('?sort=-count&limit=2')).tags, ['b 7', 'a 6']);
    assert.equal((await list('?sort=count')).tags.at(-1), 'b 7');
    assert.deepEqual((await list('?similar=true')).tags, []);
    const { id } = await make(['B', 'cafe']);
    const similar = await list('?similar=true');
    assert.deepEqual(similar.tags, ['B 1', 'b 7', 'Café 1', 'cafe 1']);
    assert.equal(similar.pagination.total, 4);
    await owner.request('DELETE', `/contacts/${id}`);
  });

  test('Tags are found by a substring, ignoring case and accents', async () => {
    assert.deepEqual((await list('?search=CAFE')).tags, ['Café 1', 'café crème 1']);
    assert.deepEqual((await list('?search=caf%C3%A9%20c')).tags, ['café crème 1']);
    assert.deepEqual((await list('?search=%25')).tags, ['100 % 1']);
    assert.deepEqual((await list('?search=_')).tags, ['_ 1']);
    assert.deepEqual((await list('?search=theirs')).tags, []);
    const page = await list('?search=a&limit=1&offset=1');
    assert.deepEqual([page.tags.length, page.pagination.total], [1, 5]);
    assert.deepEqual((await list('?search=')).pagination.total, 9);
    for (const query of ['limit=0', 'offset=x', 'tag=a', `search=${'x'.repeat(65)}`]) {
      assertInvalid(await owner.call('GET', `/tags?${query}`), query.split('=')[0] as string);
    }
  });

  test('A tag disappears with the last contact that has it', async () => {
    await owner.request('PATCH', `/contacts/${first.id}`, { tags: ['b'] });
    assert.deepEqual((await list('?search=contacts')).tags, []);
    assert.deepEqual((await list()).tags.slice(0, 2), ['b 7', 'a 6']);
    await owner.request('DELETE', `/contacts/${first.id}`);
    assert.equal((await list()).tags[0], 'a 6');
  });
});
