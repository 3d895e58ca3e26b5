import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { deploy, makeAgentWithVersions, signedInOwner } from '../kit/fixtures/agents.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const moved = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

onEveryEngine('Active version at a time', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const activeAt = (agent: string, at?: string) =>
    owner.request('GET', `/agents/${agent}/active${at === undefined ? '' : `?at=${encodeURIComponent(at)}`}`);

  test('The active version at a time is correct to the millisecond', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.', 'Three.');
    const [first, second, third] = versions as [string, string, string];
    assert.equal(await activeAt(id), null, 'nothing was deployed yet');
    const times: string[] = [];
    for (const version of [first, second, first]) {
      times.push((await deploy(owner, id, version)).deployed_at);
      await sleep(5);
    }
    const [one, two, three] = times as [string, string, string];
    const found = async (at?: string) => {
      const active = await activeAt(id, at);
      return active && [active.id, active.deployed_at];
    };
    assert.equal(await found(moved(one, -1)), null);
    assert.equal(await found('2001-01-01T00:00:00Z'), null);
    assert.deepEqual(await found(one), [first, one], 'from the very moment of the deploy');
    assert.deepEqual(await found(moved(two, -1)), [first, one], 'until the next');
    assert.deepEqual(await found(two), [second, two]);
    assert.deepEqual(await found(moved(three, -1)), [second, two]);
    assert.deepEqual(await found(three), [first, three], 'a roll-back is a deploy too');
    assert.deepEqual(await found(), [first, three]);
    assert.deepEqual(await found('2999-12-31T23:59:59.999Z'), [first, three]);
    await service.patch(`/v1/agents/${id}`, { instructions: 'Four.' });
    await deploy(owner, id, first);
    assert.deepEqual(await found(), [first, three], 'neither an edit nor the same again is a deploy');
    await deploy(owner, id, third);
    assert.deepEqual(await found(three), [first, three], 'a later deploy changes no answer about the past');
  });

  test('The active version includes its text and state', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const [first, second] = versions as [string, string];
    const { deployed_at } = await deploy(owner, id, first);
    await deploy(owner, id, second);
    const { created_at, ...active } = await activeAt(id, deployed_at);
    assert.deepEqual(active, {
      id: first,
      version_label: 'v1',
      deployment_status: 'archived',
      instructions: 'One.',
      deployed_at,
      deployed_by: (await owner.request('GET', '/session')).id,
      deployed_by_email: 'owner@example.com',
      deployed_by_key_name: null,
      note: null,
      version_note: null,
      config: {},
      config_sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    });
    assert.ok(created_at <= deployed_at);
  });

  test('The time of an active version must be valid and have a time zone', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.');
    const { deployed_at } = await deploy(owner, id, versions[0] as string);
    const there = moved(deployed_at, 2 * 3_600_000).replace('Z', '+02:00');
    assert.equal((await activeAt(id, there)).id, versions[0]);
    const justBefore = moved(deployed_at, 2 * 3_600_000 - 1).replace('Z', '+02:00');
    assert.equal(await activeAt(id, justBefore), null);
    for (const at of [
      'yesterday',
      '2026-01-31',
      '2026-01-31T09:30:00',
      '1769850000',
      '2026-13-01T00:00:00Z',
      '2026-02-31T00:00:00Z',
      '2026-01-31T24:00:00Z',
    ]) {
      assertInvalid(await owner.call('GET', `/agents/${id}/active?at=${encodeURIComponent(at)}`), 'at');
    }
  });
});

onEveryEngine('Concurrent deploys', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  test('Concurrent deploys are serialized and leave one version deployed', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => `Text ${at}.`) as [string, ...string[]];
    const { id, versions } = await makeAgentWithVersions(service, ...texts);
    const replies = await Promise.all(versions.map((version) => deploy(owner, id, version)));
    assert.ok(replies.every(({ changed }) => changed));
    const records: Json[] = (await owner.request('GET', `/agents/${id}/deploys`)).reverse();
    assert.deepEqual(records.map((each) => each.version_id).sort(), [...versions].sort());
    for (const [at, { previous_version_id, deployed_at }] of records.entries()) {
      assert.equal(previous_version_id, records[at - 1]?.version_id ?? null);
      if (at > 0) assert.ok(deployed_at > records[at - 1]?.deployed_at);
    }
    const { data } = (await service.get(`/v1/agents/${id}`)).body;
    const deployed = data.versions.filter((each: Json) => each.deployment_status === 'deployed');
    assert.deepEqual(
      deployed.map((each: Json) => each.id),
      [records.at(-1)?.version_id],
    );
    assert.equal(data.versions.filter((each: Json) => each.deployment_status === 'archived').length, 19);
    assert.equal(data.deployed_version.id, records.at(-1)?.version_id);
    const listed = (await service.get('/v1/agents')).body.data.find((each: Json) => each.id === id);
    assert.equal(listed.deployed_version.id, records.at(-1)?.version_id);
  });

  test('Concurrent deploys of one version are recorded once', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.');
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => deploy(owner, id, versions[0] as string)),
    );
    assert.equal(replies.filter(({ changed }) => changed).length, 1);
    assert.equal((await owner.request('GET', `/agents/${id}/deploys`)).length, 1);
  });

  test('Concurrent deploys and edits of the text lose nothing', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.');
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => [
        service.patch(`/v1/agents/${id}`, { instructions: `Edit ${at}.` }),
        deploy(owner, id, versions[0] as string),
      ]).flat(),
    );
    const { data } = (await service.get(`/v1/agents/${id}`)).body;
    assert.equal(data.versions.length, 11);
    assert.equal(data.deployed_version.id, versions[0]);
    const listed = (await service.get('/v1/agents')).body.data.find((each: Json) => each.id === id);
    assert.equal(listed.deployed_version.id, versions[0], 'an edit at the same time keeps what is deployed');
  });
});
