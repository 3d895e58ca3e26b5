import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { startTestService, type TestService } from '../kit/service/test-service.ts';
import { eventually, makeWebhook, quickWebhooks } from '../kit/webhooks/deliveries.ts';
import { answer, hang } from '../kit/webhooks/receiver.ts';

for (const [name, create] of Object.entries(engines)) {
  describe(`Webhooks of several instances on ${name}`, () => {
    let database: TestDatabase;
    let services: TestService[];
    before(async () => {
      database = await create();
      services = [];
      for (let count = 0; count < 2; count++)
        services.push(
          await startTestService(database, quickWebhooks({ requestMs: 20_000, leaseMs: 30_000 })),
        );
    });
    after(async () => {
      for (const service of services) await service.stop();
      await database.drop();
    });

    it('Two instances share the events, and each is delivered once', async (context) => {
      const [first, second] = services as [TestService, TestService];
      const owner = await signedInOwner(first);
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] });
      const made = await Promise.all(
        Array.from({ length: 60 }, (_, at) => makeContact(at % 2 === 0 ? first : second)),
      );
      await webhook.received(60);
      await webhook.settled();
      const subjects = webhook.events().map(({ subject_id }) => subject_id);
      assert.deepEqual(subjects.sort(), made.map(({ id }) => id).sort());
    });

    it('An instance that stops releases what was not delivered, and another one delivers it', async (context) => {
      const [first, second] = services as [TestService, TestService];
      const owner = await signedInOwner(first);
      await second.stop();
      services.pop();
      const fields = { types: ['contact.created'], max_concurrency: 2 };
      const webhook = await makeWebhook(context, owner, fields, hang);
      for (let count = 0; count < 5; count++) await makeContact(first);
      await webhook.received(2);
      const isStopped = first.stop();
      services.pop();
      webhook.receiver.behave(answer(200));
      await isStopped;
      const rows = await database.query(`select lease_id from webhook_deliveries where status = 'pending'`);
      assert.ok(rows.length >= 2);
      for (const { lease_id } of rows) assert.equal(lease_id, null);
      const third = await startTestService(database, quickWebhooks());
      services.push(third);
      await eventually('five deliveries', async () => {
        const { requests } = webhook.receiver;
        return new Set(requests.map(({ headers }) => headers['webhook-id'])).size === 5;
      });
    });
  });
}
