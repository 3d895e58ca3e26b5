import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RestartableService, withRestartableService } from '../kit/faults/restartable-service.ts';
import { assertEnrolledOnce, untilFollowed } from '../kit/fixtures/audiences.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import type { Json } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const TAG = 'gold';
const ROUNDS = 3;

type Call = (method: string, path: string, body?: Json) => Promise<Json>;

const requestOf =
  ({ call }: Pick<RestartableService, 'call'>): Call =>
  async (method, path, body) => {
    const reply = await call(method, path, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body.data;
  };

/** Contacts without a name, which no rendering claim can hand out. */
const makeNameless = async (request: Call, count: number): Promise<string[]> => {
  const contacts: string[] = [];
  for (let made = 0; made < count; made++)
    contacts.push((await request('POST', '/contacts', { phone_number: newPhone() })).id);
  return contacts;
};

/** Kills the service while contacts change under a live audience. */
const killUnderAudience = (engine: 'sqlite' | 'postgres') =>
  withRestartableService(engine, async (service) => {
    const request = requestOf(service);
    const agent = await request('POST', '/agents', { name: 'Caller', instructions: 'Ask.' });
    const filter = { attribute: 'tag', op: 'eq', value: TAG };
    const segment = await request('POST', '/segments', { name: 'Gold', filter, shared: true });
    const contacts = await makeNameless(request, 30);
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

/** Kills the service while it unblocks enrollments, whose contacts get their missing values. */
const killWhileUnblocking = (engine: 'sqlite' | 'postgres') =>
  withRestartableService(engine, async (service) => {
    const request = requestOf(service);
    const { query } = service.database;
    const agent = await request('POST', '/agents', { name: 'Caller', instructions: 'Call {{first_name}}.' });
    await markDeployed(service.database, agent.id, 1);
    const contacts = await makeNameless(request, ROUNDS * 40);
    const fields = { name: 'Blocked', agent_id: agent.id, status: 'active' };
    const { id } = await request('POST', '/campaigns', fields);
    await request('POST', `/campaigns/${id}/enrollments`, { contact_ids: contacts });
    const claim = async (): Promise<Json[]> =>
      (await request('POST', `/campaigns/${id}/claims`, { limit: 100, render: true })).claims;
    assert.deepEqual(await claim(), []);
    const withStatus = async (status: string) =>
      (await query('select 1 from enrollments where campaign_id = ? and status = ?', id, status)).length;
    assert.equal(await withStatus('blocked'), contacts.length);
    for (let round = 0; round < ROUNDS; round++) {
      const before = await withStatus('pending');
      const named = contacts.slice(round * 40, round * 40 + 40).map((contact) =>
        // A killed service does not answer; the value is sent again below.
        service.call('PATCH', `/contacts/${contact}`, { first_name: 'Late' }).catch(() => undefined),
      );
      await eventually('an unblocked contact', async () => (await withStatus('pending')) > before);
      await service.kill();
      await Promise.all(named);
      await service.start();
    }
    for (const contact of contacts) await request('PATCH', `/contacts/${contact}`, { first_name: 'Late' });
    await eventually('all contacts are unblocked', async () => (await withStatus('blocked')) === 0);
    const returned = await query(
      `select contact_id from events where type = 'enrollment.updated' and campaign_id = ? and data like '%"status":"pending"%'`,
      id,
    );
    assert.deepEqual(returned.map((event) => event.contact_id).sort(), [...contacts].sort());
    const claims = [...(await claim()), ...(await claim()), ...(await claim())];
    assert.deepEqual(claims.map(({ contact }) => contact.id).sort(), [...contacts].sort());
    assert.ok(claims.every(({ instructions }) => instructions === 'Call Late.'));
    await assertConsistent(service.database);
  });

describe('Service killed under a live audience', () => {
  it('A service killed under a live audience misses and doubles no one, on SQLite', () =>
    killUnderAudience('sqlite'));
  it('A service killed under a live audience misses and doubles no one, on PostgreSQL', () =>
    killUnderAudience('postgres'));
  it('A service killed while it unblocks contacts loses and doubles no one, on SQLite', () =>
    killWhileUnblocking('sqlite'));
  it('A service killed while it unblocks contacts loses and doubles no one, on PostgreSQL', () =>
    killWhileUnblocking('postgres'));
});
