import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventTypes } from '../../src/records/actions.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type N8n, playN8n } from '../kit/n8n/context.ts';
import { buildNodes, type NodePackage } from '../kit/n8n/package.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';
import { eventually, quickWebhooks } from '../kit/webhooks/deliveries.ts';
import { answer, startReceiver } from '../kit/webhooks/receiver.ts';

onSqlite(
  'The n8n trigger',
  (service) => {
    let built: NodePackage;
    let n8n: N8n;
    let key: string;
    before(async () => {
      built = buildNodes();
      key = await createScopedKey(service.database, 'admin', 'events:read');
      n8n = playN8n(built.classes, { url: service.url, api_key: key });
    });
    after(() => built?.remove());

    const listed = async (): Promise<Json[]> => (await service.get('/v1/webhooks', { key })).body.data;

    test('It offers every type of the feed', () => {
      const [{ options }] = built.classes.RosterTrigger.description.properties;
      assert.deepEqual(
        options.map(({ value }: Json) => value),
        eventTypes.filter((type) => type !== 'webhook.test').sort(),
      );
    });

    test('An active workflow has a webhook with its events and filters, and an inactive one has none', async () => {
      const url = 'http://127.0.0.1:9/webhook/1';
      const workflow = n8n.workflow(url, { events: ['contact.created'], filters: { tag: 'vip' } });
      assert.equal(await workflow.exists(), false);
      await workflow.activate();
      await workflow.activate();
      const [webhook, ...more] = await listed();
      assert.deepEqual(more, []);
      assert.deepEqual([webhook.url, webhook.types, webhook.tag], [url, ['contact.created'], 'vip']);
      assert.equal(await workflow.exists(), true);
      await workflow.deactivate();
      assert.deepEqual(await listed(), []);
      assert.equal(await workflow.exists(), false);
      // A second time, and after someone else has deleted the webhook.
      await workflow.deactivate();
      await workflow.activate();
      await service.delete(`/v1/webhooks/${workflow.stored.id}`, { key });
      assert.equal(await workflow.exists(), false);
      await workflow.deactivate();
    });

    test('A failure other than a missing webhook is not hidden', async () => {
      const workflow = n8n.workflow('http://127.0.0.1:9/webhook/2');
      await workflow.activate();
      const other = playN8n(built.classes, { url: service.url, api_key: 'rk_no' }).workflow('', {});
      Object.assign(other.stored, workflow.stored);
      await assert.rejects(other.deactivate(), { httpCode: '401' });
      await workflow.deactivate();
    });

    test('A signed delivery starts the workflow; a changed, old or foreign one is refused', async (context) => {
      const items: Json[] = [];
      const receiver = await startReceiver(context, (socket, request) => {
        void workflow.receive(request).then((received) => {
          items.push(...received.items);
          answer(received.status)(socket, request);
        });
      });
      const workflow = n8n.workflow(`http://127.0.0.1:${receiver.port}/webhook/3`);
      await workflow.activate();
      const { id } = await makeContact(service, { first_name: 'Zoë' });
      await eventually('the event', () => items.length > 0);
      assert.deepEqual(
        items.map(({ json }) => [json.type, json.subject_id, json.data.first_name]),
        [['contact.created', id, 'Zoë']],
      );
      const delivered = async () => (await listed())[0].last_delivery_at !== null;
      await eventually('the confirmed delivery', delivered);

      const [request] = receiver.requests;
      assert.ok(request);
      const { headers, body } = request;
      const refused = async (changes: Json) =>
        assert.deepEqual(await workflow.receive({ headers, body, ...changes }), { status: 401, items: [] });
      assert.equal((await workflow.receive({ headers, body })).status, 200);
      await refused({ body: body.replace('Zoë', 'Eve') });
      await refused({ headers: { ...headers, 'webhook-id': 'event_2' } });
      await refused({ headers: {} });
      await refused({ body: undefined });
      const signedAt = (time: Date, secret: string) => ({
        'webhook-id': 'event_1',
        'webhook-timestamp': `${Math.floor(time.getTime() / 1000)}`,
        'webhook-signature': new Webhook(secret).sign('event_1', time, body),
      });
      const { secret } = workflow.stored;
      assert.equal((await workflow.receive({ headers: signedAt(new Date(), secret), body })).status, 200);
      await refused({ headers: signedAt(new Date(Date.now() - 400_000), secret) });
      await refused({ headers: signedAt(new Date(), `whsec_${Buffer.alloc(32, 7).toString('base64')}`) });
      // While a secret is rotated, a delivery has two signatures.
      const other = 'v1,AAAA';
      const both = signedAt(new Date(), secret);
      both['webhook-signature'] = `${other} ${both['webhook-signature']}`;
      assert.equal((await workflow.receive({ headers: both, body })).status, 200);

      await workflow.deactivate();
      assert.deepEqual(workflow.stored, { id: undefined, secret: undefined });
      await refused({ headers: both });
    });
  },
  quickWebhooks(),
);
