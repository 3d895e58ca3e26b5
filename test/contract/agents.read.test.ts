import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

onEveryEngine('Agent list and get', (service) => {
  const agents: Json[] = [];
  before(async () => {
    for (let count = 0; count < 25; count++) agents.unshift(await makeAgent(service, { name: `A${count}` }));
  });
  const ids = (body: Json) => body.data.map((agent: Json) => agent.id);
  const expected = (from: number, to: number) => agents.slice(from, to).map((agent) => agent.id);

  it('The agent list is newest first with twenty agents per page', async () => {
    const { status, body } = await service.get('/v1/agents');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['success', 'data', 'pagination']);
    assert.equal(body.success, true);
    assert.deepEqual(body.pagination, { total: 25, limit: 20, offset: 0, has_more: true });
    assert.deepEqual(ids(body), expected(0, 20));
    assert.deepEqual(body.data[0], { ...agents[0], deployed_version: null });
  });

  for (const [query, window, from, to, has_more] of [
    ['limit=5', { limit: 5, offset: 0 }, 0, 5, true],
    ['limit=5&offset=20', { limit: 5, offset: 20 }, 20, 25, false],
    ['limit=5&offset=19', { limit: 5, offset: 19 }, 19, 24, true],
    ['limit=1&offset=24', { limit: 1, offset: 24 }, 24, 25, false],
    ['limit=100', { limit: 100, offset: 0 }, 0, 25, false],
    ['limit=25', { limit: 25, offset: 0 }, 0, 25, false],
    ['limit=24', { limit: 24, offset: 0 }, 0, 24, true],
    ['offset=25', { limit: 20, offset: 25 }, 25, 25, false],
    ['offset=2000', { limit: 20, offset: 2000 }, 25, 25, false],
    ['offset=9007199254740991', { limit: 20, offset: 9007199254740991 }, 25, 25, false],
  ] as const) {
    it(`The agent list paginates by ${query}`, async () => {
      const { status, body } = await service.get(`/v1/agents?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(ids(body), expected(from, to));
      assert.deepEqual(body.pagination, { total: 25, ...window, has_more });
    });
  }

  for (const query of [
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', '1e1'],
    ['limit', '0x10'],
    ['limit', 'ten'],
    ['limit', '%2010'],
    ['limit', '9'.repeat(400)],
    ['offset', '-1'],
    ['offset', '0.5'],
    ['offset', 'NaN'],
    ['offset', 'Infinity'],
    ['offset', '9007199254740992'],
    ['offset', '99999999999999999999'],
    ['search', 'x'],
    ['tag', 'x'],
    ['Limit', '5'],
  ] as const) {
    it(`The agent list rejects ${query[0]}=${query[1].slice(0, 24)}`, async () => {
      assertInvalid(await service.get(`/v1/agents?${query.join('=')}`), query[0]);
    });
  }

  it('An invalid limit and an invalid offset are reported together', async () => {
    assertInvalid(await service.get('/v1/agents?limit=0&offset=-1'), 'limit', 'offset');
  });

  it('An agent id matches in either case and is returned in its stored form', async () => {
    const reply = await service.get(`/v1/agents/${agents[0].id.toUpperCase()}`);
    assert.equal(reply.status, 200);
    assert.equal(reply.body.data.id, agents[0].id);
    const patched = await service.patch(`/v1/agents/${agents[1].id.toUpperCase()}`, {});
    assert.equal(patched.body.data.id, agents[1].id);
  });

  for (const id of [
    'x',
    '1',
    UNKNOWN_ID.slice(1),
    `${UNKNOWN_ID}0`,
    UNKNOWN_ID.replaceAll('-', ''),
    `{${UNKNOWN_ID}}`,
    `urn:uuid:${UNKNOWN_ID}`,
    UNKNOWN_ID.replace('0', 'g'),
    `${UNKNOWN_ID}%0A`,
    '%00',
    "'%20or%201=1--",
    'contact_01h455vb4pex5vsknk084sn02q',
  ]) {
    it(`The agent id ${id}, which is not a UUID, returns 400`, async () => {
      for (const reply of [
        await service.get(`/v1/agents/${id}`),
        await service.patch(`/v1/agents/${id}`, { name: 'New' }),
        await service.delete(`/v1/agents/${id}`),
      ]) {
        assertInvalid(reply, 'id');
      }
    });
  }

  it('A UUID that matches no agent returns 404', async () => {
    for (const id of [UNKNOWN_ID, '00000000-0000-0000-0000-000000000000', UNKNOWN_ID.toUpperCase()]) {
      for (const reply of [
        await service.get(`/v1/agents/${id}`),
        await service.patch(`/v1/agents/${id}`, { name: 'New' }),
        await service.patch(`/v1/agents/${id}`, { instructions: 'New' }),
        await service.delete(`/v1/agents/${id}`),
      ]) {
        assert.equal('details' in assertError(reply, 404, 'NOT_FOUND'), false);
      }
    }
    const [{ count } = {}] = await service.database.query('select count(*) as count from agent_versions');
    assert.equal(Number(count), 25);
  });
});
