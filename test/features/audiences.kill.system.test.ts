import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import { assertEnrolledOnce, untilFollowed } from '../kit/fixtures/audiences.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const TAG = 'gold';
const ROUNDS = 3;

/** Kills the service while contacts change under a live audience. */
const killUnderAudience = (engine: 'sqlite' | 'postgres') =>
  withRestartableService(engine, async (service) => {
    const request = async (method: string, path: string, body?: Json): Promise<Json> => {
      const reply = await service.call(method, path, body);
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
      return reply.body.data;
    };
    const agent = await request('POST', '/agents', { name: 'Caller', instructions: 'Ask.' });
    const filter = { attribute: 'tag', op: 'eq', value: TAG };
    const segment = await request('POST', '/segments', { name: 'Gold', filter, shared: true });
    const contacts: string[] = [];
    for (let made = 0; made < 30; made++)
      contacts.push((await request('POST', '/contacts', { phone_number: newPhone() })).id);
    const audience = { segment_id: segment.id, mode: 'live' };
    const { id } = await request('POST', '/campaigns', { name: 'Live', agent_id: agent.id, audience });
    for (let round = 0; round < ROUNDS; round++) {
      let isKilled = false;
      const change = async (worker: number) => {
        for (let step = 0; !isKilled; step++) {
          const contact = contacts[(worker * 11 + step + round) % contacts.length];
          const tags = (step + worker + round) % 3 === 0 ? [] : [TAG];
          // A killed service does not answer; whether it has stored the change does not matter here.
          await service.call('PATCH', `/contacts/${contact}`, { tags }).catch(() => undefined);
        }
      };
      await untilFollowed(service.database, id);
      const position = async () => {
        const [state] = await service.database.query('select followed_until from campaigns where id = ?', id);
        return Number((state as Json).followed_until);
      };
      const before = await position();
      const workers = [0, 1, 2, 3].map(change);
      // In the middle of the changes: some of them are followed already, others are not.
      await eventually('a followed change', async () => (await position()) > before + 10);
      await service.kill();
      isKilled = true;
      await Promise.all(workers);
      await service.start();
    }
    await untilFollowed(service.database, id);
    await assertEnrolledOnce(service.database, id, TAG);
    const enrolled = await service.database.query('select 1 from enrollments where campaign_id = ?', id);
    assert.ok(enrolled.length > 0);
  });

describe('Service killed under a live audience', () => {
  it('A service killed under a live audience misses and doubles no one, on SQLite', () =>
    killUnderAudience('sqlite'));
  it('A service killed under a live audience misses and doubles no one, on PostgreSQL', () =>
    killUnderAudience('postgres'));
});
