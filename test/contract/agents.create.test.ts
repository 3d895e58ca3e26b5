import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertInvalid, TIMESTAMP, UUID_V7 } from '../kit/expect.ts';
import { makeAgent } from '../kit/factories.ts';
import { onEveryEngine } from '../kit/service.ts';

const astral = (count: number) => '𝒜'.repeat(count);

onEveryEngine('creating an agent', (service) => {
  const create = (fields: Record<string, unknown>) =>
    service.post('/v1/agents', { name: 'Agent', instructions: 'Be kind.', ...fields });
  const countAgents = async () => (await service.get('/v1/agents')).body.pagination.total;

  it('answers 201 with exactly the documented fields and where the agent is found', async () => {
    const before = Date.now();
    const reply = await create({ name: 'Front desk', description: 'Greets', instructions: 'Say hello.' });
    assert.equal(reply.status, 201);
    assert.deepEqual(Object.keys(reply.body), ['success', 'data']);
    assert.equal(reply.body.success, true);
    const { id, created_at, updated_at, ...rest } = reply.body.data;
    assert.deepEqual(rest, { name: 'Front desk', description: 'Greets' });
    assert.match(id, UUID_V7);
    assert.match(created_at, TIMESTAMP);
    assert.equal(updated_at, created_at);
    assert.ok(Date.parse(created_at) >= before - 1 && Date.parse(created_at) <= Date.now() + 1);
    assert.equal(reply.headers.get('location'), `/v1/agents/${id}`);
    assert.equal((await service.get(`/v1/agents/${id}`)).body.data.name, 'Front desk');
  });

  it('starts the agent with one draft, v1, and nothing deployed', async () => {
    const { id, created_at } = await makeAgent(service, { instructions: 'First.' });
    const { data } = (await service.get(`/v1/agents/${id}`)).body;
    assert.equal(data.deployed_version, null);
    assert.equal(data.versions.length, 1);
    const [{ id: version, ...summary }] = data.versions;
    assert.match(version, UUID_V7);
    assert.deepEqual(summary, { version_label: 'v1', deployment_status: 'draft', created_at });
    const stored = await service.database.query(
      'select id, instructions from agent_versions where agent_id = ?',
      id,
    );
    assert.deepEqual(
      stored.map((row) => ({ ...row })),
      [{ id: version, instructions: 'First.' }],
    );
  });

  it('makes an omitted or null description null', async () => {
    assert.equal((await makeAgent(service)).description, null);
    assert.equal((await makeAgent(service, { description: null })).description, null);
  });

  it('keeps every text exactly as sent', async () => {
    const texts = {
      name: '  Ünïcode 👩‍🚀 \n',
      description: '',
      instructions: '\t{{name}} "quoted" \\ \u2028 e\u0301 🤖\r\n ',
    };
    const { id, name, description } = await makeAgent(service, texts);
    assert.deepEqual({ name, description }, { name: texts.name, description: '' });
    const { data } = (await service.get(`/v1/agents/${id}`)).body;
    assert.deepEqual(
      { name: data.name, description: data.description },
      { name: texts.name, description: '' },
    );
    const [row] = await service.database.query(
      'select instructions from agent_versions where agent_id = ?',
      id,
    );
    assert.equal(row?.instructions, texts.instructions);
  });

  for (const [field, limit] of [
    ['name', 100],
    ['description', 500],
    ['instructions', 50_000],
  ] as const) {
    it(`takes ${limit} characters of ${field}, plain or astral, and not one more`, async () => {
      for (const text of ['x'.repeat(limit), astral(limit)]) {
        assert.equal((await create({ [field]: text })).status, 201, `${text.length} units`);
      }
      for (const text of ['x'.repeat(limit + 1), astral(limit + 1), `x${astral(limit)}`]) {
        const error = assertInvalid(await create({ [field]: text }), field);
        assert.match(error.message, new RegExp(`at most ${limit} characters; this has ${limit + 1}`));
      }
    });
  }

  it('takes empty instructions, but no empty name', async () => {
    assert.equal((await create({ instructions: '' })).status, 201);
    assertInvalid(await create({ name: '' }), 'name');
    assert.equal((await create({ name: ' ' })).status, 201);
  });

  it('requires name and instructions, and names every field at fault at once', async () => {
    assertInvalid(await service.post('/v1/agents', {}), 'name', 'instructions');
    assertInvalid(await service.post('/v1/agents', { name: 'A' }), 'instructions');
    assertInvalid(await service.post('/v1/agents', { instructions: 'A' }), 'name');
    assertInvalid(
      await service.post('/v1/agents', { name: '', description: 1, instructions: [] }),
      'name',
      'description',
      'instructions',
    );
  });

  it('refuses null and other types, and texts that could not be stored', async () => {
    for (const field of ['name', 'instructions']) assertInvalid(await create({ [field]: null }), field);
    for (const field of ['name', 'description', 'instructions']) {
      for (const value of [1, true, ['a'], { a: 1 }]) assertInvalid(await create({ [field]: value }), field);
      assertInvalid(await create({ [field]: 'a\0b' }), field);
      assertInvalid(await create({ [field]: 'a\ud800b' }), field);
      assertInvalid(await create({ [field]: '\udc00' }), field);
    }
  });

  it('refuses unknown fields by name and ignores those the server owns', async () => {
    for (const field of ['desciption', 'Name', 'source', 'version_label', 'constructor', 'toString', '']) {
      assertInvalid(await create({ [field]: 'x' }), field);
    }
    const owned = {
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      created_at: '2001-01-01T00:00:00.000Z',
      updated_at: 7,
      deployed_version: { id: 'x', version_label: 'v9', instructions: 'x' },
      versions: [{ id: 'x', version_label: 'v9', deployment_status: 'deployed' }],
    };
    const agent = await makeAgent(service, owned);
    assert.notEqual(agent.id, owned.id);
    assert.notEqual(agent.created_at, owned.created_at);
    const { data } = (await service.get(`/v1/agents/${agent.id}`)).body;
    assert.equal(data.deployed_version, null);
    assert.deepEqual(
      data.versions.map((version: { version_label: string }) => version.version_label),
      ['v1'],
    );
  });

  it('writes nothing when it refuses', async () => {
    const before = await countAgents();
    const [versions] = await service.database.query('select count(*) as count from agent_versions');
    await create({ name: '' });
    await create({ instructions: 'x'.repeat(50_001) });
    await create({ nmae: 'x' });
    assert.equal(await countAgents(), before);
    assert.deepEqual(await service.database.query('select count(*) as count from agent_versions'), [
      versions,
    ]);
  });

  it('lets two agents share a name', async () => {
    const [one, two] = [
      await makeAgent(service, { name: 'Twin' }),
      await makeAgent(service, { name: 'Twin' }),
    ];
    assert.notEqual(one.id, two.id);
  });
});
