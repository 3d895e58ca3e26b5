import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { assertFieldsRejected } from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { applyImport, importRows, planCsv } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { deliverEvent, deliverTwilio, newCallEvent, voiceFields } from '../kit/webhooks/providers.ts';

onEveryEngine('Numbers with a national trunk prefix after the country code', (service) => {
  let owner: CheckedUser;
  let channel: Json;
  let crm: Json;
  before(async () => {
    owner = await signedInOwner(service);
    channel = await makeChannel(owner, { address: '+14155550199' });
    crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
  });
  const sendContact = (body: Json) => service.post(`/hooks/contacts/${crm.id}`, body, { key: crm.secret });
  const importOne = async (number: string): Promise<string> => {
    const { id } = await planCsv(owner, `Phone,First Name\n${number},Imported\n`);
    await applyImport(owner, id);
    return (await importRows(owner, id))[0].contact_id;
  };
  const inbound = async (number: string): Promise<string> =>
    (await deliverEvent(service, channel, newCallEvent({ number }))).body.data.contact_id;
  const numberOf = async (id: string) => (await service.get(`/v1/contacts/${id}`)).body.data.phone_number;

  test('A write with a trunk prefix is rejected, and the message shows the correct number', async () => {
    const contact = await makeContact(service);
    const send = /trunk prefix after the country code\. Send \+442079460018\.$/;
    for (const phone_number of ['+4402079460018', '+44 (0)20 7946 0018']) {
      for (const request of [
        () => service.post('/v1/contacts', { phone_number }),
        () => service.patch(`/v1/contacts/${contact.id}`, { phone_number }),
        () => owner.call('POST', '/contacts', { phone_number }),
      ]) {
        assert.match(await assertFieldsRejected(service, ['phone_number'], request), send);
      }
    }
  });

  test('A number with and without the trunk prefix is one contact on import, call and webhook', async () => {
    const { id } = await makeContact(service, { phone_number: '+442079460018' });
    for (const number of ['+4402079460018', '+44 020 7946 0018', '+44 (0)20 7946 0018', '00440 2079460018']) {
      assert.equal(await inbound(number), id, `${number} inbound`);
      assert.equal(await importOne(number), id, `${number} imported`);
    }
    await deliverTwilio(service, channel, voiceFields({ From: '+4402079460018' }));
    const sent = await sendContact({ phone_number: '+4402079460018', first_name: 'Webhook' });
    assert.deepEqual([sent.status, sent.body.data.contact.id], [200, id], sent.text);
    assert.equal((await service.get('/v1/contacts?search=79460018')).body.pagination.total, 1);
  });

  test('Import, call and webhook create a contact without the trunk prefix', async () => {
    assert.equal(await numberOf(await importOne('+44 020 7946 0021')), '+442079460021');
    assert.equal(await numberOf(await inbound('+4402079460022')), '+442079460022');
    const sent = await sendContact({ phone_number: '+4402079460023' });
    assert.deepEqual([sent.status, sent.body.data.contact.phone_number], [201, '+442079460023'], sent.text);
  });

  test('A zero that belongs to the number is not taken for a trunk prefix', async () => {
    const { id } = await makeContact(service, { phone_number: '+390655501234' });
    for (const number of ['+39 06 5550 1234', '+390655501234']) {
      assert.equal(await inbound(number), id, number);
      assert.equal(await importOne(number), id, number);
    }
    const sent = await sendContact({ phone_number: '+390655501234' });
    assert.deepEqual([sent.status, sent.body.data.contact.id], [200, id]);
  });

  test('An older contact that shows a trunk prefix can be sent back unchanged', async () => {
    const { id } = await makeContact(service, { phone_number: '+442079460031' });
    const shown = '+4402079460031';
    await service.database.query(
      `update contacts set phone_number = ?, wire = replace(wire, '+442079460031', ?) where id = ?`,
      shown,
      shown,
      id,
    );
    const reply = await service.patch(`/v1/contacts/${id}`, { phone_number: shown, first_name: 'Same' });
    assert.deepEqual([reply.status, reply.body.data.phone_number], [200, shown], reply.text);
  });
});
