import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  makeChannelWithAgent,
  signedInOwner,
  versionIds,
} from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const TABLES = ['agents', 'agent_versions', 'deploys', 'audit_entries'];

onEveryEngine('Origins of versions', (service) => {
  let owner: CheckedUser;
  let user: string;
  before(async () => {
    owner = await signedInOwner(service);
    user = (await owner.request('GET', '/session')).id;
  });
  const origin = async (agent: string, version: string) => {
    const {
      instructions: _,
      config: __,
      ...rest
    } = await owner.request('GET', `/agents/${agent}/versions/${version}`);
    return rest;
  };

  test('The origin of a version names the user or the key that wrote it and the version it is based on', async () => {
    const { id } = await makeAgentWithVersions(service, 'One.');
    const key = await owner.request('POST', '/keys', { name: 'CI', scopes: ['agents:write'] }, 201);
    await service.patch(`/v1/agents/${id}`, { instructions: 'Two.' }, { key: key.key });
    const versions = await versionIds(service, id);
    await owner.request('PATCH', `/agents/${id}`, { instructions: 'Three.', based_on: 'v1' });
    await owner.request('PATCH', `/agents/${id}`, { instructions: 'Four.', based_on: versions[1] });
    const [fourth, third, second] = await owner.request('GET', `/agents/${id}/versions`);
    assert.deepEqual(third, await origin(id, 'v3'));
    const { id: version_id, created_at, ...rest } = third;
    assert.deepEqual(rest, {
      version_label: 'v3',
      deployment_status: 'draft',
      created_by: user,
      created_by_email: 'owner@example.com',
      created_by_key_name: null,
      based_on: {
        agent_id: id,
        agent_name: (await owner.request('GET', `/agents/${id}`)).name,
        agent_deleted: false,
        version_id: versions[0],
        version_label: 'v1',
      },
      deployed_at: null,
      deployed_by: null,
      deployed_by_email: null,
      deployed_by_key_name: null,
      note: null,
      version_note: null,
      config_sha256: hash('sha256', '{}'),
    });
    assert.deepEqual(await origin(id, version_id), third, 'by its id');
    assert.equal(created_at, (await owner.request('GET', `/agents/${id}/versions/v3`)).created_at);
    assert.equal(fourth.based_on.version_label, 'v2');
    assert.deepEqual(
      [second.created_by, second.created_by_email, second.created_by_key_name, second.based_on],
      [key.id, null, 'CI', null],
      'a key wrote it, and said nothing of its base',
    );
    const page = (await owner.call('GET', `/agents/${id}/versions?limit=1&offset=1`)).body;
    assert.deepEqual(page.data, [third]);
    assert.deepEqual(page.pagination, { total: 4, limit: 1, offset: 1, has_more: true });
  });

  test('A key without the scope admin does not see the email of an author', async () => {
    const { id } = await owner.request('POST', '/agents', { name: 'Ann', instructions: 'One.' }, 201);
    const reply = await service.get(`/v1/agents/${id}/versions/v1`);
    assert.deepEqual(
      [reply.body.data.created_by, reply.body.data.created_by_email, reply.body.data.created_by_key_name],
      [user, null, null],
    );
  });

  test('The base of new instructions must be a version of the agent', async () => {
    const { id } = await makeAgentWithVersions(service, 'One.');
    const other = await makeAgentWithVersions(service, 'Other.');
    for (const based_on of ['v2', 'v0', 'x', '', 1, null, other.versions[0]]) {
      const body = { instructions: 'Two.', based_on };
      const reply = await assertTablesUnchanged(service, TABLES, () =>
        owner.call('PATCH', `/agents/${id}`, body),
      );
      assertInvalid(reply, 'based_on');
    }
    await owner.request('PATCH', `/agents/${id}`, { description: 'x', based_on: 'v9' });
    assert.equal((await owner.request('GET', `/agents/${id}`)).versions.length, 1, 'ignored without a text');
  });

  test('A version and its deploys of another workspace, agent or version are not found', async () => {
    const { id } = await makeAgentWithVersions(service, 'One.');
    const other = await makeAgentWithVersions(service, 'Other.', 'Two.');
    const { owner: foreign } = await makeOtherWorkspace(service);
    for (const part of ['', '/deploys']) {
      for (const version of ['v2', 'x', other.versions[0]])
        assertError(await owner.call('GET', `/agents/${id}/versions/${version}${part}`), 404, 'NOT_FOUND');
      assertError(await foreign.call('GET', `/agents/${id}/versions/v1${part}`), 404, 'NOT_FOUND');
    }
    assertError(await foreign.call('GET', `/agents/${id}/versions`), 404, 'NOT_FOUND');
    assertError(await foreign.call('POST', `/agents/${id}/duplicate`), 404, 'NOT_FOUND');
  });
});

onEveryEngine('Duplicates of agents', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const duplicate = (id: string, body?: Json) => owner.request('POST', `/agents/${id}/duplicate`, body, 201);
  const textOf = async (id: string) => (await owner.request('GET', `/agents/${id}/versions/v1`)).instructions;

  test('A duplicate has the deployed text as a draft, no deploy, no channels, and names its source', async () => {
    const { agent, version } = await makeChannelWithAgent(service, owner, 'Live.');
    await service.patch(`/v1/agents/${agent}`, {
      name: 'Alma',
      description: 'Front desk',
      instructions: 'Next.',
    });
    const reply = await owner.call('POST', `/agents/${agent}/duplicate`);
    const made = reply.body.data;
    assert.equal(reply.headers.get('location'), `/v1/agents/${made.id}`);
    assert.deepEqual([made.name, made.description], ['Copy of Alma', 'Front desk']);
    const copy = await owner.request('GET', `/agents/${made.id}`);
    assert.deepEqual([copy.deployed_version, copy.versions.length], [null, 1]);
    assert.equal(copy.versions[0].deployment_status, 'draft');
    assert.equal(await textOf(made.id), 'Live.');
    assert.deepEqual(await owner.request('GET', `/channels?agent_id=${made.id}`), []);
    const { based_on } = await owner.request('GET', `/agents/${made.id}/versions/v1`);
    assert.deepEqual([based_on.agent_id, based_on.agent_name, based_on.version_id], [agent, 'Alma', version]);
    await owner.request('DELETE', `/agents/${agent}`);
    const later = await owner.request('GET', `/agents/${made.id}/versions/v1`);
    assert.equal(later.based_on.agent_deleted, true);
    assertError(await owner.call('POST', `/agents/${agent}/duplicate`), 404, 'NOT_FOUND');
  });

  test('A duplicate has the newest text if nothing is deployed, or the version that the request names', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.', 'Three.');
    assert.equal(await textOf((await duplicate(id)).id), 'Three.');
    assert.equal(await textOf((await duplicate(id, { version: 'v2' })).id), 'Two.');
    const named = await duplicate(id, { version: versions[0], name: 'Berta' });
    assert.deepEqual([named.name, await textOf(named.id)], ['Berta', 'One.']);
  });

  test('The name of a duplicate is shortened to 100 characters', async () => {
    const { id } = await owner.request('POST', '/agents', { name: '😀'.repeat(100), instructions: '' }, 201);
    assert.equal((await duplicate(id)).name, `Copy of ${'😀'.repeat(92)}`);
  });

  test('A duplicate with an invalid name or version is rejected and creates nothing', async () => {
    const { id } = await makeAgentWithVersions(service, 'One.');
    const rejected: [Json, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ version: 'newest' }, 'version'],
      [{ title: 'x' }, 'title'],
    ];
    for (const [body, field] of rejected) {
      const reply = await assertTablesUnchanged(service, TABLES, () =>
        owner.call('POST', `/agents/${id}/duplicate`, body),
      );
      assertInvalid(reply, field);
    }
    for (const version of ['v2', '01985f1f-7a4d-7a11-8a3c-6f5e4d3c2b1a']) {
      const reply = await assertTablesUnchanged(service, TABLES, () =>
        owner.call('POST', `/agents/${id}/duplicate`, { version }),
      );
      assertError(reply, 404, 'NOT_FOUND');
    }
    const read = await owner.request('POST', '/keys', { name: 'Reader', scopes: ['agents:read'] }, 201);
    const reply = await service.post(`/v1/agents/${id}/duplicate`, {}, { key: read.key });
    assertError(reply, 403, 'FORBIDDEN');
  });
});

onEveryEngine('Deploys of a version', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  test('The deploys of a version are the periods in which it was live, newest first', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const [one, two] = versions as [string, string];
    for (const [version, note] of [
      [one, 'first'],
      [two, 'second'],
      [one, 'back'],
    ] as const)
      await deploy(owner, id, version, { note });
    const all: Json[] = await owner.request('GET', `/agents/${id}/deploys`);
    const page = (await owner.call('GET', `/agents/${id}/versions/v1/deploys`)).body;
    assert.deepEqual(page.data, [all[0], all[2]]);
    assert.deepEqual(
      page.data.map((each: Json) => [each.note, each.active_until]),
      [
        ['back', null],
        ['first', all[1]?.deployed_at],
      ],
    );
    assert.deepEqual(page.pagination, { total: 2, limit: 20, offset: 0, has_more: false });
    const second = (await owner.call('GET', `/agents/${id}/versions/${one}/deploys?limit=1&offset=1`)).body;
    assert.deepEqual(second.data, [all[2]]);
    assert.deepEqual(await owner.request('GET', `/agents/${id}/versions/v2/deploys`), [all[1]]);
  });
});
