import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { eventually, makeWebhook, quickWebhooks, type TestWebhook } from '../kit/webhooks/deliveries.ts';
import { answer, type Behavior, type ReceivedWebhook } from '../kit/webhooks/receiver.ts';

const FAILS = answer(500);
const LATER = answer(503, { 'Retry-After': '3600' });
const types = ['contact.created'];
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

onEveryEngine(
  'Rules of webhook deliveries',
  (service) => {
    let owner: CheckedUser;
    before(async () => {
      owner = await signedInOwner(service);
    });
    const set = (table: string, column: string, value: string, id: string) => {
      const key = table === 'webhook_endpoints' ? 'id' : 'endpoint_id';
      return service.database.query(`update ${table} set ${column} = ? where ${key} = ?`, value, id);
    };
    const moveEvent = (contact: string, at: string) =>
      service.database.query('update events set at = ? where subject = ?', at, contact);
    const makeContacts = async (count: number) => {
      for (let made = 0; made < count; made++) await makeContact(service);
    };
    const attempted = (webhook: TestWebhook, count: number) =>
      eventually(`${count} attempts`, async () => (await webhook.attempts()).length >= count);
    const verify = (secret: string, { body, headers }: ReceivedWebhook) =>
      new Webhook(secret).verify(body, { ...headers });

    test('A webhook that is paused gets none of the events that were claimed before', async (context) => {
      const held: (() => void)[] = [];
      const behavior: Behavior = (socket, request) => {
        if (webhook.receiver.requests.length < 9) answer(200)(socket, request);
        else held.push(() => answer(200)(socket, request));
      };
      const webhook = await makeWebhook(
        context,
        owner,
        { types, max_concurrency: 1, status: 'paused' },
        behavior,
      );
      await makeContacts(20);
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await webhook.received(9);
      await owner.request('PATCH', webhook.path, { status: 'paused' });
      const sql = 'select 1 from webhook_deliveries where endpoint_id = ? and lease_id is not null limit 9';
      /** Whether only the event that is being sent is leased. */
      const isNoticed = async () => (await service.database.query(sql, webhook.id)).length === held.length;
      for (const step of ['before', 'after the pause']) {
        held.shift()?.();
        await eventually(`the result ${step} is stored`, isNoticed);
      }
      // One more may be sent before the result of the previous one is stored, which is when the worker learns of the pause.
      assert.ok(webhook.receiver.requests.length <= 10, `${webhook.receiver.requests.length}`);
    });

    test('A webhook that becomes active sends what waits now, with the whole schedule', async (context) => {
      const webhook = await makeWebhook(context, owner, { types }, LATER);
      await makeContact(service);
      await attempted(webhook, 1);
      await owner.request('PATCH', webhook.path, { status: 'paused' });
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await attempted(webhook, 2);
      assert.deepEqual(
        (await webhook.attempts()).map(({ attempt }) => attempt),
        [1, 1],
      );
    });

    test('Every attempt is signed with its own time, however old the event is', async (context) => {
      const webhook = await makeWebhook(context, owner, { types, status: 'paused' }, FAILS);
      const { id } = await makeContact(service);
      await moveEvent(id, inMinutes(-1_440));
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await webhook.received(3);
      for (const request of webhook.receiver.requests) verify(webhook.secret, request);
      await attempted(webhook, 3);
    });

    test('Replacing a lost new secret keeps the old one, and without a grace period only the new one signs', async (context) => {
      const webhook = await makeWebhook(context, owner, { status: 'paused' });
      const rotate = async (body: object): Promise<string> =>
        (await owner.request('POST', `${webhook.path}/rotate-secret`, body)).secret;
      const signed = async () => {
        await owner.request('POST', `${webhook.path}/test`);
        return webhook.receiver.requests.at(-1) as ReceivedWebhook;
      };
      const lost = await rotate({});
      const second = await rotate({ replace_new: true });
      const both = await signed();
      verify(webhook.secret, both);
      verify(second, both);
      assert.throws(() => verify(lost, both));
      await owner.request('DELETE', `${webhook.path}/old-secret`);
      const third = await rotate({ grace_hours: 0 });
      const one = await signed();
      verify(third, one);
      assert.throws(() => verify(second, one));
    });

    test('An event that has failed permanently does not block the next one of its record', async (context) => {
      const webhook = await makeWebhook(context, owner, { ordered: true, status: 'paused' }, FAILS);
      const { id } = await makeContact(service);
      await service.patch(`/v1/contacts/${id}`, { first_name: 'Ada' });
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await eventually('two failures', async () => (await webhook.show()).failed_deliveries === 2);
      assert.deepEqual([...new Set(webhook.types())], ['contact.created', 'contact.updated']);
    });

    test('A webhook that is no longer ordered sends what waited for an earlier event', async (context) => {
      const webhook = await makeWebhook(context, owner, { ordered: true, status: 'paused' }, LATER);
      const { id } = await makeContact(service);
      await service.patch(`/v1/contacts/${id}`, { first_name: 'Ada' });
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await attempted(webhook, 1);
      await owner.request('PATCH', webhook.path, { ordered: false });
      await webhook.received(2);
      assert.deepEqual(webhook.types(), ['contact.created', 'contact.updated']);
    });

    test('A replay continues after its first step, of a range and of failed events', async (context) => {
      const webhook = await makeWebhook(context, owner, { types, max_concurrency: 1 }, FAILS);
      await makeContacts(4);
      await eventually('four failures', async () => (await webhook.show()).failed_deliveries === 4);
      webhook.receiver.behave(answer(200));
      await owner.request('POST', `${webhook.path}/replay`, { failed: true });
      assert.equal((await webhook.settled()).failed_deliveries, 0);
      const [first] = webhook.events();
      const before = webhook.receiver.requests.length;
      await owner.request('POST', `${webhook.path}/replay`, { since: first.timestamp });
      await webhook.settled();
      const again = webhook.events().slice(before);
      assert.equal(new Set(again.map(({ id }) => id)).size, 4);
    });

    test('A replay finds events whose times are out of order', async (context) => {
      const webhook = await makeWebhook(context, owner, { types });
      const made = [await makeContact(service), await makeContact(service), await makeContact(service)];
      await webhook.received(3);
      await webhook.settled();
      const { id } = made[1] as { id: string };
      const at = new Date(Date.now() - 50_000).toISOString();
      await moveEvent(id, at);
      await owner.request('POST', `${webhook.path}/replay`, { since: at, until: at });
      await webhook.settled();
      assert.deepEqual(
        webhook
          .events()
          .slice(3)
          .map(({ subject_id }) => subject_id),
        [id],
      );
    });

    test('A disabled webhook rejects a replay', async (context) => {
      const webhook = await makeWebhook(context, owner, { status: 'paused' });
      await set('webhook_endpoints', 'status', 'disabled', webhook.id);
      const reply = await owner.call('POST', `${webhook.path}/replay`, { failed: true });
      assertError(reply, 409, 'CONFLICT');
      assert.match(reply.body.error.message, /Set its status to active first/);
    });

    test('The test event of a thin webhook has no snapshot', async (context) => {
      const webhook = await makeWebhook(context, owner, { payload: 'thin', status: 'paused' });
      await owner.request('POST', `${webhook.path}/test`);
      assert.equal(webhook.events()[0].data, null);
    });

    test('A receiver that has failed for more than a minute gets one request at a time', async (context) => {
      const webhook = await makeWebhook(context, owner, { types }, LATER);
      await makeContacts(5);
      await attempted(webhook, 5);
      let [open, most] = [0, 0];
      webhook.receiver.behave(async (socket, request) => {
        most = Math.max(most, ++open);
        await pause(20);
        open--;
        LATER(socket, request);
      });
      await set('webhook_endpoints', 'failing_since', inMinutes(-2), webhook.id);
      await set('webhook_deliveries', 'due_at', inMinutes(-1), webhook.id);
      await webhook.received(10);
      assert.equal(most, 1);
    });

    test('A delivery whose event has expired is dropped', async (context) => {
      const webhook = await makeWebhook(context, owner, { types }, LATER);
      await makeContact(service);
      await attempted(webhook, 1);
      await set('webhook_deliveries', 'event_seq', '999999', webhook.id);
      await set('webhook_deliveries', 'due_at', inMinutes(-1), webhook.id);
      await webhook.settled();
      assert.equal(webhook.receiver.requests.length, 1);
    });

    test('A success after a short failure leaves the schedule of other deliveries unchanged', async (context) => {
      const webhook = await makeWebhook(context, owner, { types }, LATER);
      await makeContact(service);
      await attempted(webhook, 1);
      webhook.receiver.behave(answer(200));
      await makeContact(service);
      await eventually('a delivery', async () => (await webhook.show()).last_delivery_at !== null);
      const rows = await service.database.query(
        'select due_at from webhook_deliveries where endpoint_id = ?',
        webhook.id,
      );
      assert.equal(rows.length, 1);
      assert.ok(String(rows[0]?.due_at) > inMinutes(30));
    });
  },
  quickWebhooks({ requestMs: 20_000, leaseMs: 60_000 }),
);
