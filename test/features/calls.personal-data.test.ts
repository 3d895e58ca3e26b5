import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { sendEvent, twilioCallback } from '../kit/webhooks/channel-hooks.ts';

onEveryEngine('Personal data of calls', (service) => {
  test('Deleting a contact also erases its number from calls made before the contact existed', async () => {
    const owner = await signedInUser(service, 'erasure@example.com');
    const channel = (
      await owner.call('POST', '/channels', { kind: 'phone', name: 'Line', address: '+14155550190' })
    ).body.data;
    const number = newPhone();
    const event = { type: 'call', provider_id: 'out-1', direction: 'outbound', number };
    assert.equal((await sendEvent(service, channel, event)).status, 200);
    const shown = async () => (await owner.call('GET', '/calls')).body.data[0];
    assert.deepEqual([(await shown()).number, (await shown()).contact_id], [number, null]);
    const { id } = await makeContact(service, { phone_number: number });
    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
    assert.equal((await shown()).number, null);
    const [{ count }] = (await service.database.query(
      'select count(*) as count from calls where number_identity is not null',
    )) as [{ count: number }];
    assert.equal(Number(count), 0);
  });

  test('A call with a future or invalid start time is rejected', async () => {
    const owner = await signedInUser(service, 'future@example.com');
    const channel = (
      await owner.call('POST', '/channels', { kind: 'phone', name: 'Line', address: '+14155550191' })
    ).body.data;
    const event = { type: 'call', provider_id: 'f-1', direction: 'inbound', number: newPhone() };
    const before = (await service.get('/v1/contacts')).body.pagination.total;
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    for (const started_at of [
      soon,
      '2026-02-31T00:00:00Z',
      '2026-01-31T24:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '0000-01-01T00:00:00+01:00',
    ]) {
      const reply = await sendEvent(service, channel, { ...event, started_at });
      assert.equal(reply.status, 400, reply.text);
      assert.equal(reply.body.error.details[0].field, 'started_at');
    }
    const backwards = { started_at: '2026-01-02T00:00:00Z', ended_at: '2026-01-01T00:00:00Z' };
    assert.equal((await sendEvent(service, channel, { ...event, ...backwards })).status, 400);
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, before);
  });

  test('A forged form with very many fields gets 413', async () => {
    const owner = await signedInUser(service, 'forger@example.com');
    const channel = (
      await owner.call('POST', '/channels', { kind: 'phone', name: 'Line', address: '+14155550192' })
    ).body.data;
    const fields = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`f${at}`, '']));
    assert.equal((await twilioCallback(service, channel, fields, 'forged')).status, 413);
  });
});
