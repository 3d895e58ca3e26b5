import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import {
  assertTablesUnchanged,
  makeChannel,
  makeChannelWithAgent,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { deliverEvent, newCallEvent } from '../kit/webhooks/providers.ts';

const TABLES = ['calls', 'contacts', 'tallies'];
const MINUTE = 60_000;

onEveryEngine('Events signed by Standard Webhooks', (service) => {
  let owner: CheckedUser;
  let channel: Json;
  before(async () => {
    owner = await signedInOwner(service);
    channel = await makeChannel(owner);
  });
  const callOf = (id: string) => owner.request('GET', `/calls/${id}`);

  test('A signed event is recorded as a call with all its fields', async () => {
    const channelWithAgent = await makeChannelWithAgent(service, owner);
    const began = Date.now();
    const event = newCallEvent({
      type: 'message',
      direction: 'inbound',
      status: 'completed',
      started_at: new Date(began + 3_600_000).toISOString().replace('Z', '+01:00'),
      ended_at: new Date(began + 42_500).toISOString().replace(/(?<=\.\d+?)0+Z$/, 'Z'),
      seconds: 42,
    });
    const reply = await deliverEvent(service, channelWithAgent.channel, event);
    assert.equal(reply.status, 200, reply.text);
    const { id, contact_id, ...rest } = reply.body.data;
    assert.deepEqual(rest, { effect: 'recorded' });
    assert.deepEqual(reply.body, { success: true, data: { id, contact_id, effect: 'recorded' } });
    assert.deepEqual(await callOf(id), {
      id,
      channel_id: channelWithAgent.channel.id,
      channel_name: 'Line',
      channel_kind: 'phone',
      contact_id,
      contact_name: null,
      agent_id: channelWithAgent.agent,
      agent_name: 'Agent',
      agent_deleted: false,
      version_id: channelWithAgent.version,
      version_label: 'v1',
      type: 'message',
      direction: 'inbound',
      status: 'completed',
      number: event.number,
      provider_id: event.provider_id,
      started_at: new Date(began).toISOString(),
      ended_at: new Date(began + 42_500).toISOString(),
      seconds: 42,
      session_id: null,
      disposition: null,
      goals: {},
      ended_by: null,
      cost: null,
      recording_url: null,
      note: null,
      tags: [],
      summary: null,
      text: null,
      data: {},
    });
  });

  test('An event with only a caller is recorded as a call in progress that began now', async () => {
    const began = new Date().toISOString();
    const { id } = (await deliverEvent(service, channel, newCallEvent())).body.data;
    const { started_at, status, ended_at, seconds, agent_id, version_id } = await callOf(id);
    assert.ok(started_at >= began && started_at <= new Date().toISOString());
    assert.deepEqual(
      { status, ended_at, seconds, agent_id, version_id },
      {
        status: 'in_progress',
        ended_at: null,
        seconds: null,
        agent_id: null,
        version_id: null,
      },
    );
    const message = (await deliverEvent(service, channel, newCallEvent({ type: 'message' }))).body.data;
    assert.equal((await callOf(message.id)).status, 'completed');
  });

  test('A later event with the same provider id updates the call', async () => {
    const event = newCallEvent({ status: 'ringing', started_at: '2026-01-01T10:00:00Z' });
    const { id } = (await deliverEvent(service, channel, event)).body.data;
    const deliverAndAssert = async (fields: Json, effect: string) => {
      const { data } = (await deliverEvent(service, channel, { ...event, ...fields })).body;
      assert.deepEqual([data.id, data.effect], [id, effect]);
      const { status, ended_at, seconds } = await callOf(id);
      return [status, ended_at, seconds];
    };
    assert.deepEqual(await deliverAndAssert({ status: 'in_progress' }, 'updated'), [
      'in_progress',
      null,
      null,
    ]);
    assert.deepEqual(
      await deliverAndAssert({ status: 'ringing' }, 'none'),
      ['in_progress', null, null],
      'a late event changes nothing',
    );
    const end = '2026-01-01T10:01:00.000Z';
    assert.deepEqual(await deliverAndAssert({ status: 'completed', ended_at: end }, 'updated'), [
      'completed',
      end,
      null,
    ]);
    assert.deepEqual(await deliverAndAssert({ status: 'completed', seconds: 60 }, 'updated'), [
      'completed',
      end,
      60,
    ]);
    for (const late of [
      { status: 'failed' },
      { status: 'in_progress' },
      { seconds: 5 },
      { ended_at: '2026-01-01T11:00:00Z' },
    ]) {
      assert.deepEqual(await deliverAndAssert(late, 'none'), ['completed', end, 60]);
    }
    const { started_at, number } = await callOf(id);
    assert.deepEqual([started_at, number], ['2026-01-01T10:00:00.000Z', event.number]);
  });

  test('An event with several signatures is accepted when one matches', async () => {
    const event = newCallEvent();
    const body = JSON.stringify(event);
    const at = new Date();
    const right = new Webhook(channel.secret).sign('msg_2', at, body);
    const wrong = new Webhook(`whsec_${Buffer.alloc(32, 7).toString('base64')}`).sign('msg_2', at, body);
    const headers = { 'webhook-id': 'msg_2', 'webhook-signature': `${wrong} v1a,${right.slice(3)} ${right}` };
    assert.equal((await deliverEvent(service, channel, event, { at, headers })).status, 200);
    const without = { ...headers, 'webhook-signature': `${wrong} v1a,${right.slice(3)}` };
    const again = newCallEvent();
    const refused = () => deliverEvent(service, channel, again, { at, headers: without });
    assert.equal((await assertTablesUnchanged(service, TABLES, refused)).status, 401);
  });

  test('The timestamp of an event may be up to five minutes off', async () => {
    for (const offset of [-4.9 * MINUTE, 4.9 * MINUTE, 0]) {
      const at = new Date(Date.now() + offset);
      assert.equal((await deliverEvent(service, channel, newCallEvent(), { at })).status, 200, `${offset}`);
    }
    for (const offset of [-5.1 * MINUTE, 5.1 * MINUTE, -86_400_000, 86_400_000]) {
      const at = new Date(Date.now() + offset);
      const reply = await assertTablesUnchanged(service, TABLES, () =>
        deliverEvent(service, channel, newCallEvent(), { at }),
      );
      assert.equal(reply.status, 401, `${offset}`);
    }
  });

  test('An event with missing, invalid or unknown fields is rejected', async () => {
    const good = newCallEvent();
    const { type, provider_id, direction, number } = good;
    const bad: [Json, ...string[]][] = [
      [{}, 'type', 'provider_id', 'direction'],
      [{ type, provider_id, direction }, 'number'],
      [{ provider_id, direction, number }, 'type'],
      [{ type, direction, number }, 'provider_id'],
      [{ ...good, type: 'fax' }, 'type'],
      [{ ...good, direction: 'sideways' }, 'direction'],
      [{ ...good, direction: 'constructor' }, 'direction'],
      [{ ...good, number: '' }, 'number'],
      [{ ...good, number: null }, 'number'],
      [{ ...good, number: '1'.repeat(65) }, 'number'],
      [{ ...good, number: '\0' }, 'number'],
      [{ ...good, provider_id: '' }, 'provider_id'],
      [{ ...good, provider_id: 'p'.repeat(256) }, 'provider_id'],
      [{ ...good, provider_id: 'a\0' }, 'provider_id'],
      [{ ...good, provider_id: 7 }, 'provider_id'],
      [{ ...good, status: 'in-progress' }, 'status'],
      [{ ...good, status: 'toString' }, 'status'],
      [{ ...good, seconds: -1 }, 'seconds'],
      [{ ...good, seconds: 1.5 }, 'seconds'],
      [{ ...good, seconds: '60' }, 'seconds'],
      [{ ...good, seconds: 1e20 }, 'seconds'],
      [{ ...good, started_at: 'yesterday' }, 'started_at'],
      [{ ...good, started_at: '2026-01-01T10:00:00' }, 'started_at'],
      [{ ...good, ended_at: 1767261600 }, 'ended_at'],
      [{ ...good, contact_id: 'x' }, 'contact_id'],
      [{ ...good, workspace_id: 2 }, 'workspace_id'],
    ];
    await assertTablesUnchanged(service, TABLES, async () => {
      for (const [event, ...fields] of bad)
        assertInvalid(await deliverEvent(service, channel, event), ...fields);
    });
    const proto = JSON.stringify(good).replace('{', '{"__proto__":{"direction":"outbound"},');
    assertInvalid(
      await assertTablesUnchanged(service, TABLES, () => deliverEvent(service, channel, proto)),
      '__proto__',
    );
    const twice = JSON.stringify(good).replace('{', '{"number":"+14155550100",');
    assertInvalid(
      await assertTablesUnchanged(service, TABLES, () => deliverEvent(service, channel, twice)),
      'body',
    );
  });

  test('Concurrent deliveries of one event record one call', async () => {
    const event = newCallEvent({ number: newPhone() });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => deliverEvent(service, channel, event)),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    const effects = replies.map(({ body }) => body.data.effect);
    assert.equal(effects.filter((effect) => effect === 'recorded').length, 1);
    assert.equal(effects.filter((effect) => effect === 'none').length, 19);
    assert.equal(new Set(replies.map(({ body }) => `${body.data.id} ${body.data.contact_id}`)).size, 1);
  });

  test('Concurrent events of one new number create one contact', async () => {
    const number = newPhone();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => deliverEvent(service, channel, newCallEvent({ number }))),
    );
    for (const { status, text } of replies) assert.equal(status, 200, text);
    assert.equal(new Set(replies.map(({ body }) => body.data.id)).size, 20);
    assert.equal(new Set(replies.map(({ body }) => body.data.contact_id)).size, 1);
    const found = await service.get(`/v1/contacts?search=${number.slice(1)}`);
    assert.equal(found.body.pagination.total, 1);
    const contact = replies[0]?.body.data.contact_id;
    assert.equal((await owner.call('GET', `/calls?contact_id=${contact}&limit=1`)).body.pagination.total, 20);
    const made = await service.database.query(
      `select subject from audit_entries where action = 'contact.created' and workspace_id = (
        select workspace_id from contacts where id = ?) and subject not in (select id from contacts)`,
      contact,
    );
    assert.deepEqual(made, [], 'no discarded contact has an audit entry');
  });
});
