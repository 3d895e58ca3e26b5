import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid, TIMESTAMP } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const TABLES = ['agents', 'agent_versions', 'deploys'];

onEveryEngine('Deploys', (service) => {
  let owner: CheckedUser;
  let ownerId: string;
  before(async () => {
    owner = await signedInOwner(service);
    ownerId = (await owner.request('GET', '/session')).id;
  });
  const statusesOf = async (agent: string) =>
    (await service.get(`/v1/agents/${agent}`)).body.data.versions
      .map((each: Json) => each.deployment_status)
      .reverse();
  const deploysOf = (agent: string) => owner.request('GET', `/agents/${agent}/deploys`);

  test('A deploy makes a draft the active version and is recorded', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const [first, second] = versions as [string, string];
    const began = new Date().toISOString();
    const done = await deploy(owner, id, first, { note: 'go live' });
    const { deployed_at, ...rest } = done;
    assert.match(deployed_at, TIMESTAMP);
    assert.ok(deployed_at >= began && deployed_at <= new Date().toISOString());
    assert.deepEqual(rest, {
      version_id: first,
      version_label: 'v1',
      previous_version_id: null,
      deployed_by: ownerId,
      deployed_by_email: 'owner@example.com',
      deployed_by_key_name: null,
      note: 'go live',
      changed: true,
    });
    assert.deepEqual(await statusesOf(id), ['deployed', 'draft']);

    const next = await deploy(owner, id, second);
    assert.equal(next.previous_version_id, first);
    assert.ok(next.deployed_at > deployed_at);
    assert.deepEqual(await statusesOf(id), ['archived', 'deployed']);
    const by = {
      agent_id: id,
      agent_name: 'Agent',
      agent_deleted: false,
      deployed_by: ownerId,
      deployed_by_email: 'owner@example.com',
      deployed_by_key_name: null,
    };
    assert.deepEqual(await deploysOf(id), [
      {
        version_id: second,
        version_label: 'v2',
        previous_version_id: first,
        previous_version_label: 'v1',
        deployed_at: next.deployed_at,
        active_until: null,
        note: null,
        ...by,
      },
      {
        version_id: first,
        version_label: 'v1',
        previous_version_id: null,
        previous_version_label: null,
        deployed_at,
        active_until: next.deployed_at,
        note: 'go live',
        ...by,
      },
    ]);
  });

  test('A deploy of an archived version rolls back to it', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const [first, second] = versions as [string, string];
    for (const version of [first, second, first]) await deploy(owner, id, version);
    assert.deepEqual(await statusesOf(id), ['deployed', 'archived']);
    assert.deepEqual(
      (await deploysOf(id)).map((each: Json) => [each.version_id, each.previous_version_id]),
      [
        [first, second],
        [second, first],
        [first, null],
      ],
    );
  });

  test('A deploy names its user, also after another user deploys the same version', async () => {
    const member = await checkedUser(service, await signedInUser(service, 'member@example.com', 'member'));
    const { id, versions } = await makeAgentWithVersions(service, 'One.');
    const [first] = versions as [string];
    const { deployed_by } = await deploy(member, id, first);
    assert.equal(deployed_by, (await member.request('GET', '/session')).id);
    assert.notEqual(deployed_by, ownerId);
    assert.equal((await deploy(owner, id, first)).deployed_by, deployed_by);
    assert.equal((await deploysOf(id))[0].deployed_by, deployed_by);
  });

  test('A deploy of the active version changes nothing and returns the earlier deploy', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const [first, second] = versions as [string, string];
    await deploy(owner, id, first);
    const { changed, ...made } = await deploy(owner, id, second, { note: 'once' });
    assert.equal(changed, true);
    const path = `/agents/${id}/versions/${second}/deploy`;
    const reply = await assertTablesUnchanged(service, TABLES, () =>
      owner.call('POST', path, { note: 'twice' }),
    );
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body.data, { ...made, changed: false });
  });

  test('A deploy shows immediately in the list and the get of the API', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const [first, second] = versions as [string, string];
    const shown = async () => {
      const listed = (await service.get('/v1/agents?limit=100')).body.data.find(
        (each: Json) => each.id === id,
      );
      const got = (await service.get(`/v1/agents/${id}`)).body.data;
      return [listed.deployed_version, got.deployed_version];
    };
    assert.deepEqual(await shown(), [null, null]);
    await deploy(owner, id, first);
    const one = { id: first, version_label: 'v1' };
    assert.deepEqual(await shown(), [one, { ...one, instructions: 'One.' }]);
    await service.patch(`/v1/agents/${id}`, { name: 'Renamed', instructions: 'Three.' });
    assert.deepEqual(await shown(), [one, { ...one, instructions: 'One.' }]);
    await deploy(owner, id, second);
    const two = { id: second, version_label: 'v2' };
    assert.deepEqual(await shown(), [two, { ...two, instructions: 'Two.' }]);
  });

  test('A deploy does not change the text of any version', async () => {
    const texts = ['One.\n', ' Two {{first_name}}', ''] as const;
    const { id, versions } = await makeAgentWithVersions(service, ...texts);
    const read = async () => {
      const found = [];
      for (const version of versions)
        found.push(await owner.request('GET', `/agents/${id}/versions/${version}`));
      return found;
    };
    const written = await read();
    assert.deepEqual(
      written.map(({ instructions, version_label }) => [instructions, version_label]),
      [
        [texts[0], 'v1'],
        [texts[1], 'v2'],
        [texts[2], 'v3'],
      ],
    );
    for (const version of [...versions, ...versions]) await deploy(owner, id, version);
    await service.patch(`/v1/agents/${id}`, { instructions: 'Four.' });
    const without = (found: Json[]) =>
      found.map(({ id, version_label, created_at, created_by, based_on, instructions }) => ({
        id,
        version_label,
        created_at,
        created_by,
        based_on,
        instructions,
      }));
    assert.deepEqual(without(await read()), without(written));
  });

  test('A deploy accepts an optional note of at most 500 characters and no other field', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.', 'Three.', 'Four.');
    const path = (at: number) => `/agents/${id}/versions/${versions[at]}/deploy`;
    const bad: [unknown, string][] = [
      [{ note: '€'.repeat(501) }, 'note'],
      [{ note: 5 }, 'note'],
      [{ note: 'half \ud800' }, 'note'],
      [{ notes: 'typo' }, 'notes'],
    ];
    for (const [body, field] of bad) {
      assertInvalid(
        await assertTablesUnchanged(service, TABLES, () => owner.call('POST', path(0), body)),
        field,
      );
    }
    for (const raw of ['{', '[]', 'null', '"text"']) {
      const reply = await assertTablesUnchanged(service, TABLES, () =>
        owner.call('POST', path(0), undefined, { raw }),
      );
      assertError(reply, 400, 'VALIDATION_ERROR');
    }
    const notes = ['😀'.repeat(500), null, undefined];
    for (const [at, note] of notes.entries()) {
      assert.equal((await deploy(owner, id, versions[at] as string, { note })).note, note ?? null);
    }
    assert.equal((await deploy(owner, id, versions[3] as string)).note, null, 'without a body');
  });
});
