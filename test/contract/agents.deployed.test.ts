import assert from 'node:assert/strict';
import { it } from 'node:test';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Deployed version of an agent', (service) => {
  const get = async (id: string): Promise<Json> => (await service.get(`/v1/agents/${id}`)).body.data;
  const listed = async (id: string): Promise<Json> =>
    (await service.get('/v1/agents?limit=100')).body.data.find((agent: Json) => agent.id === id);

  it('The deployed version is null in list and get before the first deploy', async () => {
    const { id } = await makeAgent(service);
    assert.deepEqual(Object.keys(await get(id)), [
      'id',
      'name',
      'description',
      'created_at',
      'updated_at',
      'deployed_version',
      'versions',
    ]);
    assert.equal((await get(id)).deployed_version, null);
    assert.deepEqual(Object.keys(await listed(id)), [
      'id',
      'name',
      'description',
      'created_at',
      'updated_at',
      'deployed_version',
    ]);
    assert.equal((await listed(id)).deployed_version, null);
  });

  it('A get shows the deployed instructions; a list shows only the id and label', async () => {
    const instructions = 'Line one\n"two" \\ 𝒜';
    const { id } = await makeAgent(service, { instructions });
    const version = await markDeployed(service.database, id, 1);
    const shown = await get(id);
    assert.deepEqual(shown.deployed_version, { id: version, version_label: 'v1', instructions });
    assert.deepEqual(
      shown.versions.map((each: Json) => [each.id, each.version_label, each.deployment_status]),
      [[version, 'v1', 'deployed']],
    );
    for (const each of shown.versions) assert.equal('instructions' in each, false);
    assert.deepEqual((await listed(id)).deployed_version, { id: version, version_label: 'v1' });
  });

  it('A deployed version with empty instructions is shown', async () => {
    const { id } = await makeAgent(service, { instructions: '' });
    const version = await markDeployed(service.database, id, 1);
    assert.deepEqual((await get(id)).deployed_version, {
      id: version,
      version_label: 'v1',
      instructions: '',
    });
  });

  it('The deployed version stays deployed when an update adds a draft or renames the agent', async () => {
    const { id } = await makeAgent(service, { instructions: 'live' });
    const version = await markDeployed(service.database, id, 1);
    const reply = await service.patch(`/v1/agents/${id}`, { name: 'Renamed', instructions: 'next' });
    assert.equal('deployed_version' in reply.body.data, false);
    const shown = await get(id);
    assert.deepEqual(shown.deployed_version, { id: version, version_label: 'v1', instructions: 'live' });
    assert.deepEqual(
      shown.versions.map((each: Json) => [each.version_label, each.deployment_status]),
      [
        ['v2', 'draft'],
        ['v1', 'deployed'],
      ],
    );
    assert.deepEqual(await listed(id), {
      ...reply.body.data,
      deployed_version: { id: version, version_label: 'v1' },
    });
  });

  it('A deploy archives the previous version, also when it returns to an older one', async () => {
    const { id } = await makeAgent(service, { instructions: 'one' });
    await service.patch(`/v1/agents/${id}`, { instructions: 'two' });
    const first = await markDeployed(service.database, id, 1);
    const second = await markDeployed(service.database, id, 2);
    assert.deepEqual((await get(id)).deployed_version, {
      id: second,
      version_label: 'v2',
      instructions: 'two',
    });
    assert.equal((await get(id)).versions[1].deployment_status, 'archived');
    await markDeployed(service.database, id, 1);
    assert.deepEqual((await get(id)).deployed_version, {
      id: first,
      version_label: 'v1',
      instructions: 'one',
    });
    assert.equal((await get(id)).versions[0].deployment_status, 'archived');
  });

  it('Sending back an agent as it was read creates no version', async () => {
    const { id } = await makeAgent(service, { instructions: 'live' });
    await markDeployed(service.database, id, 1);
    const before = await get(id);
    assert.equal((await service.patch(`/v1/agents/${id}`, before)).status, 200);
    const after = await get(id);
    assert.deepEqual({ ...after, updated_at: '' }, { ...before, updated_at: '' });
  });

  it('The database rejects a second deployed version and an unknown status', async () => {
    const { id } = await makeAgent(service);
    await service.patch(`/v1/agents/${id}`, { instructions: 'two' });
    await markDeployed(service.database, id, 1);
    const set = (status: string) =>
      service.database.query(
        'update agent_versions set status = ? where agent_id = ? and number = 2',
        status,
        id,
      );
    await assert.rejects(set('deployed'), /unique/i);
    await assert.rejects(set('live'), /check/i);
    const other = await makeAgent(service);
    await markDeployed(service.database, other.id, 1);
    assert.equal((await get(id)).deployed_version.version_label, 'v1');
  });
});
