import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openSnapshot } from '../../src/db/open/snapshot.ts';
import { verify } from '../../src/features/verify/verify.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { type Json, type Reply, startTestService, type TestService } from '../kit/service/test-service.ts';
import { deliverEvent, newCallEvent } from '../kit/webhooks/providers.ts';

const WRITERS = 100;
const ROUNDS = 6;

const onInstances = (title: string, create: () => Promise<TestDatabase>, count: number) => {
  describe(`Concurrent writers of one identity ${title}`, () => {
    const instances: TestService[] = [];
    let service: TestService;
    let owner: CheckedUser;
    let channel: Json;
    let contacts: Json[];
    before(async () => {
      const database = await create();
      while (instances.length < count) instances.push((await startTestService(database)) as TestService);
      [service] = instances as [TestService];
      owner = await signedInOwner(service);
      channel = await makeChannel(owner);
      contacts = await Promise.all(Array.from({ length: WRITERS }, () => makeContact(service)));
    });
    after(async () => {
      for (const instance of instances) await instance.stop?.();
      await service.database?.drop();
    });

    /** Whether a writer has got the number for a contact that did not have it. */
    const ways: readonly ((each: TestService, phone: string, own: Json) => Promise<[Reply, boolean]>)[] = [
      async (each, phone_number) => {
        const reply = await each.post('/v1/contacts', { phone_number });
        return [reply, reply.status === 201];
      },
      async (each, phone_number, { id }) => {
        const reply = await each.patch(`/v1/contacts/${id}`, { phone_number });
        return [reply, reply.status === 200];
      },
      async (each, value, { id }) => {
        const reply = await each.post(`/v1/contacts/${id}/identities`, { kind: 'phone', value });
        return [reply, reply.status === 201];
      },
      async (each, phone) => {
        const reply = await each.call('PUT', `/v1/contacts/by-phone/${phone}`, {});
        return [reply, reply.status === 201];
      },
      async (each, number) => {
        const reply = await deliverEvent(each, channel, newCallEvent({ number, direction: 'inbound' }));
        assert.equal(reply.status, 200, reply.text);
        return [reply, false];
      },
    ];

    it('Of 100 writers by five ways one wins, and all others find or name its contact', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const phone = newPhone();
        const results = await Promise.all(
          contacts.map((own, at) => {
            const way = ways[(at + round) % ways.length] as (typeof ways)[number];
            return way(instances[at % count] as TestService, phone, own);
          }),
        );
        const { body } = await service.get(`/v1/identities/phone/${phone}`);
        const holder = body.data.contact_id;
        const winners = results.filter(([, hasWon]) => hasWon);
        const [row] = await service.database.query('select source from contacts where id = ?', holder);
        // An inbound call does not say whether it has created the contact.
        assert.equal(winners.length, row?.source === 'inbound' ? 0 : 1);
        for (const [{ status, body: each }, hasWon] of results) {
          if (hasWon) continue;
          if (status === 409) assert.deepEqual(each.error.details, { existing_contact_id: holder });
          else assert.deepEqual([status, each.data.contact_id ?? each.data.id], [200, holder]);
        }
        const holders = await service.database.query(
          `select id from contacts where phone_identity = ? union
            select contact_id from identities where kind = 'phone' and value = ? and valid_until is null`,
          phone,
          phone,
        );
        assert.deepEqual(
          holders.map(({ id }) => id),
          [holder],
        );
      }
    });

    it('A create and a secondary number race for one value in pairs, and exactly one gets it', async () => {
      for (let round = 0; round < 20; round++) {
        const phones = Array.from({ length: 10 }, newPhone);
        const replies = await Promise.all(
          phones.flatMap((value, at) => [
            (instances[at % count] as TestService).post(`/v1/contacts/${contacts[at]?.id}/identities`, {
              kind: 'phone',
              value,
            }),
            (instances[(at + 1) % count] as TestService).post('/v1/contacts', { phone_number: value }),
          ]),
        );
        for (const [at] of phones.entries()) {
          const pair = [replies[2 * at]?.status, replies[2 * at + 1]?.status];
          assert.deepEqual(pair.sort(), [201, 409]);
        }
        for (const { id } of contacts.slice(0, 10)) {
          const { body } = await service.get(`/v1/contacts/${id}/identities`);
          for (const identity of body.data)
            if (!identity.is_primary) await service.delete(`/v1/contacts/${id}/identities/${identity.id}`);
        }
      }
    });

    it('The command verify finds nothing after the races, and an identity that two contacts have', async () => {
      const check = async () => {
        const snapshot = await openSnapshot(service.database.database);
        try {
          const results = await Array.fromAsync(verify(snapshot, { onStart: () => {} }));
          return results.filter((each) => each.count > 0).map((each) => [each.name, each.count]);
        } finally {
          await snapshot.close();
        }
      };
      assert.deepEqual(await check(), []);
      const [one, other] = [await makeContact(service), await makeContact(service)];
      await service.post(`/v1/contacts/${one.id}/identities`, { kind: 'external', value: 'x' });
      await service.database.query(
        `update identities set kind = 'phone', value = ? where contact_id = ?`,
        other.phone_number,
        one.id,
      );
      assert.deepEqual(await check(), [
        ['no number of a contact is an identity of someone else', 1],
        ['current identities are in the rows of their contacts', 1],
      ]);
      await service.database.query('delete from identities where contact_id = ?', one.id);
      assert.deepEqual(await check(), [['the identities in the rows of contacts exist', 1]]);
    });
  });
};

onInstances('on sqlite', engines.sqlite, 1);
onInstances('on postgres', engines.postgres, 1);
onInstances('on postgres, two instances sharing the load', engines.postgres, 2);
