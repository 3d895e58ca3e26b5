import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { makeWebhook, quickWebhooks, type TestWebhook } from '../kit/webhooks/deliveries.ts';
import { hang, reset, trickle } from '../kit/webhooks/receiver.ts';

/** Longer than the test takes: it judges by order, so no request to a slow receiver may end before. */
const REQUEST_MS = 120_000;
const CONTACTS = 40;

onEveryEngine(
  'Slow and dead receivers',
  (service) => {
    /** Creates contacts and waits until the webhook has received all of them. */
    const createContacts = async ({ receiver, received }: TestWebhook) => {
      const before = receiver.requests.length;
      for (let count = 0; count < CONTACTS; count++) await makeContact(service);
      await received(before + CONTACTS);
    };

    test('Receivers that hang, trickle and reset delay neither another receiver nor requests', async (context) => {
      const owner = await signedInOwner(service);
      const types = ['contact.created'];
      const healthy = await makeWebhook(context, owner, { types });
      const others = [
        await makeWebhook(context, owner, { types }, hang),
        await makeWebhook(
          context,
          owner,
          { types },
          trickle('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n'),
        ),
        await makeWebhook(context, owner, { types }, reset),
      ];
      const [hanging, trickling, resetting] = others as [TestWebhook, TestWebhook, TestWebhook];
      await createContacts(healthy);
      for (const webhook of others) await webhook.received(10);
      for (const { receiver } of [hanging, trickling])
        assert.equal(receiver.requests.length, 10, 'its own ten requests, which have not ended');
      assert.deepEqual(await hanging.attempts(), []);
      assert.deepEqual(await trickling.attempts(), []);
      assert.ok(resetting.receiver.requests.length >= CONTACTS, 'it is not throttled by the others');
      for (const webhook of others) await webhook.delete();
    });
  },
  quickWebhooks({ requestMs: REQUEST_MS, leaseMs: REQUEST_MS + 10_000, retryMs: [1_000, 60_000] }),
);
