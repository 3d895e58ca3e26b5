import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannelWithAgent, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { getAgentFromHook, sendEvent, startSession } from '../kit/webhooks/channel-hooks.ts';

let calls = 0;
/** Two forms of one number in Brazil, Argentina or Mexico. */
const forms = (country: 'BR' | 'AR' | 'MX' = 'BR'): [long: string, short: string] => {
  const line = String(++calls).padStart(3, '0');
  if (country === 'BR') return [`+5511965550${line}`, `+551165550${line}`];
  if (country === 'AR') return [`+5491155500${line}`, `+541155500${line}`];
  return [`+5215555500${line}`, `+525555500${line}`];
};

onEveryEngine('Variants of phone numbers', (service) => {
  let owner: CheckedUser;
  let line: Json;
  before(async () => {
    owner = await signedInOwner(service);
    line = await makeChannelWithAgent(service, owner, 'Hi {{first_name|there}}.');
  });
  const byPhone = (phone: string) => service.get(`/v1/contacts/by-phone/${phone}`);
  const total = async () => (await service.get('/v1/contacts?limit=1')).body.pagination.total;

  for (const country of ['BR', 'AR', 'MX'] as const)
    for (const stored of [0, 1] as const)
      test(`A look-up by number in ${country} finds the contact with form ${stored + 1} of it`, async () => {
        const numbers = forms(country);
        const [own, other] = [numbers[stored] as string, numbers[1 - stored] as string];
        const contact = await makeContact(service, { phone_number: own, first_name: 'Ada' });
        const [exact, found] = [await byPhone(own), await byPhone(other)];
        assert.equal(found.status, 200, found.text);
        assert.deepEqual(found.body.data, exact.body.data);
        assert.equal(found.body.data.phone_number, own, 'the number stays as it was written');
        assert.equal(found.body.data.id, contact.id);
      });

  test('The contact with exactly this number comes first, and a variant never blocks a write', async () => {
    const [long, short] = forms();
    const first = await makeContact(service, { phone_number: long });
    const second = await makeContact(service, { phone_number: short });
    assert.equal((await byPhone(long)).body.data.id, first.id);
    assert.equal((await byPhone(short)).body.data.id, second.id);

    const [upserted, created] = forms();
    const one = await service.call('PUT', `/v1/contacts/by-phone/${upserted}`, {});
    const other = await service.call('PUT', `/v1/contacts/by-phone/${created}`, {});
    assert.deepEqual([one.status, other.status], [201, 201]);
    assert.notEqual(one.body.data.id, other.body.data.id);
    const [batched, known] = forms();
    await makeContact(service, { phone_number: known });
    const operations = [{ op: 'upsert', phone_number: batched }];
    const reply = await service.post('/v1/contacts/batch', { atomic: true, operations });
    assert.equal(reply.body.data.results[0].status, 'created', reply.text);
  });

  test('A number without a known variant is not found', async () => {
    const [long] = forms();
    assertError(await byPhone(long), 404, 'NOT_FOUND');
    await makeContact(service, { phone_number: '+551125550199' });
    assertError(await byPhone('+5511925550199'), 404, 'NOT_FOUND');
  });

  test('Calls and messages from a variant belong to the contact, and others create one', async () => {
    const [long, short] = forms();
    const contact = await makeContact(service, { phone_number: short });
    const before = await total();
    for (const type of ['call', 'message']) {
      const event = { type, provider_id: `variant-${++calls}`, direction: 'inbound', number: long };
      const reply = await sendEvent(service, line.channel, event);
      assert.equal(reply.body.data.contact_id, contact.id, reply.text);
    }
    assert.equal(await total(), before);
    const [unknown] = forms();
    const event = { type: 'call', provider_id: `variant-${++calls}`, direction: 'inbound', number: unknown };
    const reply = await sendEvent(service, line.channel, event);
    assert.equal(await total(), before + 1);
    assert.equal((await byPhone(unknown)).body.data.id, reply.body.data.contact_id);
  });

  for (const direction of ['inbound', 'outbound'])
    test(`An ${direction} session with a variant has the contact`, async () => {
      const [long, short] = forms('AR');
      const contact = await makeContact(service, { phone_number: long, first_name: 'Ada' });
      const before = await total();
      const body = { provider_id: `variant-${++calls}`, direction, number: short };
      const reply = await startSession(service, line.channel, body);
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual([reply.body.data.contact?.id, reply.body.data.instructions], [contact.id, 'Hi Ada.']);
      const again = await startSession(service, line.channel, body);
      assert.equal(again.body.data.session_id, reply.body.data.session_id);
      assert.equal(await total(), before);
    });

  test('An inbound session from an unknown number creates a contact with exactly this number', async () => {
    const [, short] = forms('AR');
    const body = { provider_id: `variant-${++calls}`, direction: 'inbound', number: short };
    const reply = await startSession(service, line.channel, body);
    assert.equal(reply.body.data.contact.phone_number, short, reply.text);
  });

  test('Instructions for a variant are rendered for the contact', async () => {
    const [long, short] = forms('MX');
    const contact = await makeContact(service, { phone_number: long, first_name: 'Ada' });
    const { channel } = line;
    const path = `/hooks/channels/${channel.id}/agent?number=${encodeURIComponent(short)}`;
    const reply = await service.get(path, { key: channel.secret });
    assert.deepEqual([reply.body.data.contact.id, reply.body.data.rendered], [contact.id, 'Hi Ada.']);
    assert.equal((await getAgentFromHook(service, channel)).status, 200);
    const render = await service.post(`/v1/agents/${line.agent}/versions/v1/render`, { phone_number: short });
    assert.equal(render.body.data.text, 'Hi Ada.', render.text);
  });
});
