import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { weekdays } from '../../src/features/campaigns/call-window.ts';
import { lockRecords } from '../kit/database/locks.ts';
import { campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';

describe('Lock order on PostgreSQL', () => {
  it('The job that stores time zones locks the contacts before their enrollments', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const service = await serviceFor(test, database);
    const api = await campaignApi(service);
    const { id } = await makeActiveCampaign(service, api, 3);
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      // A delete of contacts locks them, and then their enrollments.
      await other.query('begin');
      await other.query('select id from contacts order by id limit 1 for update');
      const call_window = { days: weekdays, from: '00:00', to: '24:00' };
      await api.request('PUT', `/campaigns/${id}/schedule`, { call_window });
      const isWaiting = async () =>
        (
          await database.query(
            `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length > 0;
      for (const until = Date.now() + 20_000; !(await isWaiting()); await pause(20))
        assert.ok(Date.now() < until, 'the job does not wait for the contact');
      const enrolled = await other.query('select contact_id from enrollments for update nowait');
      assert.equal(enrolled.rows.length, 3);
      await other.query('commit');
    } finally {
      await other.end();
    }
    const pending = () => database.query(`select contact_id from enrollments where zone_group = ''`);
    for (const until = Date.now() + 20_000; (await pending()).length > 0; await pause(20))
      assert.ok(Date.now() < until, 'the time zones are not stored');
  });

  it('A write that waits too long for a lock gets 503 with the reason, and changes nothing', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const service = await serviceFor(test, database);
    const { id } = await makeContact(service, { first_name: 'Ada' });
    const unlock = await lockRecords(database);
    const reply = await service.patch(`/v1/contacts/${id}`, { first_name: 'Grace' });
    await unlock();
    assert.equal(reply.status, 503, reply.text);
    assert.equal(
      reply.body.error.message,
      'Other requests are changing the same records. Retry in 1 second.',
    );
    assert.equal(reply.headers.get('retry-after'), '1');
    assert.equal((await service.get(`/v1/contacts/${id}`)).body.data.first_name, 'Ada');
  });
});
