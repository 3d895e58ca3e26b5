import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Storage } from '../../src/db/storage.ts';
import { claimDeliveries } from '../../src/features/webhooks/delivery.claim.ts';
import { type DeliveryResult, recordResults } from '../../src/features/webhooks/delivery.results.ts';
import { webhookStatuses } from '../../src/features/webhooks/webhook.schema.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { makeWebhook, quickWebhooks } from '../kit/webhooks/deliveries.ts';

const LATER = '2099-01-01T00:00:00.000Z';
/** No program listens there. */
const NOWHERE = 'http://127.0.0.1:9/';

onEveryEngine(
  'Leases and ranges of webhook deliveries',
  (service) => {
    let owner: CheckedUser;
    let storage: Storage;
    before(async () => {
      owner = await signedInOwner(service);
      storage = await openTestStorage(service.database);
    });
    after(() => storage.close());

    /** A paused webhook, which the service does not send to, with a pending delivery that another instance has leased. */
    const makeLeased = async (lease: string, fields: Json = {}) => {
      const body = { url: NOWHERE, status: 'paused', ...fields };
      const { id } = await owner.request('POST', '/webhooks', body, 201);
      const [row] = await service.database.query(
        'select workspace_id from webhook_endpoints where id = ?',
        id,
      );
      const workspace = Number(row?.workspace_id);
      await service.database.query(
        `insert into webhook_deliveries (workspace_id, endpoint_id, event_seq, subject, status, attempts, due_at, lease_id, created_at)
        values (${workspace}, ?, 1, 'subject', 'pending', 2, '${LATER}', '${lease}', '2026-01-01T00:00:00.000Z')`,
        id,
      );
      const state = async () => {
        const rows = await service.database.query(
          'select status, attempts, due_at, lease_id from webhook_deliveries where endpoint_id = ?',
          id,
        );
        return rows.map(({ status, attempts, due_at, lease_id }) => [
          status,
          Number(attempts),
          due_at,
          lease_id,
        ]);
      };
      const record = (changes: Partial<DeliveryResult>) =>
        storage.run(recordResults, null, {
          workspace,
          id,
          results: [{ seq: 1, lease, status: 'pending', attempts: 3, due_at: LATER, ...changes }],
          disableAfterMs: 1e12,
          outageMs: 1e12,
        });
      return { id, workspace, state, record };
    };

    test('A late result of a lost lease does not change the delivery of another instance', async () => {
      const { state, record } = await makeLeased('current');
      const before = await state();
      for (const status of ['pending', 'failed'] as const) {
        await record({ lease: 'lost', status, due_at: '2026-01-01T00:00:00.000Z' });
        assert.deepEqual(await state(), before, status);
      }
      await record({ due_at: '2026-02-01T00:00:00.000Z' });
      assert.deepEqual(await state(), [['pending', 3, '2026-02-01T00:00:00.000Z', null]]);
    });

    test('A delivery ends as its result says', async () => {
      const ends: Record<DeliveryResult['status'], Json> = {
        pending: [['pending', 3, LATER, null]],
        failed: [['failed', 3, LATER, null]],
        over: [],
      };
      for (const [status, expected] of Object.entries(ends)) {
        const { state, record } = await makeLeased('current');
        await record({ status: status as DeliveryResult['status'] });
        assert.deepEqual(await state(), expected, status);
      }
    });

    test('A worker stops after its webhook was deleted', async () => {
      const { id, record } = await makeLeased('current');
      await owner.request('DELETE', `/webhooks/${id}`);
      assert.equal(await record({}), undefined);
    });

    test('Only an active webhook is claimed, also by a worker that still knows it as active', async () => {
      const { id, workspace, state } = await makeLeased('expired');
      await service.database.query(
        `update webhook_deliveries set due_at = '2026-01-01T00:00:00.000Z' where endpoint_id = ?`,
        id,
      );
      const before = await state();
      const claim = () =>
        storage.run(claimDeliveries, null, { workspace, id, lease: 'new', limit: 10, leaseMs: 60_000 });
      for (const status of webhookStatuses.filter((each) => each !== 'active')) {
        await service.database.query(`update webhook_endpoints set status = '${status}' where id = ?`, id);
        assert.equal(await claim(), undefined, status);
        assert.deepEqual(await state(), before, status);
      }
    });

    test('A replay includes the events at both ends of its range, and no others', async (context) => {
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] });
      for (let count = 0; count < 3; count++) await makeContact(service);
      const sent = await webhook.received(3);
      await webhook.settled();
      const times: string[] = sent.map(({ timestamp }) => timestamp).sort();
      const at = times[1] as string;
      const expected = sent.filter(({ timestamp }) => timestamp === at).map(({ id }) => id);
      const replay = (range: object) => owner.request('POST', `${webhook.path}/replay`, range);
      assert.deepEqual(await replay({ since: at, until: at }), { events: expected.length });
      await webhook.received(3 + expected.length);
      await webhook.settled();
      const again = webhook
        .events()
        .slice(3)
        .map(({ id }) => id);
      assert.deepEqual(again.sort(), expected.sort());
      const justBefore = new Date(Date.parse(times[0] as string) - 1).toISOString();
      assert.deepEqual(await replay({ since: justBefore, until: justBefore }), { events: 0 });
      await webhook.settled();
      assert.equal(webhook.events().length, 3 + expected.length);
    });

    test('The ETag of a webhook changes while a replay runs', async (context) => {
      const webhook = await makeWebhook(context, owner, { types: ['contact.created'] });
      await makeContact(service);
      await webhook.received(1);
      await webhook.settled();
      await owner.request('PATCH', webhook.path, { status: 'paused' });
      const read = async () => {
        const reply = await owner.call('GET', webhook.path);
        return { etag: reply.headers.get('etag'), replay: reply.body.data.replay };
      };
      const idle = await read();
      assert.equal(idle.replay, null);
      await owner.request('POST', `${webhook.path}/replay`, { since: '2020-01-01T00:00:00Z' });
      const running = await read();
      assert.ok(running.replay.remaining > 0);
      assert.notEqual(running.etag, idle.etag);
      await owner.request('DELETE', `${webhook.path}/replay`);
      assert.deepEqual(await read(), idle);
    });
  },
  quickWebhooks(),
);
