import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { deliverTwilio, messageFields, type TwilioFields } from '../kit/webhooks/providers.ts';

const ADDRESS = '+14155550199';

onEveryEngine('Messages of Twilio callbacks', (service) => {
  let owner: CheckedUser;
  let channel: Json;
  before(async () => {
    owner = await signedInOwner(service);
    channel = await makeChannel(owner, { kind: 'sms', address: ADDRESS });
  });
  const send = async (fields: TwilioFields): Promise<Json> => {
    const reply = await deliverTwilio(service, channel, fields);
    assert.equal(reply.status, 200, reply.text);
    const all = await owner.request('GET', '/calls?limit=100');
    const found = all.filter((each: Json) => each.provider_id === fields.MessageSid);
    assert.equal(found.length, 1);
    return found[0];
  };
  /** The callback for a sent message: no text, and both names of its status. */
  const sentFields = (status: string, fields: TwilioFields = {}): TwilioFields => {
    const { Body: _, ...rest } = messageFields({ From: ADDRESS, To: newPhone(), ...fields });
    return { ...rest, MessageStatus: status, SmsStatus: status };
  };

  test('An inbound message creates a contact and appears in the history immediately', async () => {
    const fields = messageFields();
    const { contact_id, type, direction, status, number, ended_at, seconds } = await send(fields);
    assert.deepEqual([type, direction, status, number], ['message', 'inbound', 'completed', fields.From]);
    assert.deepEqual([ended_at, seconds], [null, null]);
    const contact = (await service.get(`/v1/contacts/${contact_id}`)).body.data;
    assert.deepEqual([contact.source, contact.phone_number], ['inbound', fields.From]);
    assert.equal((await send(fields)).contact_id, contact_id, 'a repeated callback has the same contact');
  });

  test('The text of a message is not stored', async () => {
    const fields = messageFields({ Body: 'a unique message text' });
    const { id } = await send(fields);
    const [row] = await service.database.query('select * from calls where id = ?', id);
    assert.ok(!JSON.stringify(row).includes('unique message text'));
    assert.ok(!service.log.join('').includes('unique message text'));
    assert.ok(!service.log.join('').includes(String(fields.From)));
  });

  test('A WhatsApp message has the number without its prefix and finds an earlier caller', async () => {
    const number = newPhone();
    const known = (await send(messageFields({ From: number }))).contact_id;
    const fields = messageFields({
      From: `whatsapp:${number}`,
      To: `whatsapp:${ADDRESS}`,
      ProfileName: 'Ada',
      WaId: number.slice(1),
    });
    const { contact_id, number: shown } = await send(fields);
    assert.deepEqual([contact_id, shown], [known, number]);
    const other = newPhone();
    const met = await send(messageFields({ From: `whatsapp:${other}`, To: `whatsapp:${ADDRESS}` }));
    assert.equal((await service.get(`/v1/contacts/${met.contact_id}`)).body.data.phone_number, other);
  });

  test('A message from an address without a phone number creates no contact', async () => {
    for (const From of ['messenger:14155550123456', 'client:4155550123', 'sip:4155550123@pbx.example']) {
      const { contact_id, number } = await send(messageFields({ From }));
      assert.deepEqual([contact_id, number], [null, From]);
    }
  });

  test('A sent message is outbound, and its status follows the callbacks until delivery', async () => {
    const fields = sentFields('queued');
    const statusAfter = async (status: string) => {
      const call = await send({ ...fields, MessageStatus: status, SmsStatus: status });
      assert.deepEqual([call.direction, call.number], ['outbound', fields.To]);
      return call.status;
    };
    assert.equal(await statusAfter('queued'), 'queued');
    assert.equal(await statusAfter('sending'), 'in_progress');
    assert.equal(await statusAfter('queued'), 'in_progress', 'a late callback changes nothing');
    assert.equal(await statusAfter('sent'), 'completed');
    assert.equal(await statusAfter('delivered'), 'completed');
    assert.equal(await statusAfter('read'), 'completed');
    assert.equal(await statusAfter('sending'), 'completed');
  });

  test('A sent message can end as undelivered', async () => {
    for (const word of ['undelivered', 'failed']) {
      const fields = sentFields('sent');
      assert.equal((await send(fields)).status, 'completed');
      const failed = { ...fields, MessageStatus: word, SmsStatus: word, ErrorCode: '30003' };
      assert.equal((await send(failed)).status, 'failed');
      assert.equal((await send(fields)).status, 'failed', 'the earlier report comes again');
    }
  });

  test('A message sent to an unknown number creates no contact', async () => {
    const fields = sentFields('sent');
    assert.equal((await send(fields)).contact_id, null);
    const found = await service.get(`/v1/contacts?search=${String(fields.To).slice(1)}`);
    assert.equal(found.body.pagination.total, 0);
  });
});
