import assert from 'node:assert/strict';
import { it } from 'node:test';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Agent deletion', (service) => {
  const list = async (query = '') => (await service.get(`/v1/agents${query}`)).body;

  it('Deleting an agent returns exactly the documented confirmation', async () => {
    const { id } = await makeAgent(service);
    const reply = await service.delete(`/v1/agents/${id}`);
    assert.equal(reply.status, 200);
    assert.equal(reply.text, '{"success":true,"data":{"deleted":true}}');
  });

  it('A deleted agent returns the same 404 as an agent that never existed', async () => {
    const { id } = await makeAgent(service);
    await markDeployed(service.database, id, 1);
    await service.delete(`/v1/agents/${id}`);
    const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
    for (const prefix of ['/v1', '/api/v1']) {
      const calls = [
        (at: string) => service.get(`${prefix}/agents/${at}`),
        (at: string) => service.patch(`${prefix}/agents/${at}`, { name: 'Back' }),
        (at: string) => service.patch(`${prefix}/agents/${at}`, { instructions: 'x' }),
        (at: string) => service.delete(`${prefix}/agents/${at}`),
      ];
      for (const call of calls) {
        const reply = await call(id);
        assertError(reply, 404, 'NOT_FOUND');
        assert.deepEqual(comparableReply(reply), comparableReply(await call(unknownId)));
        assertError(await call(id.toUpperCase()), 404, 'NOT_FOUND');
      }
    }
    const versions = await service.database.query('select number from agent_versions where agent_id = ?', id);
    assert.equal(versions.length, 1, 'an update of a deleted agent makes no version');
  });

  it('A deleted agent is missing from every list and total, and the others keep their order', async () => {
    const before = (await list()).pagination.total;
    const made = [];
    for (let count = 0; count < 5; count++) made.unshift(await makeAgent(service));
    const [newest, second, third, fourth, oldest] = made.map((agent) => agent.id);
    await service.delete(`/v1/agents/${third}`);
    await service.delete(`/v1/agents/${newest}`);
    const { data, pagination } = await list('?limit=3');
    assert.deepEqual(
      data.map((agent: Json) => agent.id),
      [second, fourth, oldest],
    );
    assert.deepEqual(pagination, { total: before + 3, limit: 3, offset: 0, has_more: before > 0 });
    assert.equal((await list('?limit=1&offset=1')).data[0].id, fourth);
  });

  it('Of twenty concurrent deletes of an agent, exactly one counts', async () => {
    const { id } = await makeAgent(service);
    const before = (await list()).pagination.total;
    const replies = await Promise.all(Array.from({ length: 20 }, () => service.delete(`/v1/agents/${id}`)));
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, ...Array(19).fill(404)]);
    assert.equal((await list()).pagination.total, before - 1);
  });

  it('The agent list is empty after all agents are deleted', async () => {
    for (const agent of (await list('?limit=100')).data) await service.delete(`/v1/agents/${agent.id}`);
    const { data, pagination } = await list();
    assert.deepEqual(data, []);
    assert.deepEqual(pagination, { total: 0, limit: 20, offset: 0, has_more: false });
  });

  it('Deleting an agent keeps its row and all its versions', async () => {
    const { id } = await makeAgent(service, { name: 'Remembered', instructions: 'one' });
    await service.patch(`/v1/agents/${id}`, { instructions: 'two' });
    await service.delete(`/v1/agents/${id}`);
    const [row] = await service.database.query('select name, deleted_at from agents where id = ?', id);
    assert.equal(row?.name, 'Remembered');
    assert.match(String(row?.deleted_at), /^\d{4}-.*Z$/);
    const versions = await service.database.query(
      'select instructions from agent_versions where agent_id = ? order by number',
      id,
    );
    assert.deepEqual(
      versions.map((version) => version.instructions),
      ['one', 'two'],
    );
  });
});
