import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertInvalid, TIMESTAMP, UUID_V7 } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const astral = (count: number) => '𝒜'.repeat(count);

onEveryEngine('Agent creation', (service) => {
  const create = (fields: Record<string, unknown>) =>
    service.post('/v1/agents', { name: 'Agent', instructions: 'Be kind.', ...fields });
  const countAgents = async () => (await service.get('/v1/agents')).body.pagination.total;

  it('Creating an agent returns 201 with exactly the documented fields and its Location', async () => {
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

  it('A new agent has one draft, v1, and no deployed version', async () => {
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

  it('A missing or null agent description is stored as null', async () => {
    assert.equal((await makeAgent(service)).description, null);
    assert.equal((await makeAgent(service, { description: null })).description, null);
  });

  it('Agent texts are stored exactly as sent', async () => {
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
    it(`An agent accepts ${limit} characters of ${field}, also outside the BMP, and not one more`, async () => {
      for (const text of ['x'.repeat(limit), astral(limit)]) {
        assert.equal((await create({ [field]: text })).status, 201, `${text.length} units`);
      }
      for (const text of ['x'.repeat(limit + 1), astral(limit + 1), `x${astral(limit)}`]) {
        const error = assertInvalid(await create({ [field]: text }), field);
        assert.match(error.message, new RegExp(`at most ${limit} characters; this has ${limit + 1}`));
      }
    });
  }

  it('An agent accepts empty instructions but not an empty name', async () => {
    assert.equal((await create({ instructions: '' })).status, 201);
    assertInvalid(await create({ name: '' }), 'name');
    assert.equal((await create({ name: ' ' })).status, 201);
  });

  it('Creating an agent requires name and instructions and reports every invalid field', async () => {
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

  it('Creating an agent rejects null, wrong types and text that cannot be stored', async () => {
    for (const field of ['name', 'instructions']) assertInvalid(await create({ [field]: null }), field);
    for (const field of ['name', 'description', 'instructions']) {
      for (const value of [1, true, ['a'], { a: 1 }]) assertInvalid(await create({ [field]: value }), field);
      assertInvalid(await create({ [field]: 'a\0b' }), field);
      assertInvalid(await create({ [field]: 'a\ud800b' }), field);
      assertInvalid(await create({ [field]: '\udc00' }), field);
    }
  });

  it('Creating an agent rejects unknown fields by name and ignores read-only fields', async () => {
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

  it('A rejected agent create writes nothing', async () => {
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

  it('Two agents can have the same name', async () => {
    const [one, two] = [
      await makeAgent(service, { name: 'Twin' }),
      await makeAgent(service, { name: 'Twin' }),
    ];
    assert.notEqual(one.id, two.id);
  });
});
