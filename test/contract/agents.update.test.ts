import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertInvalid, UUID_V7 } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Agent updates', (service) => {
  const patch = (id: string, fields: unknown) => service.patch(`/v1/agents/${id}`, fields);
  const get = async (id: string): Promise<Json> => (await service.get(`/v1/agents/${id}`)).body.data;
  const labels = async (id: string) => (await get(id)).versions.map((version: Json) => version.version_label);

  it('Updating an agent returns exactly the documented fields and changes only the sent ones', async () => {
    const agent = await makeAgent(service, { name: 'Old', description: 'Kept' });
    const reply = await patch(agent.id, { name: 'New' });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('location'), null);
    assert.deepEqual(Object.keys(reply.body), ['success', 'data']);
    const { updated_at, ...rest } = reply.body.data;
    assert.deepEqual(rest, {
      id: agent.id,
      name: 'New',
      description: 'Kept',
      created_at: agent.created_at,
    });
    assert.ok(updated_at > agent.updated_at);
    const { deployed_version, versions, ...stored } = await get(agent.id);
    assert.deepEqual(stored, reply.body.data);
    assert.equal(deployed_version, null);
    assert.equal(versions.length, 1);
    const listed = (await service.get('/v1/agents')).body.data[0];
    assert.deepEqual(listed, { ...stored, deployed_version: null });
  });

  it('New instructions create drafts v2, v3 and so on, newest first, each with its own text', async () => {
    const { id } = await makeAgent(service, { instructions: 'one' });
    const second = await patch(id, { instructions: 'two' });
    assert.deepEqual(Object.keys(second.body.data).sort(), [
      'created_at',
      'description',
      'id',
      'name',
      'updated_at',
    ]);
    const third = await patch(id, { name: 'Renamed', instructions: '' });
    await patch(id, { instructions: '' });
    const { versions } = await get(id);
    assert.deepEqual(
      versions.map((version: Json) => [version.version_label, version.deployment_status]),
      ['v4', 'v3', 'v2', 'v1'].map((label) => [label, 'draft']),
    );
    assert.equal(versions[2].created_at, second.body.data.updated_at);
    assert.equal(versions[1].created_at, third.body.data.updated_at);
    assert.equal(new Set(versions.map((version: Json) => version.id)).size, 4);
    for (const version of versions) {
      assert.deepEqual(Object.keys(version), ['id', 'version_label', 'deployment_status', 'created_at']);
      assert.match(version.id, UUID_V7);
    }
    const rows = await service.database.query(
      'select instructions from agent_versions where agent_id = ? order by number',
      id,
    );
    assert.deepEqual(
      rows.map((row) => row.instructions),
      ['one', 'two', '', ''],
    );
  });

  it('Versions after v9 are sorted by number', async () => {
    const { id } = await makeAgent(service);
    for (let count = 2; count <= 11; count++) await patch(id, { instructions: `${count}` });
    assert.deepEqual(
      await labels(id),
      Array.from({ length: 11 }, (_, at) => `v${11 - at}`),
    );
  });

  it('An update without instructions creates no version', async () => {
    const { id } = await makeAgent(service);
    for (const fields of [{}, { name: 'B' }, { description: 'C' }, { description: null }]) {
      assert.equal((await patch(id, fields)).status, 200);
    }
    assert.deepEqual(await labels(id), ['v1']);
  });

  it('A null description clears it; null is rejected for other agent fields', async () => {
    const { id } = await makeAgent(service, { description: 'Something' });
    assert.equal((await patch(id, { description: null })).body.data.description, null);
    assert.equal((await get(id)).description, null);
    assertInvalid(await patch(id, { name: null }), 'name');
    assertInvalid(await patch(id, { instructions: null }), 'instructions');
    assert.deepEqual(await labels(id), ['v1']);
  });

  it('Agent updates have the same limits as creates', async () => {
    const { id, updated_at } = await makeAgent(service);
    for (const [field, limit] of [
      ['name', 100],
      ['description', 500],
      ['instructions', 50_000],
    ] as const) {
      assertInvalid(await patch(id, { [field]: 'x'.repeat(limit + 1) }), field);
      assertInvalid(await patch(id, { [field]: '𝒜'.repeat(limit + 1) }), field);
      assertInvalid(await patch(id, { [field]: 'a\0' }), field);
      assertInvalid(await patch(id, { [field]: 5 }), field);
    }
    assertInvalid(await patch(id, { name: '' }), 'name');
    assertInvalid(await patch(id, { title: 'x' }), 'title');
    assert.equal((await get(id)).updated_at, updated_at, 'a refused update changes nothing');
    assert.deepEqual(await labels(id), ['v1']);
    for (const [field, limit] of [
      ['name', 100],
      ['description', 500],
      ['instructions', 50_000],
    ] as const) {
      assert.equal((await patch(id, { [field]: '𝒜'.repeat(limit) })).status, 200);
    }
  });

  it('An agent update is applied completely or not at all', async () => {
    const { id, name } = await makeAgent(service);
    assertInvalid(await patch(id, { name: 'Changed', instructions: 'x'.repeat(50_001) }), 'instructions');
    assertInvalid(await patch(id, { instructions: 'fine', name: '' }), 'name');
    assert.equal((await get(id)).name, name);
    assert.deepEqual(await labels(id), ['v1']);
  });

  it('An agent can be sent back as it was read', async () => {
    const { id } = await makeAgent(service, { description: 'As it was' });
    const before = await get(id);
    const reply = await patch(id, before);
    assert.equal(reply.status, 200, reply.text);
    const { updated_at, ...after } = await get(id);
    const { updated_at: earlier, ...unchanged } = before;
    assert.deepEqual(after, unchanged);
    assert.ok(updated_at > earlier);
  });

  it('The updated_at of an agent always increases, even if the clock steps back', async () => {
    const { id } = await makeAgent(service);
    const replies = await Promise.all(Array.from({ length: 20 }, () => patch(id, {})));
    const times = replies.map((reply) => reply.body.data.updated_at).sort();
    assert.equal(new Set(times).size, 20);
    assert.equal((await get(id)).updated_at, times[19]);
    const ahead = '2999-12-31T23:59:59.999Z';
    await service.database.query('update agents set updated_at = ? where id = ?', ahead, id);
    assert.equal((await patch(id, {})).body.data.updated_at, '3000-01-01T00:00:00.000Z');
  });

  it('Twenty concurrent updates of an agent number their versions without gaps', async () => {
    const { id } = await makeAgent(service);
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
    const replies = await Promise.all(texts.map((instructions) => patch(id, { instructions })));
    assert.deepEqual(
      replies.map((reply) => reply.status),
      replies.map(() => 200),
    );
    assert.deepEqual(
      await labels(id),
      Array.from({ length: 21 }, (_, at) => `v${21 - at}`),
    );
    const rows = await service.database.query(
      'select instructions from agent_versions where agent_id = ?',
      id,
    );
    assert.deepEqual(rows.map((row) => row.instructions).sort(), ['Be kind.', ...texts].sort());
  });
});
