import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { assertTablesUnchanged, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { FULL_KEYS, keysOf } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeLegacyContact, nationalFormat } from '../kit/fixtures/legacy-contacts.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { deliverEvent, deliverTwilio, newCallEvent, voiceFields } from '../kit/webhooks/providers.ts';

onEveryEngine('Caller identification', (service) => {
  let owner: CheckedUser;
  let channel: Json;
  before(async () => {
    owner = await signedInOwner(service);
    channel = await makeChannel(owner, { address: '+14155550199' });
  });
  const contactOfCall = async (fields: Json, target: Json = channel): Promise<string | null> => {
    const reply = await deliverEvent(service, target, newCallEvent(fields));
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data.contact_id;
  };
  const contactOf = async (id: string | null) => (await service.get(`/v1/contacts/${id}`)).body.data;

  test('A call from an unknown number creates a contact first seen at the time of the call', async () => {
    const number = newPhone();
    const at = '2026-02-03T04:05:06.007Z';
    const began = new Date().toISOString();
    const contact = await contactOf(await contactOfCall({ number, started_at: at }));
    assert.deepEqual(keysOf(contact), FULL_KEYS);
    const { id: _, created_at, updated_at, ...rest } = contact;
    assert.ok(created_at >= began && updated_at === created_at);
    assert.deepEqual(rest, {
      phone_number: number,
      first_name: null,
      last_name: null,
      display_name: null,
      email: null,
      company: null,
      notes: null,
      tags: [],
      source: 'inbound',
      first_contact_at: at,
      last_contact_at: at,
      crm_ids: {},
    });
    const listed = (await service.get(`/v1/contacts?search=${number.slice(-7)}`)).body;
    assert.deepEqual(
      listed.data.map((each: Json) => each.id),
      [contact.id],
      'and can be searched for',
    );
  });

  test('A call from a known number finds its contact, in any format', async () => {
    const contact = await makeContact(service, { first_name: 'Ada' });
    const e164 = contact.phone_number;
    const [area, mid, end] = [e164.slice(2, 5), e164.slice(5, 8), e164.slice(8)];
    const writings = [
      e164,
      nationalFormat(e164),
      `${area}${mid}${end}`,
      `${area}-${mid}-${end}`,
      `${area}.${mid}.${end}`,
      `1${area}${mid}${end}`,
      `1 (${area}) ${mid}-${end}`,
      `+1 ${area} ${mid} ${end}`,
      `+1-${area}-${mid}-${end}`,
      `+1 (${area}) ${mid}.${end}`,
      `011 1 ${area} ${mid} ${end}`,
      `0111${area}${mid}${end}`,
      `00 1 ${area} ${mid} ${end}`,
      `001${area}${mid}${end}`,
      ` ${e164} `,
    ];
    const total = (await service.get('/v1/contacts?limit=1')).body.pagination.total;
    for (const number of writings) assert.equal(await contactOfCall({ number }), contact.id, number);
    for (const From of writings) {
      const fields = voiceFields({ From });
      assert.equal((await deliverTwilio(service, channel, fields)).status, 200);
    }
    const calls = await owner.call('GET', `/calls?contact_id=${contact.id}&limit=1`);
    assert.equal(calls.body.pagination.total, 2 * writings.length);
    assert.equal((await service.get('/v1/contacts?limit=1')).body.pagination.total, total, 'none was made');
    const after = await contactOf(contact.id);
    assert.deepEqual(
      [after.source, after.first_name, after.phone_number, after.updated_at],
      ['api', 'Ada', e164, contact.updated_at],
    );
  });

  test('A national number is read in the country of the channel', async () => {
    const london = await makeChannel(owner, { address: '+442079460000' });
    const contact = await makeContact(service, { phone_number: '+442079460958' });
    for (const number of ['020 7946 0958', '02079460958', '(020) 79460958', '00442079460958']) {
      assert.equal(await contactOfCall({ number }, london), contact.id, number);
    }
    assert.equal(await contactOfCall({ number: '011 44 20 7946 0958' }), contact.id, 'from America');
    const chat = await makeChannel(owner, { kind: 'web_chat', address: '+ chat 1' });
    assert.equal(await contactOfCall({ number: '415 555 0100' }, chat), null, 'a chat is nowhere');
  });

  test('A call finds a legacy contact by its identity', async () => {
    const derived = await makeLegacyContact(service, 'derived');
    assert.equal(await contactOfCall({ number: derived.displayed }), derived.contact.id);
    assert.equal(await contactOfCall({ number: nationalFormat(derived.displayed) }), derived.contact.id);
    assert.equal((await contactOf(derived.contact.id)).phone_number, nationalFormat(derived.displayed));
    const conflicting = await makeLegacyContact(service, 'conflicting');
    assert.equal(await contactOfCall({ number: conflicting.identity }), conflicting.contact.id);
    const other = await contactOfCall({ number: conflicting.displayed });
    assert.notEqual(other, conflicting.contact.id, 'the displayed number belongs to another contact');
    assert.equal((await contactOf(other)).source, 'inbound');
  });

  test('A call without a number has no contact', async () => {
    const withheld = ['anonymous', 'Restricted', 'unknown', '5550123', '911', '+999123456789', '+1', 'Ada'];
    for (const number of withheld) {
      const call = () => deliverEvent(service, channel, newCallEvent({ number }));
      const { data } = (await assertTablesUnchanged(service, ['contacts'], call)).body;
      assert.equal(data.contact_id, null, number);
      const history = await owner.request('GET', `/calls/${data.id}`);
      assert.deepEqual([history.contact_id, history.number], [null, number]);
    }
    for (const From of [
      'anonymous',
      'Anonymous',
      '+266696687',
      '+7378742833',
      '+86282452253',
      '+2562533',
      '+8656696',
    ]) {
      const call = () => deliverTwilio(service, channel, voiceFields({ From }));
      assert.equal((await assertTablesUnchanged(service, ['contacts'], call)).status, 200, From);
      const [latest] = await owner.request('GET', '/calls?limit=1');
      assert.deepEqual([latest.contact_id, latest.number.toLowerCase()], [null, 'anonymous']);
    }
  });

  test('Calls move first_contact_at only back and last_contact_at only forward', async () => {
    const number = newPhone();
    const id = await contactOfCall({ number, started_at: '2026-05-05T12:00:00Z' });
    const times = async (started_at: string, more: Json = {}) => {
      assert.equal(await contactOfCall({ number, started_at, ...more }), id);
      const { first_contact_at, last_contact_at } = await contactOf(id);
      const listed = (await service.get(`/v1/contacts?search=${number}`)).body.data[0];
      assert.deepEqual(
        [listed.first_contact_at, listed.last_contact_at],
        [first_contact_at, last_contact_at],
      );
      return [first_contact_at.slice(0, 10), last_contact_at.slice(0, 10)];
    };
    assert.deepEqual(await times('2026-05-06T12:00:00Z'), ['2026-05-05', '2026-05-06']);
    assert.deepEqual(await times('2026-05-01T12:00:00Z'), ['2026-05-01', '2026-05-06']);
    assert.deepEqual(await times('2026-05-03T12:00:00Z'), ['2026-05-01', '2026-05-06']);
    assert.deepEqual(await times('2026-05-09T12:00:00Z', { type: 'message' }), ['2026-05-01', '2026-05-09']);
    assert.deepEqual(await times('2026-05-11T12:00:00Z', { direction: 'outbound' }), [
      '2026-05-01',
      '2026-05-11',
    ]);
    const contact = await makeContact(service);
    await contactOfCall({ number: contact.phone_number, started_at: '2020-01-01T00:00:00Z' });
    const after = await contactOf(contact.id);
    assert.equal(after.first_contact_at, '2020-01-01T00:00:00.000Z');
    assert.equal(after.last_contact_at, contact.created_at, 'the moment of its creation');
  });

  test('An outbound call to an unknown number creates no contact', async () => {
    const call = () => deliverEvent(service, channel, newCallEvent({ direction: 'outbound' }));
    assert.equal((await assertTablesUnchanged(service, ['contacts'], call)).body.data.contact_id, null);
  });

  test('A caller is identified only within the workspace of the channel', async () => {
    const contact = await makeContact(service);
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    const otherChannel = await makeChannel(otherOwner);
    const id = await contactOfCall({ number: contact.phone_number }, otherChannel);
    assert.notEqual(id, contact.id);
    const theirs = await otherOwner.request('GET', `/contacts/${id}`);
    assert.deepEqual([theirs.phone_number, theirs.source], [contact.phone_number, 'inbound']);
    assert.equal((await service.get(`/v1/contacts/${id}`)).status, 404);
  });
});
