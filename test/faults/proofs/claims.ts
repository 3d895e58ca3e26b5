import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { engines } from '../../kit/database/engines.ts';
import { type RestartableService, withRestartableService } from '../../kit/faults/restartable-service.ts';
import { markDeployed } from '../../kit/fixtures/deploy-version.ts';
import { newPhone } from '../../kit/fixtures/factories.ts';
import { assertConsistent } from '../../kit/load/acknowledged-writes.ts';
import { createScopedKey } from '../../kit/service/scoped-key.ts';
import { type Json, type Reply, readReply } from '../../kit/service/test-service.ts';

const CONTACTS = 200;
const DIALERS = 6;

/** A call that is repeated with the same Idempotency-Key until it is answered. */
type Send = (method: string, path: string, body: object) => Promise<Reply>;

const senderOf = (service: RestartableService, key: string): Send => {
  let count = 0;
  return async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `dialer ${++count}`,
    };
    for (;;) {
      try {
        const sent = { method, headers, body: JSON.stringify(body) };
        const reply = await readReply(await fetch(`${service.url()}/v1${path}`, sent));
        if (reply.status !== 503 && !/still in progress/.test(reply.text)) return reply;
      } catch {
        // The service was killed.
      }
      await pause(50);
    }
  };
};

const makeCampaign = async ({ call, database }: RestartableService): Promise<string> => {
  const post = async (path: string, body: object): Promise<Json> => {
    const reply = await call('POST', path, body);
    assert.ok(reply.status === 201 || reply.status === 200, reply.text);
    return reply.body.data;
  };
  const agent = await post('/agents', { name: 'Caller', instructions: 'Be brief.' });
  await markDeployed(database, agent.id, 1);
  for (let made = 0; made < CONTACTS; made += 20)
    await Promise.all(
      Array.from({ length: 20 }, () => post('/contacts', { phone_number: newPhone(), tags: ['queue'] })),
    );
  const { id } = await post('/campaigns', { name: 'Killed', agent_id: agent.id, status: 'active' });
  await post(`/campaigns/${id}/enrollments`, { tag: 'queue' });
  return id;
};

/** Kills the service while dialers claim and report. Every contact is handed to exactly one of them, except those of a
 *  dialer that died: they are handed out again when their leases have expired. */
export const killUnderDialers = (engine: keyof typeof engines, kills: number): Promise<void> =>
  withRestartableService(engine, async (service) => {
    const { database } = service;
    const id = await makeCampaign(service);
    const send = senderOf(service, await createScopedKey(database, 'campaigns:write'));
    const handedOut: { contact: string; claim: string }[] = [];
    const claim = async (limit: number): Promise<Json[]> => {
      const reply = await send('POST', `/campaigns/${id}/claims`, { limit, lease_seconds: 3_600 });
      assert.equal(reply.status, 200, reply.text);
      return reply.body.data.claims;
    };
    const report = (contact: string, claim_id: string) =>
      send('PATCH', `/campaigns/${id}/enrollments/${contact}`, { claim_id, status: 'completed' });
    const dial = async (): Promise<void> => {
      for (let claims = await claim(3); claims.length > 0; claims = await claim(3)) {
        for (const { claim_id, contact } of claims) {
          handedOut.push({ contact: contact.id, claim: claim_id });
          const reply = await report(contact.id, claim_id);
          assert.equal(reply.status, 200, reply.text);
        }
      }
    };

    const lost = await claim(5);
    assert.equal(lost.length, 5);
    const dialers = Promise.all(Array.from({ length: DIALERS }, dial));
    for (let killed = 0; killed < kills; killed++) {
      const before = handedOut.length;
      while (handedOut.length < before + 10) await pause(2);
      await service.kill();
      await service.start();
    }
    await dialers;
    assert.equal(handedOut.length, CONTACTS - 5);
    assert.equal(new Set(handedOut.map(({ contact }) => contact)).size, CONTACTS - 5, 'each once');
    for (const { contact } of lost) assert.ok(!handedOut.some((each) => each.contact === contact.id));

    // The leases of the dialer that died expire.
    await database.query(
      `update enrollments set available_at = '2026-01-01T00:00:00.000Z' where leased = 1 and status = 'in_progress'`,
    );
    await dial();
    assert.equal(handedOut.length, CONTACTS);
    for (const { claim_id, contact } of lost)
      assert.equal((await report(contact.id, claim_id)).status, 409, 'the old claim is refused');
    const rows = await database.query(
      'select status, attempts, count(*) as count from enrollments group by 1, 2',
    );
    assert.deepEqual(
      rows.map(({ status, attempts, count }) => [status, Number(attempts), Number(count)]).sort(),
      [
        ['completed', 1, CONTACTS - 5],
        ['completed', 2, 5],
      ],
    );
    await assertConsistent(database);
  });
