import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { entriesOfRequest } from '../kit/dashboard/audit.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { deploy, makeAgentWithVersions, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Variables of agents', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
    await makeField(service, 'plan', 'text');
    await makeField(service, 'gone', 'text');
    await service.database.query(`update contact_fields set archived_at = updated_at where key = 'gone'`);
  });
  const get = async (id: string) => (await service.get(`/v1/agents/${id}/variables`)).body.data;
  const put = (id: string, variables: unknown) =>
    service.call('PUT', `/v1/agents/${id}/variables`, { variables });
  const SLOT = { name: 'slot', description: 'When', example: 'Tuesday at ten' };

  it('An agent has no variables until they are sent, and then exactly those, in their order', async () => {
    const { id } = await makeAgent(service);
    assert.deepEqual(await get(id), { variables: [] });
    const second = { name: 'a', description: null, example: null };
    const reply = await put(id, [SLOT, { name: 'a' }]);
    assert.deepEqual([reply.status, reply.body.data], [200, { variables: [SLOT, second] }]);
    assert.deepEqual(await get(id), { variables: [SLOT, second] });
    assert.deepEqual((await put(id, (await get(id)).variables)).body.data, { variables: [SLOT, second] });
    await put(id, []);
    assert.deepEqual(await get(id), { variables: [] });
  });

  it('A change of variables is an update of the agent, and sending the same ones is none', async () => {
    const agent = await makeAgent(service);
    const updated = async () => (await service.get(`/v1/agents/${agent.id}`)).body.data.updated_at;
    await put(agent.id, []);
    assert.equal(await updated(), agent.updated_at);
    const changed = await put(agent.id, [SLOT]);
    assert.deepEqual(
      (await entriesOfRequest(service, changed)).map(({ action, fields }) => [action, fields]),
      [['agent.updated', ['variables']]],
    );
    const later = await updated();
    assert.ok(later > agent.updated_at);
    const [listed] = (await service.get('/v1/agents')).body.data;
    assert.deepEqual([listed.id, listed.updated_at], [agent.id, later]);
    assert.deepEqual(await entriesOfRequest(service, await put(agent.id, [SLOT])), []);
    assert.equal(await updated(), later);
  });

  it('Invalid variables get 400 and change nothing', async () => {
    const { id } = await makeAgent(service);
    await put(id, [SLOT]);
    const many = Array.from({ length: 101 }, (_, at) => ({ name: `v${at}` }));
    const refused: [unknown, string][] = [
      [[{ name: 'first_name' }], 'variables[0].name'],
      [[{ name: 'Slot' }], 'variables[0].name'],
      [[{ name: 'fields.plan' }], 'variables[0].name'],
      [[{ name: `a${'b'.repeat(40)}` }], 'variables[0].name'],
      [[SLOT, { name: 'ok', example: 7 }], 'variables[1].example'],
      [[{ description: 'x' }], 'variables[0].name'],
      [[SLOT, SLOT], 'variables'],
      [many, 'variables'],
      [{}, 'variables'],
    ];
    for (const [variables, field] of refused) assertInvalid(await put(id, variables), field);
    assertInvalid(await service.call('PUT', `/v1/agents/${id}/variables`, {}), 'variables');
    assert.deepEqual(await get(id), { variables: [SLOT] });
    assert.equal((await put(id, many.slice(1))).status, 200);
  });

  it('An agent that does not exist has no variables', async () => {
    const missing = '01890a5d-ac96-774b-bcce-b302099a8057';
    assertError(await service.get(`/v1/agents/${missing}/variables`), 404, 'NOT_FOUND');
    assertError(await put(missing, [SLOT]), 404, 'NOT_FOUND');
    const { id } = await makeAgent(service);
    await service.delete(`/v1/agents/${id}`);
    assertError(await put(id, [SLOT]), 404, 'NOT_FOUND');
  });

  it('A deploy knows fields and declared variables, and refuses archived fields and other names', async () => {
    const text =
      '{{first_name|you}} {{plan}} {{ fields.plan | basic }} {{slot}} {{gone}} {{slto}} {{fields.pln}}';
    const { id } = await makeAgentWithVersions(service, text);
    await put(id, [SLOT]);
    const refused = await owner.call('POST', `/agents/${id}/versions/v1/deploy`, {});
    assertError(refused, 409, 'CONFLICT');
    assert.deepEqual(
      refused.body.error.details.slice(1).map(({ message }: { message: string }) => message),
      [
        '{{gone}} is not a variable.',
        '{{slto}} is not a variable. Did you mean {{slot}}?',
        '{{fields.pln}} is not a variable. Did you mean {{fields.plan}}?',
      ],
    );
    const impact = await owner.request('GET', `/agents/${id}/versions/v1/impact`);
    assert.deepEqual(impact.unknown_variables, [
      { placeholder: '{{gone}}', suggestion: null },
      { placeholder: '{{slto}}', suggestion: 'slot' },
      { placeholder: '{{fields.pln}}', suggestion: 'fields.plan' },
    ]);
    const good = await makeAgentWithVersions(service, '{{plan}} {{fields.plan}} {{slot}} {{{{x}}');
    await put(good.id, [SLOT]);
    assert.equal((await deploy(owner, good.id, 'v1')).changed, true);
  });

  it('A duplicate of an agent has the same variables', async () => {
    const { id } = await makeAgent(service);
    await put(id, [SLOT]);
    const copy = await service.post(`/v1/agents/${id}/duplicate`, {});
    assert.equal(copy.status, 201);
    assert.deepEqual(await get(copy.body.data.id), { variables: [SLOT] });
  });
});
