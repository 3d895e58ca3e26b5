import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { entriesOfRequest } from '../kit/dashboard/audit.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import {
  assertTablesUnchanged,
  makeChannel,
  makeChannelWithAgent,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { onEveryEngine, type Reply } from '../kit/service/test-service.ts';
import { sendEvent, twilioCallback } from '../kit/webhooks/channel-hooks.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const HOUR_MS = 3_600_000;
const PAST = '2020-01-01T00:00:00.000Z';
let count = 0;

const isHoursAway = (time: string, hours: number) =>
  assert.ok(Math.abs(Date.parse(time) - Date.now() - hours * HOUR_MS) < HOUR_MS / 2, time);

onEveryEngine('Rotation of secrets', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const rotate = (path: string, body: unknown = {}) => owner.call('POST', `${path}/rotate-secret`, body);
  const rotated = async (path: string, body?: unknown) => {
    const reply = await rotate(path, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  const revoke = (path: string) => owner.request('DELETE', `${path}/old-secret`);
  const actionsIn = async (reply: Reply) =>
    (await entriesOfRequest(service, reply)).map(({ action }: { action: string }) => action);

  const agentStatus = async (id: string, secret: string) =>
    (await service.get(`/hooks/channels/${id}/agent`, { key: secret })).status;
  const eventStatus = async (id: string, secret: string) => {
    const event = { type: 'call', provider_id: `call ${++count}`, direction: 'inbound', number: newPhone() };
    return (await sendEvent(service, { id, secret }, event)).status;
  };
  const bySignature = async (id: string, secret: string) => {
    const fields = { CallSid: `CA${++count}`, CallStatus: 'ringing', From: newPhone(), Direction: 'inbound' };
    return (await twilioCallback(service, { id, secret }, fields)).status;
  };
  const writes = async (id: string, secret: string) =>
    (await service.post(`/hooks/contacts/${id}`, { phone_number: newPhone() }, { key: secret })).status;

  test('Rotating a channel secret accepts both secrets for a day, and then only the new one', async () => {
    const { channel } = await makeChannelWithAgent(service, owner);
    const { id, secret: first } = channel;
    assert.equal(channel.old_secret_expires_at, null);
    const reply = await rotate(`/channels/${id}`);
    assert.deepEqual(await actionsIn(reply), ['channel.secret_rotated']);
    const { secret: second, old_secret_expires_at } = reply.body.data;
    assert.match(second, /^whsec_/);
    assert.notEqual(second, first);
    isHoursAway(old_secret_expires_at, 24);
    const all = async (secret: string) => [
      await agentStatus(id, secret),
      await eventStatus(id, secret),
      await bySignature(id, secret),
    ];
    assert.deepEqual(
      [await all(first), await all(second)],
      [
        [200, 200, 200],
        [200, 200, 200],
      ],
    );
    const expired = 'update channels set old_secret_expires_at = ? where id = ?';
    await service.database.query(expired, PAST, id);
    assert.deepEqual(
      [await all(first), await all(second)],
      [
        [401, 401, 401],
        [200, 200, 200],
      ],
    );
    await rotated(`/channels/${id}`, { grace_hours: 0 });
    assert.deepEqual(await all(second), [401, 401, 401]);
  });

  test('Rotating an integration secret accepts both secrets for a day, and then only the new one', async () => {
    const { id, secret: first } = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const reply = await rotate(`/integrations/${id}`);
    assert.deepEqual(await actionsIn(reply), ['integration.secret_rotated']);
    const { secret: second, old_secret_expires_at } = reply.body.data;
    isHoursAway(old_secret_expires_at, 24);
    assert.deepEqual(await owner.request('GET', `/integrations/${id}`), {
      id,
      name: 'CRM',
      old_secret_expires_at,
      created_at: reply.body.data.created_at,
    });
    assert.deepEqual([await writes(id, first), await writes(id, second)], [201, 201]);
    await service.database.query('update integrations set old_secret_expires_at = ? where id = ?', PAST, id);
    assert.deepEqual([await writes(id, first), await writes(id, second)], [401, 201]);
    await rotated(`/integrations/${id}`, { grace_hours: 0 });
    assert.equal(await writes(id, second), 401);
    const member = await signedInUser(service, 'member@example.com', 'member');
    assertError(await member.call('POST', `/integrations/${id}/rotate-secret`, {}), 403, 'FORBIDDEN');
    assertError(await member.call('DELETE', `/integrations/${id}/old-secret`), 403, 'FORBIDDEN');
  });

  test('A second rotation within the grace period requires the secret to revoke', async () => {
    const { channel } = await makeChannelWithAgent(service, owner);
    const integration = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    for (const [path, { id, secret: first }, works] of [
      [
        `/channels/${channel.id}`,
        channel,
        async (key: string) => (await agentStatus(channel.id, key)) === 200,
      ],
      [
        `/integrations/${integration.id}`,
        integration,
        async (key: string) => (await writes(integration.id, key)) === 201,
      ],
    ] as const) {
      const { secret: second } = await rotated(path, { grace_hours: 168 });
      const rejected = await assertTablesUnchanged(service, ['channels', 'integrations'], () => rotate(path));
      assertError(rejected, 409, 'CONFLICT');
      assert.match(rejected.body.error.message, /Revoke the old secret first, or send "replace_new": true/);
      const third = await rotated(path, { replace_new: true, grace_hours: 2 });
      isHoursAway(third.old_secret_expires_at, 2);
      const accepted = () => Promise.all([first, second, third.secret].map(works));
      assert.deepEqual(await accepted(), [true, false, true], id);
      const revoked = await owner.call('DELETE', `${path}/old-secret`);
      assert.match(String(await actionsIn(revoked)), /^\w+\.old_secret_revoked$/);
      assert.equal(revoked.body.data.old_secret_expires_at, null);
      assert.deepEqual(await accepted(), [false, false, true]);
      assert.equal((await revoke(path)).old_secret_expires_at, null, 'there is none to revoke');
      assert.deepEqual(await accepted(), [false, false, true]);
    }
  });

  test('The previous Twilio auth token is accepted for the requested time', async () => {
    const { id } = await makeChannel(owner, { platform_secret: TOKEN });
    const path = `/channels/${id}`;
    const next = `${TOKEN.slice(1)}x`;
    const changed = await owner.request('PATCH', path, { platform_secret: next, grace_hours: 5 });
    isHoursAway(changed.old_platform_secret_expires_at, 5);
    assert.deepEqual([await bySignature(id, TOKEN), await bySignature(id, next)], [200, 200]);
    assert.equal((await revoke(path)).old_platform_secret_expires_at, null);
    assert.deepEqual([await bySignature(id, TOKEN), await bySignature(id, next)], [401, 200]);
    const last = await owner.request('PATCH', path, { platform_secret: TOKEN });
    assert.equal(last.old_platform_secret_expires_at, null, 'without a grace period it is replaced');
    assert.deepEqual([await bySignature(id, next), await bySignature(id, TOKEN)], [401, 200]);
    for (const body of [{ grace_hours: 5 }, { platform_secret: null, grace_hours: 5 }])
      assertInvalid(await owner.call('PATCH', path, body), 'grace_hours');
  });

  test('The grace period is 0 to 168 hours, and other fields are rejected', async () => {
    const { id } = await makeChannel(owner);
    await assertTablesUnchanged(service, ['channels'], async () => {
      for (const grace_hours of [-1, 169, 1.5, '24', null])
        assertInvalid(await rotate(`/channels/${id}`, { grace_hours }), 'grace_hours');
      assertInvalid(await rotate(`/channels/${id}`, { replace_new: 1 }), 'replace_new');
      assertInvalid(await rotate(`/channels/${id}`, { secret: 'mine' }), 'secret');
      const none = 'channel_01h455vb4pex5vsknk084sn02q';
      assertError(await rotate(`/channels/${none}`), 404, 'NOT_FOUND');
      assertError(await owner.call('DELETE', `/channels/${none}/old-secret`), 404, 'NOT_FOUND');
    });
  });
});
