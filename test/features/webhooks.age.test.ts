import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { eventually, makeWebhook, quickWebhooks } from '../kit/webhooks/deliveries.ts';
import { answer } from '../kit/webhooks/receiver.ts';

const [requestMs, leaseMs] = [20_000, 60_000];
const now = performance.now.bind(performance);
let ahead = 0;
/** Like the real one, this clock is never set back. */
performance.now = () => now() + ahead;

onEveryEngine(
  'Age of claimed webhook deliveries',
  (service) => {
    let owner: CheckedUser;
    before(async () => {
      owner = await signedInOwner(service);
    });

    /** A webhook whose second event is being sent. The third one was claimed and loaded together with it. */
    const holdSecond = async (context: TestContext) => {
      const held: (() => void)[] = [];
      const fields = {
        types: ['contact.created'],
        max_concurrency: 1,
        status: 'paused',
        payload: 'snapshot',
      };
      const webhook = await makeWebhook(context, owner, fields, (socket, request) => {
        if (webhook.receiver.requests.length === 1) answer(200)(socket, request);
        else held.push(() => answer(200)(socket, request));
      });
      const contacts = [];
      for (const first_name of ['First', 'Second', 'Third'])
        contacts.push(await makeContact(service, { first_name }));
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await webhook.received(2);
      context.after(() => {
        for (const release of held) release();
      });
      return { webhook, third: contacts[2] as { id: string }, release: () => held.shift()?.() };
    };

    test('A delivery whose lease ends soon is sent only with a new lease', async (context) => {
      const { webhook, release } = await holdSecond(context);
      const leaseOfThird = async () => {
        const rows = await service.database.query(
          'select lease_id from webhook_deliveries where endpoint_id = ? order by event_seq desc limit 1',
          webhook.id,
        );
        return rows[0]?.lease_id;
      };
      const first = await eventually('a lease', async () => (await leaseOfThird()) ?? undefined);
      ahead += leaseMs - requestMs;
      release();
      await webhook.received(3);
      assert.notEqual(await leaseOfThird(), first);
    });

    test('An event is loaded again before it is sent later, without the data of a contact deleted since', async (context) => {
      const { webhook, third, release } = await holdSecond(context);
      assert.equal((await service.delete(`/v1/contacts/${third.id}`)).status, 200);
      ahead += 2_000;
      release();
      const [, second, last] = await webhook.received(3);
      assert.equal(second.data.first_name, 'Second');
      assert.equal(last.subject_id, third.id);
      assert.ok(!JSON.stringify(last).includes('Third'), JSON.stringify(last));
    });
  },
  quickWebhooks({ requestMs, leaseMs }),
);
