import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannelWithAgent, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv, undoImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';
import { deliverEvent, newCallEvent } from '../kit/webhooks/providers.ts';

onEveryEngine('Calls, imports and hooks of contacts with several numbers', (service) => {
  let owner: CheckedUser;
  let agent: string;
  let channel: TestChannel & Json;
  before(async () => {
    owner = await signedInOwner(service);
    const made = await makeChannelWithAgent(service, owner, 'Hi {{first_name|there}}.');
    agent = made.agent;
    channel = made.channel as typeof channel;
  });
  const report = async (fields: Json): Promise<Json> => {
    const reply = await deliverEvent(service, channel, newCallEvent(fields));
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  const contactWith = async (phone: string) => {
    const contact = await makeContact(service, { first_name: 'Ada' });
    const reply = await service.post(`/v1/contacts/${contact.id}/identities`, {
      kind: 'phone',
      value: phone,
    });
    assert.equal(reply.status, 201, reply.text);
    return contact;
  };
  const numberOf = async (id: string) => (await service.get(`/v1/contacts/${id}`)).body.data.phone_number;

  test('A call, a session, a rendering and the hook of a CRM find the contact by its secondary number', async () => {
    const phone = newPhone();
    const contact = await contactWith(phone);
    assert.equal((await report({ number: phone })).contact_id, contact.id);
    assert.equal((await report({ number: phone, direction: 'outbound' })).contact_id, contact.id);
    for (const direction of ['inbound', 'outbound']) {
      const session = { provider_id: `${direction} ${phone}`, direction, number: phone };
      const { body } = await startSession(service, channel, session);
      assert.deepEqual([body.data.contact?.id, body.data.instructions], [contact.id, 'Hi Ada.']);
    }
    const rendered = await service.post(`/v1/agents/${agent}/versions/v1/render`, { phone_number: phone });
    assert.equal(rendered.body.data.text, 'Hi Ada.');
    const crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const sent = { phone_number: phone, company: 'Acme' };
    const { body } = await service.post(`/hooks/contacts/${crm.id}`, sent, { key: crm.secret });
    assert.deepEqual([body.data.action, body.data.contact.id], ['updated', contact.id]);
    assert.equal(await numberOf(contact.id), contact.phone_number);
  });

  test('An import row with a secondary number updates the contact and keeps its number', async () => {
    const phone = newPhone();
    const contact = await contactWith(phone);
    const planned = await planCsv(owner, `Phone,Company\n${phone},Acme\n${contact.phone_number},Other\n`);
    assert.deepEqual([planned.totals.update, planned.totals.duplicate_in_file], [1, 1]);
    await applyImport(owner, planned.id);
    const { company, phone_number } = (await service.get(`/v1/contacts/${contact.id}`)).body.data;
    assert.deepEqual([company, phone_number], ['Acme', contact.phone_number]);
    assert.equal((await service.get(`/v1/contacts?search=${phone.slice(1)}`)).body.data.length, 1);
  });

  test('The undo of an import keeps a contact that has got another identity since', async () => {
    const phone = newPhone();
    const { id } = await planCsv(owner, `Phone\n${phone}\n`);
    await applyImport(owner, id);
    const { id: contact } = (await service.get(`/v1/contacts/by-phone/${phone}`)).body.data;
    await service.post(`/v1/contacts/${contact}/identities`, { kind: 'phone', value: newPhone() });
    assert.equal((await undoImport(owner, id)).totals.edited_since, 1);
    assert.equal((await service.get(`/v1/contacts/${contact}`)).status, 200);
  });

  test('A report of a call in the past belongs to the contact that had the number then', async () => {
    const first = await makeContact(service);
    const number = first.phone_number;
    const during = (await service.get(`/v1/contacts/${first.id}`)).body.data.created_at;
    await service.call('PATCH', `/v1/contacts/${first.id}`, { phone_number: newPhone() });
    const second = await makeContact(service, { phone_number: number });
    assert.equal((await report({ number, started_at: during })).contact_id, first.id);
    assert.equal((await report({ number, started_at: second.created_at })).contact_id, second.id);
    assert.equal((await report({ number })).contact_id, second.id);
  });
});
