import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually, makeWebhook, quickWebhooks } from '../kit/webhooks/deliveries.ts';
import { answer, type Behavior } from '../kit/webhooks/receiver.ts';

const slow: Behavior = (socket, request) => {
  setTimeout(() => answer(200)(socket, request), 60);
};

onEveryEngine(
  'Changes of webhooks while events wait',
  (service) => {
    let owner: CheckedUser;
    before(async () => {
      owner = await signedInOwner(service);
    });

    test('A new URL also applies to deliveries that were claimed before the change', async (context) => {
      const webhook = await makeWebhook(context, owner, { max_concurrency: 1, status: 'paused' }, slow);
      const { id } = await makeContact(service);
      for (let name = 1; name < 32; name++)
        await service.patch(`/v1/contacts/${id}`, { first_name: `Ada ${name}` });
      const { url } = await owner.request('PATCH', webhook.path, { status: 'active' });
      await webhook.received(9);
      await owner.request('PATCH', webhook.path, { url: url.replace('/events', '/new') });
      const atOldUrl = () => webhook.receiver.requests.filter(({ path }) => path === '/events').length;
      const count = atOldUrl();
      await webhook.received(32);
      // One in flight, and one that began before the result of that one was stored.
      assert.ok(atOldUrl() <= count + 2, `${atOldUrl() - count} requests to the old URL`);
      await webhook.settled();
    });

    test('A replay until the last possible time sends all events', async (context) => {
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] });
      await makeContact(service);
      await webhook.received(1);
      await webhook.settled();
      const range = { since: '0000-01-01T00:00:00Z', until: '9999-12-31T23:59:59.999Z' };
      const { events } = await owner.request('POST', `${webhook.path}/replay`, range);
      assert.ok(events > 0);
      await eventually(
        'the event again',
        () => webhook.events().filter(({ id }) => id === webhook.events()[0].id).length > 1,
      );
      await webhook.settled();
    });

    test('A webhook with a rate continues when the clock was set back', async (context) => {
      const webhook = await makeWebhook(context, owner, { rate_per_second: 50 });
      const later = new Date(Date.now() + 3_600_000).toISOString();
      await service.database.query(
        'update webhook_endpoints set rate_until = ? where id = ?',
        later,
        webhook.id,
      );
      await makeContact(service);
      await webhook.received(1);
    });

    test('Many test events to a receiver that hangs do not delay deliveries to others', async (context) => {
      const held: (() => void)[] = [];
      const hanging = await makeWebhook(context, owner, { status: 'paused' }, (socket, request) => {
        held.push(() => answer(200)(socket, request));
      });
      const other = await makeWebhook(context, owner);
      const refused: Json[] = [];
      const replies = Array.from({ length: 40 }, async () => {
        const reply = await owner.call('POST', `${hanging.path}/test`);
        if (reply.status !== 200) refused.push([reply.status, reply.body.error.code]);
      });
      await eventually('eight refusals', () => refused.length >= 8);
      await makeContact(service);
      await other.received(1);
      await hanging.received(32);
      for (const release of held) release();
      await Promise.all(replies);
      assert.deepEqual(refused, Array(8).fill([503, 'UNAVAILABLE']));
    });
  },
  quickWebhooks({ requestMs: 20_000, leaseMs: 30_000 }),
);
