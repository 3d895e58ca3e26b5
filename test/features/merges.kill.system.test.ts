import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { insertCalls } from '../kit/fixtures/merges.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import type { Json } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const CALLS = 6_000;

const killWhileMoving = (engine: 'sqlite' | 'postgres') =>
  withRestartableService(engine, async (service) => {
    const { query } = service.database;
    const request = async (method: string, path: string, body?: Json): Promise<Json> => {
      const reply = await service.call(method, path, body);
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
      return reply.body.data;
    };
    const make = async () => (await request('POST', '/contacts', { phone_number: newPhone() })).id;
    const [survivor, other] = [await make(), await make()];
    const channel = await request('POST', '/channels', { kind: 'phone', name: 'Line', address: newPhone() });
    await insertCalls(service.database, { channel: channel.id, contact: other, count: CALLS });
    const callsOf = async (contact: string) =>
      Number((await query('select count(*) as count from calls where contact_id = ?', contact))[0]?.count);
    const statusOf = async (id: string) => (await request('GET', `/merges/${id}`)).status;
    const ids = { survivor_id: survivor, other_ids: [other] };
    const { plan_token } = await request('POST', '/merges', { ...ids, dry_run: true });
    const { id } = await request('POST', '/merges', { ...ids, plan_token });
    await eventually('a step', async () => (await callsOf(survivor)) > 1_001);
    await service.kill();
    await service.start();
    await eventually('the end of the merge', async () => (await statusOf(id)) === 'merged');
    assert.deepEqual([await callsOf(survivor), await callsOf(other)], [CALLS, 0]);
    await request('POST', `/merges/${id}/undo`);
    await eventually('a step back', async () => (await callsOf(other)) > 1_001);
    await service.kill();
    await service.start();
    await eventually('the end of the undo', async () => (await statusOf(id)) === 'undone');
    assert.deepEqual([await callsOf(survivor), await callsOf(other)], [0, CALLS]);
    assert.deepEqual(await query('select 1 from merge_records'), []);
    await assertConsistent(service.database);
  });

describe('A service that is killed while the calls of a merge move', () => {
  for (const engine of ['sqlite', 'postgres'] as const)
    it(`moves each of them once on ${engine}`, () => killWhileMoving(engine));
});
