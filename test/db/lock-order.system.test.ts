import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { weekdays } from '../../src/features/campaigns/call-window.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { lockRecords } from '../kit/database/locks.ts';
import { makeChannelWithAgent, signedInOwner } from '../kit/fixtures/agents.ts';
import { campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';
import { startSession } from '../kit/webhooks/channel-hooks.ts';

/** Waits until a transaction waits for a lock. */
const untilWaiting = async ({ query }: TestDatabase) => {
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (const until = Date.now() + 20_000; (await query(waiting)).length === 0; await pause(20))
    assert.ok(Date.now() < until, 'no transaction waits for the lock');
};

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
      await untilWaiting(database);
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

  it('A claim that looks again for others in place of blocked contacts locks renderings in the order of the contacts', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const service = await serviceFor(test, database);
    const api = await campaignApi(service);
    const { id, agent } = await makeActiveCampaign(service, api, 0);
    await service.patch(`/v1/agents/${agent.id}`, { instructions: 'Call {{first_name}}.' });
    await markDeployed(database, agent.id, 2);
    const fields = { name: 'Other', agent_id: agent.id, status: 'active' };
    const { id: neighbor } = await api.request('POST', '/campaigns', fields, 201);
    const [low, high] = [
      (await makeContact(service, { first_name: 'Ada' })).id,
      (await makeContact(service, { first_name: 'Grace' })).id,
    ].sort() as [string, string];
    const nameless = (await makeContact(service, {})).id;
    const enroll = (campaign: string, ...contact_ids: string[]) =>
      api.request('POST', `/campaigns/${campaign}/enrollments`, { contact_ids });
    const claim = (campaign: string) => api.claims(campaign, { limit: 2, render: true });
    // The texts are stored, and the claim finds the contacts in the other order, in two looks.
    await enroll(neighbor, low, high);
    assert.equal((await claim(neighbor)).length, 2);
    await enroll(id, high, nameless);
    await enroll(id, low);
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select 1 from renderings where contact_id = $1 for update', [low]);
      const claimed = claim(id);
      await untilWaiting(database);
      const { rows } = await other.query('select contact_id from renderings for update nowait');
      assert.equal(rows.length, 2);
      await other.query('commit');
      assert.deepEqual(
        (await claimed).map(({ contact }) => contact.id),
        [high, low],
      );
    } finally {
      await other.end();
    }
  });

  it('A session waits for the deletion of its contact, and then creates another one', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const service = await serviceFor(test, database);
    const { channel } = await makeChannelWithAgent(service, await signedInOwner(service));
    const phone_number = '+14155550123';
    const { id } = await makeContact(service, { phone_number });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      // A delete locks the contact, and then its sessions.
      await other.query('begin');
      await other.query('select id from contacts for update');
      const start = { provider_id: 'one', direction: 'inbound', number: phone_number };
      const started = startSession(service, channel as never, start);
      await untilWaiting(database);
      assert.equal((await other.query('select id from call_sessions for update nowait')).rows.length, 0);
      await other.query('delete from contact_tags; delete from contacts');
      await other.query('commit');
      // It may have been answered before, without the database.
      await started;
      const { contact } = (await startSession(service, channel as never, start)).body.data;
      assert.notEqual(contact.id, id);
      const rows = await database.query('select contact_id from call_sessions');
      assert.deepEqual(
        rows.map(({ contact_id }) => contact_id),
        [contact.id],
      );
    } finally {
      await other.end();
    }
  });

  it('Changes of several campaigns lock them in the order of their ids', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const service = await serviceFor(test, database);
    const api = await campaignApi(service);
    const owner = await signedInOwner(service);
    const { agent } = await makeActiveCampaign(service, api, 0);
    await api.request('POST', '/campaigns', { name: 'Other', agent_id: agent.id, status: 'active' }, 201);
    await makeField(service, 'tier', 'text');
    await owner.request('PATCH', '/fields/tier', { archived: true });
    const has = (op: string) => ({ filter: { attribute: 'email', op, value: 'a' } });
    const segment = await owner.request('POST', '/segments', { name: 'Some', ...has('contains') }, 201);
    await database.query(
      `update campaigns set segment_id = '${segment.id}', audience_mode = 'live', followed_until = 0`,
    );
    // The one that was stored last has the lowest id.
    await database.query(`update campaigns set id = 'campaign_0' where name = 'Other'`);
    const other = new Client({ connectionString: database.url });
    await other.connect();
    const changes = {
      'restored field': () => owner.request('PATCH', '/fields/tier', { archived: false }),
      'deleted agent': () => service.delete(`/v1/agents/${agent.id}`),
      // Last, because it starts jobs.
      'changed segment': () => owner.request('PATCH', `/segments/${segment.id}`, has('starts_with')),
    };
    try {
      for (const [name, change] of Object.entries(changes)) {
        await other.query('begin');
        await other.query(`select id from campaigns where id = 'campaign_0' for update`);
        const changed = change();
        await untilWaiting(database);
        const free = await other.query('select id from campaigns for update skip locked');
        await other.query('commit');
        await changed;
        assert.equal(free.rows.length, 2, name);
      }
    } finally {
      await other.end();
    }
  });

  it('Archiving a field does not wait for campaigns', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const service = await serviceFor(test, database);
    const owner = await signedInOwner(service);
    await makeActiveCampaign(service, await campaignApi(service), 0);
    await database.query('update campaigns set followed_until = 0');
    await makeField(service, 'tier', 'text');
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select id from campaigns for update');
      await owner.request('PATCH', '/fields/tier', { archived: true });
      await other.query('commit');
    } finally {
      await other.end();
    }
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
