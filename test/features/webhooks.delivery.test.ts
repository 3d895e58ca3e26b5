import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { webhooks } from '../../sdk/src/index.ts';
import { auditReader } from '../kit/dashboard/audit.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually, makeWebhook, quickWebhooks } from '../kit/webhooks/deliveries.ts';
import { answer, type Behavior, hang } from '../kit/webhooks/receiver.ts';

const FAILS = answer(500, {}, 'broken');

onEveryEngine(
  'Webhook deliveries',
  (service) => {
    let owner: CheckedUser;
    before(async () => {
      owner = await signedInOwner(service);
    });

    test('An event is delivered with its snapshot and a signature that receivers verify', async (context) => {
      const webhook = await makeWebhook(context, owner);
      const { id } = await makeContact(service);
      await webhook.received(1);
      const [request] = webhook.receiver.requests;
      assert.ok(request);
      const { headers, body } = request;
      const event: Json = new Webhook(webhook.secret).verify(body, { ...headers });
      assert.deepEqual(await webhooks.verify(body, headers, webhook.secret), event);
      assert.equal(event.type, 'contact.created');
      assert.deepEqual(event.data, (await service.get(`/v1/contacts/${id}`)).body.data);
      assert.deepEqual(event, await owner.request('GET', `/events/${event.id}`));
      assert.equal(headers['webhook-id'], event.id);
      assert.equal(headers['content-type'], 'application/json');
      assert.match(headers['user-agent'] ?? '', /^Roster\/\d/);
      const { last_delivery_at } = await webhook.settled();
      assert.ok(last_delivery_at);
      const [attempt, ...more] = await webhook.attempts();
      assert.deepEqual(more, []);
      const details = await owner.request('GET', `${webhook.path}/attempts/${attempt.number}`);
      assert.deepEqual([attempt.result, attempt.status, attempt.error], ['delivered', 200, null]);
      assert.equal(details.request.body, body);
      for (const [name, value] of Object.entries(details.request.headers)) assert.equal(headers[name], value);
      assert.deepEqual(details.response, { status: 200, body: 'ok' });
    });

    test('Only a webhook that includes fields gets their values, as they are when the event is sent', async (context) => {
      for (const key of ['plan', 'secret']) await makeField(service, key, 'text');
      const plain = await makeWebhook(context, owner);
      const webhook = await makeWebhook(context, owner, { include: ['fields'] });
      const thin = await makeWebhook(context, owner, { include: ['fields'], payload: 'thin' });
      const fields = { plan: 'gold', secret: 'hidden' };
      const { id } = await makeContact(service, { fields });
      const [event] = await webhook.received(1);
      const [feed] = await plain.received(1);
      assert.deepEqual(event?.data, (await service.get(`/v1/contacts/${id}?include=fields`)).body.data);
      assert.deepEqual(event?.data.fields, fields);
      const { fields: _, ...without } = event?.data ?? {};
      assert.deepEqual(feed, { ...event, data: without });
      assert.deepEqual(feed, await owner.request('GET', `/events/${event?.id}`));
      assert.equal((await thin.received(1))[0]?.data, null);
      const bare = await makeContact(service);
      assert.deepEqual((await webhook.received(2))[1]?.data.fields, {}, bare.id);

      await service.database.query(`update contact_fields set archived_at = created_at where key = 'secret'`);
      assert.equal((await service.patch(`/v1/contacts/${id}`, { fields: { plan: null } })).status, 200);
      const changed = (await webhook.received(3))[2];
      assert.deepEqual([changed?.changed, changed?.data.fields], [['fields.plan'], {}]);
      await webhook.settled();
      const attempts = await webhook.attempts();
      const key = await createScopedKey(service.database, 'admin', 'events:read');
      const path = `/v1${webhook.path}/attempts/${attempts[0]?.number}`;
      const { details } = assertError(await service.get(path, { key }), 403, 'FORBIDDEN');
      assert.deepEqual(details, { required_scope: 'contacts:read' });
      const bodies = await Promise.all(
        attempts.map(async ({ number }: Json) => {
          const { request } = await owner.request('GET', `${webhook.path}/attempts/${number}`);
          return JSON.parse(request.body);
        }),
      );
      assert.deepEqual(
        bodies.map(({ data }) => data.fields),
        [{}, {}, {}],
        'as they would be sent now',
      );
      await service.delete(`/v1/contacts/${id}`);
      const deleted = (await webhook.received(4))[3];
      assert.deepEqual([deleted?.type, deleted?.data], ['contact.deleted', null]);
      await owner.request('POST', `${webhook.path}/replay`, { event_id: event?.id });
      assert.equal((await webhook.received(5))[4]?.data, null);
      const stored = await service.database.query('select data from events where data is not null');
      assert.ok(stored.every(({ data }) => !String(data).includes('"fields"')));
    });

    test('A thin webhook gets no snapshots, and only the types that it selects', async (context) => {
      const types = ['contact.updated', 'contact.deleted'];
      const webhook = await makeWebhook(context, owner, { payload: 'thin', types });
      const { id } = await makeContact(service);
      await service.patch(`/v1/contacts/${id}`, { first_name: 'Ada' });
      await service.delete(`/v1/contacts/${id}`);
      const events = await webhook.received(2);
      assert.deepEqual(webhook.types(), types);
      for (const { data, subject_id } of events) assert.deepEqual([data, subject_id], [null, id]);
    });

    test('Filters select events by tag, agent and campaign, and all of them must match', async (context) => {
      const agent = await owner.request('POST', '/agents', { name: 'Ann', instructions: 'One.' }, 201);
      const campaign = await owner.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id }, 201);
      const byTag = await makeWebhook(context, owner, { tag: 'vip' });
      const byAgent = await makeWebhook(context, owner, { agent_id: agent.id });
      const byCampaign = await makeWebhook(context, owner, { campaign_id: campaign.id });
      const byBoth = await makeWebhook(context, owner, { tag: 'vip', agent_id: agent.id });
      const plain = await makeContact(service);
      const vip = await makeContact(service, { tags: ['vip'] });
      await service.patch(`/v1/contacts/${vip.id}`, { first_name: 'Ada' });
      await service.patch(`/v1/contacts/${plain.id}`, { first_name: 'Bob' });
      await service.patch(`/v1/contacts/${vip.id}`, { tags: [] });
      await service.patch(`/v1/contacts/${vip.id}`, { first_name: 'Eve' });
      await service.delete(`/v1/contacts/${plain.id}`);
      await owner.request('PATCH', `/agents/${agent.id}`, { name: 'Anna' });
      await owner.request('PATCH', `/campaigns/${campaign.id}`, { name: 'Summer' });
      await Promise.all([byTag.received(4), byAgent.received(1), byCampaign.received(1)]);
      await Promise.all([byTag.settled(), byAgent.settled(), byCampaign.settled()]);
      assert.deepEqual(
        byTag.events().map(({ type, subject_id, changed }) => [type, subject_id === vip.id, changed]),
        [
          ['contact.created', true, null],
          ['contact.updated', true, ['first_name']],
          ['contact.updated', true, ['tags']],
          ['contact.deleted', false, null],
        ],
      );
      assert.ok(byAgent.types().includes('agent.updated'));
      assert.ok(byAgent.events().every(({ agent_id }) => agent_id === agent.id));
      assert.deepEqual(byCampaign.types(), ['campaign.updated']);
      assert.deepEqual(byBoth.types(), []);
    });

    test('A failed delivery is retried with the same id, and a success ends it', async (context) => {
      const webhook = await makeWebhook(context, owner, {}, FAILS);
      await makeContact(service);
      await webhook.received(2);
      webhook.receiver.behave(answer(204, {}, ''));
      const { failing_since, failed_deliveries } = await webhook.settled();
      assert.deepEqual([failing_since, failed_deliveries], [null, 0]);
      const attempts = await webhook.attempts();
      assert.deepEqual(
        attempts.map(({ attempt, result, status }) => [attempt, result, status]),
        [
          [3, 'delivered', 204],
          [2, 'failed', 500],
          [1, 'failed', 500],
        ],
      );
      assert.match(attempts[1].error, /answered 500/);
      assert.equal(new Set(attempts.map(({ event_id }) => event_id)).size, 1);
      const ids = webhook.receiver.requests.map(({ headers }) => headers['webhook-id']);
      assert.equal(new Set(ids).size, 1);
      assert.equal((await webhook.attempts('?result=failed')).length, 2);
      assert.equal((await webhook.attempts(`?before=${attempts[0].number}&limit=1`))[0].attempt, 2);
      const failed = await owner.request('GET', `${webhook.path}/attempts/${attempts[1].number}`);
      assert.equal(failed.response.body, 'broken');
    });

    test('After the last attempt a delivery has failed, and a replay sends it again', async (context) => {
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] }, FAILS);
      await makeContact(service);
      await makeContact(service);
      const failed = await eventually('two failures', async () => {
        const shown = await webhook.show();
        return shown.failed_deliveries === 2 && shown;
      });
      assert.equal(failed.pending_deliveries, 0);
      assert.ok(failed.failing_since);
      assert.equal(webhook.receiver.requests.length, 6);
      webhook.receiver.behave(answer(200));
      await owner.request('PATCH', webhook.path, { status: 'paused' });
      assert.deepEqual(await owner.request('POST', `${webhook.path}/replay`, { failed: true }), {
        events: 2,
      });
      assert.deepEqual((await webhook.show()).replay, { remaining: 2 });
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await webhook.received(8);
      const { failed_deliveries } = await webhook.settled();
      assert.equal(failed_deliveries, 0);
    });

    test('A replay sends one event, or all events of a range that match', async (context) => {
      const since = new Date().toISOString();
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] });
      const { id } = await makeContact(service);
      await makeContact(service);
      await service.patch(`/v1/contacts/${id}`, { first_name: 'Ada' });
      const [first] = await webhook.received(2);
      await webhook.settled();
      await owner.request('POST', `${webhook.path}/replay`, { event_id: first.id });
      await webhook.received(3);
      await webhook.settled();
      assert.equal(webhook.events()[2].id, first.id);
      const until = new Date(Date.now() + 60_000).toISOString();
      const { events } = await owner.request('POST', `${webhook.path}/replay`, { since, until });
      assert.ok(events >= 2);
      await webhook.received(5);
      await webhook.settled();
      assert.deepEqual(webhook.events().slice(3), webhook.events().slice(0, 2));
    });

    test('A replay sends an event now that waits for a later attempt', async (context) => {
      const later = answer(503, { 'retry-after': '3600' }, 'later');
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] }, later);
      await makeContact(service);
      const [event] = await webhook.received(1);
      await eventually('the attempt', async () => (await webhook.attempts()).length === 1);
      webhook.receiver.behave(answer(200));
      await owner.request('POST', `${webhook.path}/replay`, { event_id: event.id });
      await webhook.received(2);
      await webhook.settled();
      assert.deepEqual(
        (await webhook.attempts()).map(({ attempt, result }) => [attempt, result]),
        [
          [1, 'delivered'],
          [1, 'failed'],
        ],
      );
    });

    test('A receiver that answers 410 is disabled, with an audit entry, an event and a notice', async (context) => {
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] }, answer(410));
      const other = await makeWebhook(context, owner, { types: ['webhook.disabled'] });
      await makeContact(service);
      const disabled = await eventually('disabled', async () => {
        const shown = await webhook.show();
        return shown.status === 'disabled' && shown;
      });
      assert.match(disabled.disabled_reason, /410/);
      assert.equal(disabled.pending_deliveries, 1);
      assert.equal((await webhook.attempts())[0].result, 'gone');
      const [event] = await other.received(1);
      assert.deepEqual([event.subject_id, event.data.status], [webhook.id, 'disabled']);
      const [entry] = await auditReader(owner)(`subject=${webhook.id}&limit=1`);
      assert.deepEqual(
        [entry.action, entry.actor.kind, entry.actor.id],
        ['webhook.disabled', 'webhook', webhook.id],
      );
      const [notice] = (await owner.request('GET', '/notices')).notices;
      assert.deepEqual(
        [notice.kind, notice.subject, notice.name, notice.detail],
        ['webhook.disabled', webhook.id, disabled.url, disabled.disabled_reason],
      );
      const { pagination } = (await owner.call('GET', '/webhooks?status=disabled')).body;
      assert.equal(pagination.total, 1);
      await makeContact(service);
      webhook.receiver.behave(answer(200));
      const enabled = await owner.request('PATCH', webhook.path, { status: 'active' });
      assert.deepEqual([enabled.disabled_reason, enabled.failing_since], [null, null]);
      await webhook.received(3);
      await webhook.settled();
    });

    test('A receiver that fails for five days is disabled, and not before', async (context) => {
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] }, FAILS);
      const failSince = async (days: number) => {
        const since = new Date(Date.now() - days * 86_400_000).toISOString();
        const set = 'update webhook_endpoints set failing_since = ? where id = ?';
        await service.database.query(set, since, webhook.id);
        await makeContact(service);
      };
      await failSince(4.9);
      await webhook.received(3);
      await webhook.settled();
      assert.equal((await webhook.show()).status, 'active');
      await failSince(5);
      const { disabled_reason } = await eventually('disabled', async () => {
        const shown = await webhook.show();
        return shown.status === 'disabled' && shown;
      });
      assert.match(disabled_reason, /^All attempts have failed since 20/);
    });

    test('An ordered webhook sends the next event of a record only after the previous one', async (context) => {
      let failures = 2;
      const behavior: Behavior = (socket, request) => {
        const { subject_id } = JSON.parse(request.body);
        const isFailure = subject_id === first.id && failures-- > 0;
        return answer(isFailure ? 503 : 200)(socket, request);
      };
      const first = await makeContact(service);
      const second = await makeContact(service);
      const webhook = await makeWebhook(
        context,
        owner,
        { ordered: true, types: ['contact.updated'] },
        behavior,
      );
      for (const name of ['A', 'B', 'C'])
        for (const { id } of [first, second]) await service.patch(`/v1/contacts/${id}`, { first_name: name });
      await webhook.received(8);
      await webhook.settled();
      const namesOf = (id: string) =>
        webhook
          .events()
          .filter(({ subject_id }) => subject_id === id)
          .map(({ data }) => data.first_name);
      assert.deepEqual(namesOf(first.id), ['A', 'A', 'A', 'B', 'C']);
      assert.deepEqual(namesOf(second.id), ['A', 'B', 'C']);
    });

    test('Requests at the same time and per second are limited', async (context) => {
      let [open, most] = [0, 0];
      const slow: Behavior = async (socket, request) => {
        most = Math.max(most, ++open);
        await pause(20);
        open--;
        answer(200)(socket, request);
      };
      const types = ['contact.created'];
      const narrow = await makeWebhook(context, owner, { types, max_concurrency: 2 }, slow);
      const rated = await makeWebhook(context, owner, { types, rate_per_second: 20 });
      const began = performance.now();
      await Promise.all(Array.from({ length: 12 }, () => makeContact(service)));
      await narrow.received(12);
      assert.equal(most, 2);
      await rated.received(12);
      assert.ok(performance.now() - began > 500, 'twelve requests at 20 per second take 550 ms');
      await Promise.all([narrow.settled(), rated.settled()]);
    });

    test('A receiver that hangs does not delay others', async (context) => {
      const types = ['contact.created'];
      const hanging = await makeWebhook(context, owner, { types }, hang);
      const other = await makeWebhook(context, owner, { types });
      for (let count = 0; count < 15; count++) await makeContact(service);
      await other.received(15);
      const [attempt] = await eventually('a timeout', async () => {
        const attempts = await hanging.attempts();
        return attempts.length > 0 && attempts;
      });
      assert.match(attempt.error, /did not answer within 2 seconds/);
      await hanging.delete();
    });

    test('A redirect is a failure', async (context) => {
      const webhook = await makeWebhook(
        context,
        owner,
        {},
        answer(307, { Location: 'https://example.com/' }),
      );
      await makeContact(service);
      await webhook.received(1);
      const [attempt] = await eventually('an attempt', async () => {
        const attempts = await webhook.attempts();
        return attempts.length > 0 && attempts;
      });
      assert.deepEqual([attempt.result, attempt.status], ['failed', 307]);
      assert.match(attempt.error, /Redirects are not followed/);
    });

    test('A test event is sent now, also by a paused webhook, and is not in the feed', async (context) => {
      const webhook = await makeWebhook(context, owner, { status: 'paused' });
      const { after: newest } = await owner.request('GET', '/events?after=latest');
      const attempt = await owner.request('POST', `${webhook.path}/test`);
      assert.deepEqual(
        [attempt.result, attempt.event_type, attempt.attempt],
        ['delivered', 'webhook.test', 1],
      );
      const [request] = webhook.receiver.requests;
      assert.equal(attempt.request.body, request?.body);
      const event: Json = new Webhook(webhook.secret).verify(request?.body ?? '', { ...request?.headers });
      assert.deepEqual(
        [event.type, event.subject_id, event.id],
        ['webhook.test', webhook.id, attempt.event_id],
      );
      assert.equal((await owner.request('GET', '/events?after=latest')).after, newest);
      webhook.receiver.behave(answer(500, {}, 'x'.repeat(5_000)));
      const failed = await owner.request('POST', `${webhook.path}/test`);
      assert.deepEqual([failed.result, failed.response.body.length], ['failed', 1_024]);
    });

    test('A repeated test with an Idempotency-Key sends the same event, and one with a used key sends nothing', async (context) => {
      const webhook = await makeWebhook(context, owner, { status: 'paused' });
      const other = await makeWebhook(context, owner, { status: 'paused' });
      const headers = { 'idempotency-key': 'test-1' };
      const send = ({ path }: typeof webhook) => owner.call('POST', `${path}/test`, undefined, { headers });
      const ids = [await send(webhook), await send(webhook)].map(({ body }) => body.data.event_id);
      assert.deepEqual(
        new Set([...ids, ...webhook.receiver.requests.map((each) => each.headers['webhook-id'])]).size,
        1,
      );
      assertError(await send(other), 422, 'IDEMPOTENCY_MISMATCH');
      assert.deepEqual(other.receiver.requests, []);
    });

    test('After the grace period events are signed with the new secret only', async (context) => {
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] });
      const { secret } = await owner.request('POST', `${webhook.path}/rotate-secret`, { grace_hours: 1 });
      await service.database.query(
        'update webhook_endpoints set old_secret_expires_at = ? where id = ?',
        new Date(Date.now() - 1).toISOString(),
        webhook.id,
      );
      await owner.request('POST', `${webhook.path}/test`);
      await makeContact(service);
      await webhook.received(2);
      for (const { body, headers } of webhook.receiver.requests) {
        new Webhook(secret).verify(body, { ...headers });
        assert.throws(() => new Webhook(webhook.secret).verify(body, { ...headers }));
      }
    });

    test('During a rotation events are signed with both secrets', async (context) => {
      const webhook = await makeWebhook(context, owner, { status: 'paused' });
      const { secret } = await owner.request('POST', `${webhook.path}/rotate-secret`, {});
      await owner.request('POST', `${webhook.path}/test`);
      await owner.request('DELETE', `${webhook.path}/old-secret`);
      await owner.request('POST', `${webhook.path}/test`);
      const [both, one] = webhook.receiver.requests;
      const verify = (key: string, request: typeof both) =>
        new Webhook(key).verify(request?.body ?? '', { ...request?.headers });
      verify(webhook.secret, both);
      verify(secret, both);
      verify(secret, one);
      assert.throws(() => verify(webhook.secret, one));
    });

    test('A paused webhook keeps its events, and a contact that is deleted meanwhile is not sent', async (context) => {
      const webhook = await makeWebhook(context, owner, { status: 'paused' });
      const { id } = await makeContact(service, { first_name: 'Secret' });
      await service.delete(`/v1/contacts/${id}`);
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await webhook.received(2);
      assert.deepEqual(webhook.types().sort(), ['contact.created', 'contact.deleted']);
      assert.equal(
        webhook.receiver.requests.some(({ body }) => body.includes('Secret')),
        false,
      );
    });
  },
  quickWebhooks(),
);
