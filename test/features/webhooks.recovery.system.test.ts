import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually, makeWebhook, quickWebhooks } from '../kit/webhooks/deliveries.ts';
import { answer } from '../kit/webhooks/receiver.ts';

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const types = ['contact.created'];

onEveryEngine(
  'Recovery of webhooks',
  (service) => {
    let owner: CheckedUser;
    before(async () => {
      owner = await signedInOwner(service);
    });
    const setDue = (id: string, due_at: string, lease: string | null = null) =>
      service.database.query(
        'update webhook_deliveries set due_at = ?, lease_id = ? where endpoint_id = ?',
        due_at,
        lease,
        id,
      );
    const countRows = async (table: string, id: string): Promise<number> => {
      const rows = await service.database.query(`select 1 from ${table} where endpoint_id = ?`, id);
      return rows.length;
    };

    test('The first success after an outage sends all waiting deliveries', async (context) => {
      const webhook = await makeWebhook(context, owner, { types }, answer(503, { 'Retry-After': '3600' }));
      await makeContact(service);
      await makeContact(service);
      await eventually('two failures', async () => (await webhook.attempts()).length === 2);
      const { failing_since, pending_deliveries } = await webhook.show();
      assert.ok(failing_since);
      assert.equal(pending_deliveries, 2);
      const set = 'update webhook_endpoints set failing_since = ? where id = ?';
      await service.database.query(set, inMinutes(-6), webhook.id);
      webhook.receiver.behave(answer(200));
      await makeContact(service);
      await webhook.received(5);
      assert.equal((await webhook.settled()).failing_since, null);
    });

    test('A delivery whose lease has ended is sent again', async (context) => {
      const webhook = await makeWebhook(context, owner, { types }, answer(503, { 'Retry-After': '3600' }));
      await makeContact(service);
      await eventually('a failure', async () => (await webhook.attempts()).length === 1);
      webhook.receiver.behave(answer(200));
      await setDue(webhook.id, inMinutes(10), 'of an instance that was killed');
      const [{ due_at }] = (await service.database.query(
        'select due_at from webhook_deliveries where endpoint_id = ?',
        webhook.id,
      )) as [Json];
      assert.ok(due_at > inMinutes(9));
      await setDue(webhook.id, inMinutes(-1), 'of an instance that was killed');
      await webhook.received(2);
      await webhook.settled();
    });

    test('At most 1,000 deliveries wait, and the rest follows from the log', async (context) => {
      const webhook = await makeWebhook(context, owner, { types, status: 'paused' });
      const operations = Array.from({ length: 1_000 }, (_, at) => ({
        op: 'create',
        phone_number: `+1415${5_550_000 + at}`,
      }));
      assert.equal((await service.post('/v1/contacts/batch', { operations })).status, 200);
      for (let count = 0; count < 10; count++) await makeContact(service);
      webhook.receiver.behave(answer(503, { 'Retry-After': '3600' }));
      await owner.request('PATCH', webhook.path, { status: 'active' });
      await eventually('a full queue that waits', async () => {
        const waiting =
          'select 1 from webhook_deliveries where endpoint_id = ? and lease_id is null and due_at > ?';
        return (await service.database.query(waiting, webhook.id, inMinutes(30))).length === 1_000;
      });
      assert.equal((await webhook.show()).pending_deliveries, 1_000);
      webhook.receiver.behave(answer(200));
      await setDue(webhook.id, inMinutes(-1));
      await eventually('all deliveries', () => new Set(webhook.events().map(({ id }) => id)).size === 1_010);
      await webhook.settled();
    });

    test('Deleting a webhook deletes its deliveries and attempts', async (context) => {
      const webhook = await makeWebhook(context, owner, { types }, answer(503, { 'Retry-After': '3600' }));
      await makeContact(service);
      await eventually('a failure', async () => (await webhook.attempts()).length === 1);
      assert.equal(await countRows('webhook_deliveries', webhook.id), 1);
      await webhook.delete();
      await eventually('no rows', async () => {
        const counts = await Promise.all(
          ['webhook_deliveries', 'webhook_attempts'].map((table) => countRows(table, webhook.id)),
        );
        return counts.every((count) => count === 0);
      });
    });
  },
  quickWebhooks(),
);
