import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Saved views', (service) => {
  let owner: CheckedUser;
  let member: CheckedUser;
  const create = (user: CheckedUser, fields: Json = {}) =>
    user.request('POST', '/views', { list: 'campaigns', name: 'New', query: 'status=draft', ...fields }, 201);
  const names = async (user: CheckedUser, list = 'campaigns') =>
    ((await user.request('GET', list ? `/views?list=${list}` : '/views')) as unknown as Json[]).map(
      ({ name }) => name,
    );
  before(async () => {
    owner = await signedInOwner(service);
    member = await checkedUser(service, await signedInUser(service, 'views@example.com', 'member'));
  });

  test('A private view is visible to its creator alone, and a shared one to the workspace', async () => {
    const mine = await create(owner, { name: 'Mine' });
    const ours = await create(owner, { name: 'Ours', shared: true });
    assert.deepEqual(
      { ...mine, id: '', created_at: '', updated_at: '' },
      {
        id: '',
        list: 'campaigns',
        name: 'Mine',
        query: 'status=draft',
        shared: false,
        own: true,
        created_at: '',
        updated_at: '',
      },
    );
    assert.deepEqual(await names(owner), ['Mine', 'Ours']);
    assert.deepEqual(await names(member), ['Ours']);
    assert.deepEqual(await names(owner, 'calls'), []);
    assert.deepEqual(await names(member, ''), ['Ours']);
    assert.equal((await member.call('PATCH', `/views/${mine.id}`, { name: 'Yours' })).status, 404);
    assert.equal((await member.call('DELETE', `/views/${mine.id}`)).status, 404);
    await owner.request('DELETE', `/views/${mine.id}`);
    await owner.request('DELETE', `/views/${ours.id}`);
  });

  test('Only its creator changes a view, and an owner may delete a shared one', async () => {
    const view = await create(member, { name: 'Team', shared: true });
    const other = await owner.call('PATCH', `/views/${view.id}`, { name: 'Taken' });
    assert.equal(other.status, 403);
    const changed = await member.request('PATCH', `/views/${view.id}`, { name: 'All', query: 'sort=-name' });
    assert.deepEqual([changed.name, changed.query, changed.shared], ['All', 'sort=-name', true]);
    assert.ok(changed.updated_at > view.updated_at);
    const recorded = (await owner.call('GET', `/audit?subject=${view.id}`)).body.data;
    assert.deepEqual(recorded[0].subject, { id: view.id, name: 'All', deleted: false });
    const own = await create(member, { name: 'Only mine' });
    const [unnamed] = (await owner.call('GET', `/audit?subject=${own.id}`)).body.data;
    assert.deepEqual(unnamed.subject, { id: own.id, name: null, deleted: false });
    await member.request('DELETE', `/views/${own.id}`);
    const ours = await create(owner, { shared: true });
    assert.equal((await member.call('DELETE', `/views/${ours.id}`)).status, 403);
    await owner.request('DELETE', `/views/${view.id}`);
    await owner.request('DELETE', `/views/${ours.id}`);
    assert.equal((await member.call('DELETE', `/views/${view.id}`)).status, 404);
    const audit = (await owner.call('GET', `/audit?subject=${view.id}`)).body.data;
    assert.deepEqual(
      audit.map(({ action }: Json) => action),
      ['view.deleted', 'view.updated', 'view.created'],
    );
  });

  test('An invalid view is rejected, and a user can save a hundred', async () => {
    for (const fields of [
      { query: 'page=2' },
      { query: 'view_id=x' },
      { query: '<script>=1' },
      { query: 'a'.repeat(2_001) },
      { name: '' },
      { list: 'keys' },
      { list: 'contacts' },
    ]) {
      const reply = await owner.call('POST', '/views', {
        list: 'campaigns',
        name: 'A',
        query: '',
        ...fields,
      });
      assert.equal(reply.status, 400, JSON.stringify(fields));
    }
    const many = await checkedUser(service, await signedInUser(service, 'many@example.com', 'member'));
    for (let count = 0; count < 100; count++) await create(many);
    const reply = await many.call('POST', '/views', { list: 'campaigns', name: 'A', query: '' });
    assert.equal(reply.status, 400);
    assert.match(reply.body.error.details[0].message, /100/);
  });
});
