import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, TIMESTAMP } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const STATUSES = ['draft', 'active', 'paused', 'finished'] as const;

/** The allowed transitions of a campaign. Keeping the status is always allowed. */
const NEXT: Record<string, readonly string[]> = {
  draft: ['active', 'finished'],
  active: ['paused', 'finished'],
  paused: ['active', 'finished'],
  finished: [],
};

onEveryEngine('Campaigns', (service) => {
  let owner: CheckedUser;
  let agent: Json;
  const make = (fields: object = {}) =>
    owner.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id, ...fields }, 201);
  const patch = (id: string, fields: object) => owner.call('PATCH', `/campaigns/${id}`, fields);
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    agent = await makeAgent(service, { name: 'Caller' });
  });

  test('A campaign has a name, an agent and a status, and starts as a draft', async () => {
    const reply = await owner.call('POST', '/campaigns', { name: 'Spring', agent_id: agent.id });
    assert.equal(reply.status, 201);
    const { id, created_at, updated_at, ...rest } = reply.body.data;
    assert.match(id, /^campaign_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.match(created_at, TIMESTAMP);
    assert.equal(updated_at, created_at);
    assert.deepEqual(rest, {
      name: 'Spring',
      agent: { id: agent.id, name: 'Caller', deleted: false },
      status: 'draft',
      audience: null,
      enrolled: enrollmentCounts(),
    });
    assert.equal(reply.headers.get('location'), `/v1/campaigns/${id}`);
    assert.deepEqual(await owner.request('GET', `/campaigns/${id}`), reply.body.data);
  });

  test('A key needs agents:read to choose the agent, whose instructions a claim hands out', async () => {
    const { id } = await make();
    const other = await makeAgent(service);
    const [blind, reader] = [
      await createScopedKey(service.database, 'campaigns:write'),
      await createScopedKey(service.database, 'campaigns:write', 'agents:read'),
    ];
    const change = (key: string, fields: object) => service.patch(`/v1/campaigns/${id}`, fields, { key });
    assert.equal((await change(blind, { name: 'Summer' })).status, 200);
    const refused = await change(blind, { agent_id: other.id });
    assert.deepEqual(assertError(refused, 403, 'FORBIDDEN').details, { required_scope: 'agents:read' });
    assert.equal((await owner.request('GET', `/campaigns/${id}`)).agent.id, agent.id);
    assert.equal((await change(reader, { agent_id: other.id })).status, 200);
  });

  test('A campaign can be created in any status', async () => {
    for (const status of STATUSES) assert.equal((await make({ status })).status, status);
  });

  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const isAllowed = from === to || NEXT[from]?.includes(to);
      test(`A campaign that is ${from} ${isAllowed ? 'can' : 'cannot'} become ${to}`, async () => {
        const made = await make({ status: from });
        const reply = await patch(made.id, { status: to, name: 'Renamed' });
        const now = await owner.request('GET', `/campaigns/${made.id}`);
        if (isAllowed) {
          assert.deepEqual(now, reply.body.data);
          assert.deepEqual([now.status, now.name], [to, 'Renamed']);
          assert.ok(now.updated_at > made.updated_at);
        } else {
          const { message } = assertError(reply, 409, 'CONFLICT');
          assert.match(message, new RegExp(`${from}.*${to}`));
          assert.deepEqual(now, made, 'nothing has changed, the name neither');
        }
      });
    }
  }

  test('A campaign update changes only the sent fields and accepts a campaign as it was read', async () => {
    const other = await makeAgent(service, { name: 'Other' });
    const made = await make({ status: 'active' });
    const named = (await patch(made.id, { name: 'Summer' })).body.data;
    assert.deepEqual(named, { ...made, name: 'Summer', updated_at: named.updated_at });
    const moved = (await patch(made.id, { agent_id: other.id.toUpperCase() })).body.data;
    assert.deepEqual(moved.agent, { id: other.id, name: 'Other', deleted: false });
    const same = (await patch(made.id, moved)).body.data;
    assert.deepEqual(same, { ...moved, updated_at: same.updated_at });
    const empty = (await patch(made.id, {})).body.data;
    assert.ok(made.updated_at < named.updated_at && named.updated_at < moved.updated_at);
    assert.ok(moved.updated_at < same.updated_at && same.updated_at < empty.updated_at);
    await service.patch(`/v1/agents/${other.id}`, { name: 'Another' });
    assert.equal((await owner.request('GET', `/campaigns/${made.id}`)).agent.name, 'Another');
  });

  test('Concurrent updates of a campaign are all applied, each with its own updated_at', async () => {
    const made = await make();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => patch(made.id, { name: `${at}` })),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(replies.map(({ body }) => body.data.updated_at)).size, 10);
    const ended = await Promise.all(
      Array.from({ length: 10 }, (_, at) => patch(made.id, { status: at % 2 ? 'finished' : 'active' })),
    );
    assert.equal((await owner.request('GET', `/campaigns/${made.id}`)).status, 'finished');
    for (const { status } of ended) assert.ok(status === 200 || status === 409);
  });

  test('A campaign without a name, an agent or a known status is rejected', async () => {
    const total = async () => (await owner.call('GET', '/campaigns?limit=1')).body.pagination.total;
    const before = await total();
    const post = (body: object) => owner.call('POST', '/campaigns', body);
    const good = { name: 'N', agent_id: agent.id };
    assertInvalid(await post({}), 'name', 'agent_id');
    for (const name of ['', 'n'.repeat(101), null, 7]) assertInvalid(await post({ ...good, name }), 'name');
    for (const agent_id of ['', 'agent', null, 7])
      assertInvalid(await post({ ...good, agent_id }), 'agent_id');
    for (const status of ['', 'done', null, 'Draft'])
      assertInvalid(await post({ ...good, status }), 'status');
    assertInvalid(await post({ ...good, starts: 'now' }), 'starts');
    assert.equal(await total(), before);
    const made = await make({ name: '☎'.repeat(100) });
    assert.equal(made.name, '☎'.repeat(100));
    for (const fields of [{ name: '' }, { agent_id: 'agent' }, { status: 'done' }]) {
      assertInvalid(await patch(made.id, fields), Object.keys(fields)[0] as string);
    }
    assert.deepEqual(await owner.request('GET', `/campaigns/${made.id}`), made);
  });

  test('A campaign requires an existing agent that is not deleted', async () => {
    const gone = await makeAgent(service);
    const paused = await make({ agent_id: gone.id, status: 'paused' });
    const draft = await make({ agent_id: gone.id });
    assert.equal((await service.delete(`/v1/agents/${gone.id}`)).status, 200);
    for (const agent_id of [gone.id, '01890a5d-ac96-774b-bcce-b302099a8057']) {
      assertError(await owner.call('POST', '/campaigns', { name: 'N', agent_id }), 404, 'NOT_FOUND');
      const made = await make();
      assertError(await patch(made.id, { agent_id }), 404, 'NOT_FOUND');
      assert.deepEqual(await owner.request('GET', `/campaigns/${made.id}`), made);
    }
    for (const campaign of [paused, draft]) {
      assertError(await patch(campaign.id, { status: 'active' }), 404, 'NOT_FOUND');
      assert.equal((await patch(campaign.id, { name: 'Renamed' })).status, 200, 'it can still be renamed');
      const revived = await patch(campaign.id, { status: 'active', agent_id: agent.id });
      assert.deepEqual([revived.body.data.status, revived.body.data.agent.id], ['active', agent.id]);
    }
  });

  test('Unknown campaigns get 404', async () => {
    for (const id of ['campaign_nothing', 'campaign_01h455vb4pex5vsknk084sn02q', '%20', agent.id]) {
      for (const [method, body] of [['GET'], ['PATCH', { name: 'N' }]] as const) {
        assertError(await owner.call(method, `/campaigns/${id}`, body), 404, 'NOT_FOUND');
      }
      assertError(await owner.call('GET', `/campaigns/${id}/enrollments`), 404, 'NOT_FOUND');
    }
  });

  test('Campaigns are listed newest first, in pages', async () => {
    const { owner: other } = await makeOtherWorkspace(service);
    const empty = await other.call('GET', '/campaigns');
    assert.deepEqual(empty.body, {
      success: true,
      data: [],
      pagination: { total: 0, limit: 20, offset: 0, has_more: false },
    });
    const theirs = await other.request('POST', '/agents', { name: 'A', instructions: '' }, 201);
    const made: Json[] = [];
    for (let at = 0; at < 5; at++) {
      made.unshift(await other.request('POST', '/campaigns', { name: `${at}`, agent_id: theirs.id }, 201));
    }
    const list = async (query: string) => (await other.call('GET', `/campaigns${query}`)).body;
    assert.deepEqual((await list('')).data, made);
    assert.deepEqual(await list('?limit=2&offset=1'), {
      success: true,
      data: made.slice(1, 3),
      pagination: { total: 5, limit: 2, offset: 1, has_more: true },
    });
    assert.deepEqual((await list('?limit=2&offset=3')).pagination.has_more, false);
    assert.deepEqual((await list('?offset=9')).data, []);
    for (const query of [
      'limit=0',
      'limit=101',
      'offset=-1',
      'limit=x',
      'status=open',
      'sort=agent',
      'agent=1',
    ]) {
      assertInvalid(await other.call('GET', `/campaigns?${query}`), query.split('=')[0] as string);
    }
  });
});
