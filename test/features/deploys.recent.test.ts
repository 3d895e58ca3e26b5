import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Deploys of a workspace', (service) => {
  let owner: CheckedUser;
  let member: CheckedUser;
  let ownerId: Json;
  let removedUser: Json;
  const page = async (user: CheckedUser, path: string) => (await user.call('GET', path)).body;
  const make = async (user: CheckedUser, name: string, ...texts: string[]): Promise<Json> => {
    const [first = '', ...rest] = texts;
    const agent = await user.request('POST', '/agents', { name, instructions: first }, 201);
    for (const instructions of rest) await user.request('PATCH', `/agents/${agent.id}`, { instructions });
    const { versions } = await user.request('GET', `/agents/${agent.id}`);
    return { ...agent, versions: versions.reverse() };
  };
  const deploy = (user: CheckedUser, agent: Json, number: number, body: object = {}) =>
    user.request('POST', `/agents/${agent.id}/versions/${agent.versions[number - 1].id}/deploy`, body);
  let agents: Json[];
  before(async () => {
    const made = await makeOtherWorkspace(service, 'owner@deploys.example');
    owner = made.owner;
    member = await checkedUser(
      service,
      await signedInUser(service, 'leaver@deploys.example', 'member', made.workspace),
    );
    [ownerId, removedUser] = [
      await owner.request('GET', '/session'),
      await member.request('GET', '/session'),
    ];
    agents = [await make(owner, 'One', 'a', 'b', 'c'), await make(owner, 'Two', 'x')];
    const [one, two] = agents as [Json, Json];
    await deploy(owner, one, 1, { note: 'first' });
    await deploy(member, two, 1);
    await deploy(member, one, 3, { note: 'third' });
    await deploy(owner, one, 1, { note: 'back' });
    const { owner: other } = await makeOtherWorkspace(service);
    await deploy(other, await make(other, 'Theirs', 'z'), 1);
  });

  test('Deploys are listed newest first with agent, versions, user, time and note, in pages', async () => {
    const { data, pagination } = await page(owner, '/deploys');
    assert.deepEqual(pagination, { total: 4, limit: 20, offset: 0, has_more: false });
    const [one, two] = agents as [Json, Json];
    assert.deepEqual(
      data.map(({ deployed_at: _, active_until: __, previous_version_id: ___, ...rest }: Json) => rest),
      [
        [one, 1, 'v3', ownerId, 'back'],
        [one, 3, 'v1', removedUser, 'third'],
        [two, 1, null, removedUser, null],
        [one, 1, null, ownerId, 'first'],
      ].map(([agent, number, previous, by, note]) => ({
        agent_id: agent.id,
        agent_name: agent.name,
        agent_deleted: false,
        version_id: agent.versions[number - 1].id,
        version_label: `v${number}`,
        previous_version_label: previous,
        deployed_by: by.id,
        deployed_by_email: by.email,
        deployed_by_key_name: null,
        note,
      })),
    );
    const times = data.map(({ deployed_at }: Json) => deployed_at);
    assert.deepEqual(times, times.toSorted().reverse());
    const second = await page(owner, '/deploys?limit=2&offset=1');
    assert.deepEqual(second.data, data.slice(1, 3));
    assert.deepEqual(second.pagination, { total: 4, limit: 2, offset: 1, has_more: true });
    for (const query of ['limit=0', 'offset=-1', 'agent=x']) {
      assertInvalid(await owner.call('GET', `/deploys?${query}`), query.split('=')[0] as string);
    }
  });

  test('The deploys of one agent are paginated and say until when each was active', async () => {
    const [one] = agents as [Json, Json];
    const { data, pagination } = await page(owner, `/agents/${one.id}/deploys`);
    assert.deepEqual(pagination, { total: 3, limit: 20, offset: 0, has_more: false });
    assert.deepEqual(
      data.map(({ version_label, active_until }: Json) => [version_label, active_until]),
      [
        ['v1', null],
        ['v3', data[0].deployed_at],
        ['v1', data[1].deployed_at],
      ],
    );
    const later = await page(owner, `/agents/${one.id}/deploys?limit=1&offset=1`);
    assert.deepEqual(later.data, [data[1]]);
    assert.deepEqual(later.pagination, { total: 3, limit: 1, offset: 1, has_more: true });
  });

  test('Each version is listed with its last deploy', async () => {
    const [one] = agents as [Json, Json];
    const { data, pagination } = await page(owner, `/agents/${one.id}/versions`);
    assert.deepEqual(pagination, { total: 3, limit: 20, offset: 0, has_more: false });
    const { versions } = await owner.request('GET', `/agents/${one.id}`);
    const summary = ({ id, version_label, deployment_status, created_at }: Json) => ({
      id,
      version_label,
      deployment_status,
      created_at,
    });
    assert.deepEqual(data.map(summary), versions);
    const deploys = (await page(owner, `/agents/${one.id}/deploys`)).data;
    const last = ({ deployed_at, deployed_by, deployed_by_email, note }: Json) => ({
      deployed_at,
      deployed_by,
      deployed_by_email,
      note,
    });
    const none = { deployed_at: null, deployed_by: null, deployed_by_email: null, note: null };
    assert.deepEqual(data.map(last), [last(deploys[1]), none, last(deploys[0])]);
    assert.deepEqual((await page(owner, `/agents/${one.id}/versions?limit=1&offset=1`)).data, [data[1]]);
    assertError(
      await owner.call('GET', '/agents/01890a5d-ac96-774b-bcce-b302099a8057/versions'),
      404,
      'NOT_FOUND',
    );
    assertInvalid(await owner.call('GET', '/agents/nothing/versions'), 'id');
  });

  test('A deploy by a removed user has the id of the user and no email', async () => {
    await owner.request('DELETE', `/users/${removedUser.id}`);
    const [one, two] = agents as [Json, Json];
    const named = (list: Json[]) =>
      list.map(({ deployed_by, deployed_by_email }) => [deployed_by, deployed_by_email]);
    const left = [removedUser.id, null];
    assert.deepEqual(named((await page(owner, '/deploys')).data)[1], left);
    assert.deepEqual(named((await page(owner, `/agents/${one.id}/deploys`)).data)[1], left);
    assert.deepEqual(named((await page(owner, `/agents/${two.id}/versions`)).data)[0], left);
    assert.deepEqual(named([await owner.request('GET', `/agents/${two.id}/active`)])[0], left);
    assert.deepEqual(
      named([await deploy(owner, two, 1)])[0],
      left,
      'the deploy is returned again, not repeated',
    );
  });

  test('Deploys of a deleted agent stay in the list and are marked', async () => {
    const [, two] = agents as [Json, Json];
    await owner.request('DELETE', `/agents/${two.id}`);
    const { data, pagination } = await page(owner, '/deploys');
    assert.equal(pagination.total, 4);
    assert.deepEqual(
      data.map(({ agent_name, agent_deleted }: Json) => [agent_name, agent_deleted]),
      [
        ['One', false],
        ['One', false],
        ['Two', true],
        ['One', false],
      ],
    );
    assert.equal((await owner.request('GET', '/figures')).active_agents, 1);
    for (const path of ['versions', 'deploys']) {
      assertError(await owner.call('GET', `/agents/${two.id}/${path}`), 404, 'NOT_FOUND');
    }
  });

  test('The emails of deploys are shown only to keys with the scope admin', async () => {
    const [one] = agents as [Json, Json];
    const paths = [
      '/v1/agents',
      `/v1/agents/${one.id}`,
      `/v1/agents/${one.id}/deploys`,
      `/v1/agents/${one.id}/versions`,
      `/v1/agents/${one.id}/active`,
      '/v1/deploys',
    ];
    const textOf = async (path: string, key: string) => {
      const { status, text } = await service.get(path, { key });
      assert.equal(status, 200, text);
      return text;
    };
    const { key } = await owner.request('POST', '/keys', { name: 'K' }, 201);
    for (const path of paths) assert.doesNotMatch(await textOf(path, key), /@/, path);
    const scopes = ['agents:read', 'admin'];
    const manager = await owner.request('POST', '/keys', { name: 'M', scopes }, 201);
    for (const path of paths.slice(2)) assert.match(await textOf(path, manager.key), /owner@deploys/, path);
  });
});
