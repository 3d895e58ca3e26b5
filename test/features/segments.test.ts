import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { waitForBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeContacts } from '../kit/fixtures/campaigns.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const tagged = (tag: string) => ({ attribute: 'tag', op: 'eq', value: tag });

onEveryEngine('Segments', (service) => {
  let owner: CheckedUser;
  let member: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
    member = await checkedUser(service, await signedInUser(service, 'segments@example.com', 'member'));
  });
  const create = (user: CheckedUser, fields: Json = {}) =>
    user.request('POST', '/segments', { name: 'New', filter: tagged('new'), ...fields }, 201);
  const names = async (user: CheckedUser) =>
    (await user.call('GET', '/segments?limit=100')).body.data.map(({ name }: Json) => name);

  test('A private segment is visible to its creator alone, and a shared one to the workspace', async () => {
    const mine = await create(owner, { name: 'Mine', sort: '-name', columns: ['company', 'email'] });
    const ours = await create(owner, { name: 'Ours', shared: true });
    assert.deepEqual(
      { ...mine, id: '', created_at: '', updated_at: '' },
      {
        id: '',
        name: 'Mine',
        filter: tagged('new'),
        sort: '-name',
        columns: ['company', 'email'],
        shared: false,
        own: true,
        created_at: '',
        updated_at: '',
      },
    );
    assert.match(mine.id, /^segment_/);
    assert.deepEqual(await names(owner), ['Mine', 'Ours']);
    assert.deepEqual(await names(member), ['Ours']);
    for (const path of [`/segments/${mine.id}`, `/segments/${mine.id}/count`])
      assert.equal((await member.call('GET', path)).status, 404, path);
    assertError(await service.get(`/v1/contacts?segment=${mine.id}`), 404, 'NOT_FOUND');
    assert.equal((await member.request('GET', `/segments/${ours.id}`)).own, false);
    const stranger = (await makeOtherWorkspace(service)).owner;
    assert.equal((await stranger.call('GET', `/segments/${ours.id}`)).status, 404);
    await owner.request('DELETE', `/segments/${mine.id}`);
    await owner.request('DELETE', `/segments/${ours.id}`);
  });

  test('A segment whose filter names an archived field can be renamed, and problems have the path of their filter', async () => {
    await makeField(service, 'region', 'text', { filterable: true });
    const region = { attribute: 'fields.region', op: 'is_set' };
    const { id } = await create(owner, { name: 'Region', filter: region, shared: true });
    const nope = { attribute: 'fields.nope', op: 'is_set' };
    const query = new URLSearchParams({ segment: id, filter: JSON.stringify(nope) });
    for (const path of ['/v1/contacts', '/v1/contacts/export'])
      assertInvalid(await service.get(`${path}?${query}`), 'filter.attribute');
    const job = (filter: Json) => ({ action: 'delete', selection: { filter } });
    for (const [filter, field] of [
      [nope, 'selection.filter.attribute'],
      [{ tag: 'x', filter: nope }, 'selection.filter.filter.attribute'],
    ] as const)
      assertInvalid(await service.post('/v1/bulk-jobs', job(filter)), field);
    await service.database.query(`update contact_fields set archived_at = created_at where key = 'region'`);
    assertInvalid(await service.get(`/v1/contacts?segment=${id}`), 'segment.attribute');
    assert.equal((await owner.request('PATCH', `/segments/${id}`, { name: 'Regions' })).name, 'Regions');
    assertInvalid(await owner.call('PATCH', `/segments/${id}`, { filter: region }), 'filter.attribute');
    await owner.request('DELETE', `/segments/${id}`);
  });

  test('Its creator changes a segment, and owners and API keys change shared ones', async () => {
    const segment = await create(member, { name: 'Team', shared: true });
    const other = await checkedUser(service, await signedInUser(service, 'other@example.com', 'member'));
    for (const method of ['PATCH', 'DELETE'])
      assert.equal((await other.call(method, `/segments/${segment.id}`, { name: 'Taken' })).status, 403);
    const hidden = await owner.call('PATCH', `/segments/${segment.id}`, { shared: false });
    assert.equal(hidden.status, 403);
    const changed = await owner.request('PATCH', `/segments/${segment.id}`, { name: 'All', sort: 'name' });
    assert.deepEqual([changed.name, changed.sort, changed.filter], ['All', 'name', tagged('new')]);
    assert.ok(changed.updated_at > segment.updated_at);
    const byKey = await service.patch(`/v1/segments/${segment.id}`, { sort: null });
    assert.equal(byKey.body.data.sort, null);
    await owner.request('DELETE', `/segments/${segment.id}`);
    const audit = (await owner.call('GET', `/audit?subject=${segment.id}`)).body.data;
    assert.deepEqual(
      audit.map(({ action, fields }: Json) => [action, fields]),
      [
        ['segment.deleted', null],
        ['segment.updated', ['sort']],
        ['segment.updated', ['name', 'sort']],
        ['segment.created', null],
      ],
    );
  });

  test('A segment of an API key is shared', async () => {
    const { id, shared } = (await service.post('/v1/segments', { name: 'Key', filter: tagged('new') })).body
      .data;
    assert.equal(shared, true);
    assert.ok((await names(member)).includes('Key'));
    const body = { name: 'Key', filter: tagged('new'), shared: false };
    assertInvalid(await service.post('/v1/segments', body), 'shared');
    assert.equal((await service.delete(`/v1/segments/${id}`)).status, 200);
  });

  test('Lists, counts, exports and bulk jobs have the contacts of a segment', async () => {
    const contacts = await makeContacts(service, 3, 'segment list');
    await service.patch(`/v1/contacts/${contacts[0]}`, { company: 'Acme' });
    const { id } = await create(owner, { filter: tagged('segment list'), shared: true });
    const ids = (reply: Json) => reply.body.data.map((each: Json) => each.id).sort();
    assert.deepEqual(ids(await service.get(`/v1/contacts?segment=${id}`)), contacts);
    assert.deepEqual(ids(await member.call('GET', `/contacts?segment=${id}`)), contacts);
    assert.deepEqual(ids(await service.get(`/v1/contacts?segment=${id}&company=Acme`)), [contacts[0]]);
    const both = JSON.stringify({ attribute: 'company', op: 'is_set', value: false });
    const without = `/v1/contacts?segment=${id}&filter=${encodeURIComponent(both)}`;
    assert.deepEqual(ids(await service.get(without)), contacts.slice(1));
    assert.deepEqual((await service.get(`/v1/segments/${id}/count`)).body.data, { count: 3 });
    const page = await service.get(`/v1/contacts?segment=${id}&limit=2`);
    const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(next, service.url);
    assert.deepEqual([...ids(page), ...ids(await service.get(pathname + search))].sort(), contacts);
    const exported = (await service.get(`/v1/contacts/export?format=jsonl&segment=${id}`)).text;
    assert.equal(exported.trim().split('\n').length, 3);
    const job = await service.post('/v1/bulk-jobs', {
      action: 'tag',
      selection: { filter: { segment: id }, except: [contacts[2]] },
      add: ['from segment'],
    });
    assert.equal(job.status, 201, job.text);
    assert.equal((await waitForBulkJob(owner, job.body.data.id)).changed, 2);
    const narrowed = { segment: id, company: 'Acme' };
    const one = await service.post('/v1/bulk-jobs', { action: 'delete', selection: { filter: narrowed } });
    assert.equal((await waitForBulkJob(owner, one.body.data.id)).changed, 1);
    assert.deepEqual(ids(await service.get(`/v1/contacts?segment=${id}`)), contacts.slice(1));
    for (const unknown of ['nonsense', 'segment_00000000000000000000000000'])
      assertError(await service.get(`/v1/contacts?segment=${unknown}`), 404, 'NOT_FOUND');
    await owner.request('DELETE', `/segments/${id}`);
  });

  test('A filter with the scope of another feature needs that scope, also to be used', async () => {
    const filter = { all: [tagged('new'), { attribute: 'called', op: 'eq', value: true }] };
    const { id } = await create(owner, { filter, shared: true });
    const assertMissing = (reply: Json) => {
      assertError(reply, 403, 'FORBIDDEN');
      assert.equal(reply.body.error.details.required_scope, 'calls:read');
    };
    const key = await createScopedKey(service.database, 'contacts:read', 'contacts:write');
    const as = { key };
    assertMissing(await service.post('/v1/segments', { name: 'Called', filter }, as));
    assertMissing(await service.patch(`/v1/segments/${id}`, { name: 'Called' }, as));
    assertMissing(await service.get(`/v1/contacts?segment=${id}`, as));
    assertMissing(await service.get(`/v1/segments/${id}/count`, as));
    assertMissing(await service.get(`/v1/contacts/export?segment=${id}`, as));
    const selection = { filter: { segment: id } };
    assertMissing(await service.post('/v1/bulk-jobs', { action: 'delete', selection }, as));
    assert.equal((await service.get(`/v1/segments/${id}`, as)).status, 200);
    await owner.request('DELETE', `/segments/${id}`);
  });

  test('An invalid segment is rejected, and a user can have a hundred', async () => {
    for (const [fields, field] of [
      [{ name: '' }, 'name'],
      [{ filter: { attribute: 'tags', op: 'eq', value: 'x' } }, 'filter.attribute'],
      [{ filter: {} }, 'filter'],
      [{ filter: { attribute: 'fields.unknown', op: 'eq', value: 'x' } }, 'filter.attribute'],
      [{ sort: 'phone' }, 'sort'],
      [{ columns: Array.from({ length: 51 }, (_, at) => `column ${at}`) }, 'columns'],
    ] as const) {
      const reply = await service.post('/v1/segments', { name: 'A', filter: tagged('new'), ...fields });
      assertInvalid(reply, field);
    }
    const many = await checkedUser(service, await signedInUser(service, 'many@example.com', 'member'));
    for (let count = 0; count < 100; count++) await create(many);
    const reply = await many.call('POST', '/segments', { name: 'A', filter: tagged('new') });
    assertInvalid(reply, 'name');
    assert.match(reply.body.error.details[0].message, /100/);
  });

  test('A renamed tag is renamed in all segments, and private ones are deleted with their user', async () => {
    await makeContacts(service, 1, 'old name');
    const filter = (tag: string) => ({
      any: [tagged(tag), { not: { attribute: 'tag', op: 'in', value: [tag, 'new'] } }],
    });
    const leaver = await checkedUser(service, await signedInUser(service, 'leaver@example.com', 'member'));
    const mine = await create(leaver, { filter: filter('old name') });
    const ours = await create(leaver, { filter: filter('old name'), shared: true });
    const other = await create(member, { filter: tagged('other') });
    const body = { action: 'rename_tag', tag: 'old name', to: 'new name' };
    const job = await service.post('/v1/bulk-jobs', body);
    assert.equal((await waitForBulkJob(owner, job.body.data.id)).changed, 1);
    for (const { id } of [mine, ours])
      assert.deepEqual((await leaver.request('GET', `/segments/${id}`)).filter, filter('new name'));
    assert.equal((await member.request('GET', `/segments/${other.id}`)).updated_at, other.updated_at);
    const [user] = await service.database.query(`select id from users where email = 'leaver@example.com'`);
    await owner.request('DELETE', `/users/${user?.id}`);
    const left = await service.database.query('select id from segments where id in (?, ?)', mine.id, ours.id);
    assert.deepEqual(
      left.map(({ id }) => id),
      [ours.id],
    );
  });
});
