import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannel, makeChannelWithAgent, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';
import { deliverEvent, deliverTwilio, newCallEvent } from '../kit/webhooks/providers.ts';

let count = 0;
const newUser = () => ({ kind: 'whatsapp_user', value: `US.1349120865530274${++count}` });

onEveryEngine('People without a number', (service) => {
  let owner: CheckedUser;
  let channel: TestChannel & Json;
  before(async () => {
    owner = await signedInOwner(service);
    channel = (await makeChannelWithAgent(service, owner, 'Hi {{first_name|there}}.'))
      .channel as typeof channel;
  });
  const report = async (fields: Json): Promise<Json> => {
    const event = newCallEvent({ type: 'message', ...fields });
    if (fields.number === undefined) delete event.number;
    const reply = await deliverEvent(service, channel, event);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  const find = async ({ kind, value }: Json) =>
    (await service.get(`/v1/identities/${kind}/${value}`)).body.data;
  const calls = async (query: string): Promise<string[]> =>
    (await owner.call('GET', `/calls?sort=started_at&${query}`)).body.data.map(({ id }: Json) => id);

  test('A message of an unknown user is stored with an identity without a contact, newest first in the list', async () => {
    const [user, later] = [newUser(), newUser()];
    const first = await report({ user, text: 'Hello' });
    const second = await report({ user });
    await report({ user: later });
    assert.deepEqual([first.contact_id, second.contact_id], [null, null]);
    const identity = await find(user);
    const { id, valid_from, ...others } = identity;
    assert.match(id, /^identity_/);
    assert.deepEqual(others, {
      ...user,
      is_primary: false,
      verified_by: null,
      valid_until: null,
      contact_id: null,
    });
    assert.deepEqual(await calls(`identity_id=${id}`), [first.id, second.id]);
    const { data, pagination } = (await service.get('/v1/identities?contact=none&limit=2')).body;
    assert.deepEqual(data, [await find(later), identity]);
    assert.equal(pagination.total, 2);
    const stored = await owner.request('GET', `/calls/${first.id}`);
    assert.deepEqual([stored.number, stored.text], [null, 'Hello']);
  });

  test('A report with the user and a number gives the contact of the number the identity and its earlier messages', async () => {
    const user = newUser();
    const started_at = '2026-01-02T03:04:05.000Z';
    const first = await report({ user, started_at });
    const number = newPhone();
    const attested = await report({ user, number });
    const contact = (await service.get(`/v1/contacts/${attested.contact_id}`)).body.data;
    assert.deepEqual(
      [contact.phone_number, contact.source, contact.first_contact_at],
      [number, 'inbound', started_at],
    );
    assert.equal((await find(user)).contact_id, contact.id);
    assert.deepEqual(await calls(`contact_id=${contact.id}`), [first.id, attested.id]);
    const third = await report({ user });
    assert.equal(third.contact_id, contact.id);
    const events = await service.database.query(
      `select changed from events where type = 'call.updated' and subject = ?`,
      first.id,
    );
    assert.deepEqual(
      events.map(({ changed }) => changed),
      ['["contact_id"]'],
    );
  });

  test('A later report of the same message attests its user, too', async () => {
    const user = newUser();
    const provider_id = `message ${user.value}`;
    const first = await report({ user, provider_id });
    const number = newPhone();
    const again = await report({ user, number, provider_id });
    assert.equal(again.id, first.id);
    assert.equal((await find(user)).contact_id, again.contact_id);
    assert.equal((await service.get(`/v1/contacts/${again.contact_id}`)).body.data.phone_number, number);
  });

  test('An added identity links the messages of the person to the contact', async () => {
    const user = newUser();
    const { id } = await report({ user });
    const contact = await makeContact(service);
    const added = await service.post(`/v1/contacts/${contact.id}/identities`, user);
    assert.deepEqual([added.status, added.body.data.value], [201, user.value]);
    assert.deepEqual(await calls(`contact_id=${contact.id}`), [id]);
  });

  test('More than 1,000 messages are linked, those beyond by a job', async () => {
    const user = newUser();
    const { id } = await report({ user });
    await service.database.query(
      `insert into calls (workspace_id, id, seq, channel_id, medium, direction, status, provider_id, started_at, identity_id)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
        select c.workspace_id, c.id || i, c.seq + 1000000 + i, c.channel_id, c.medium, c.direction, c.status, c.provider_id || i,
          c.started_at, c.identity_id from calls as c, n where c.id = ?`,
      id,
    );
    await service.database.query(
      `update tallies set count = count + 1200 where list = 'calls' and part = (select min(part) from tallies where list = 'calls')`,
    );
    const contact = await makeContact(service);
    const added = await service.post(`/v1/contacts/${contact.id}/identities`, user);
    assert.equal(added.status, 201, added.text);
    const linked = async () =>
      Number(
        (await service.database.query('select count(*) as n from calls where contact_id = ?', contact.id))[0]
          ?.n,
      );
    for (let tries = 0; tries < 200 && (await linked()) < 1_201; tries++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await linked(), 1_201);
  });

  test('A user who belongs to another contact than the number stays there, and the contradiction is kept', async () => {
    const user = newUser();
    const holder = (await report({ user, number: newPhone() })).contact_id;
    const number = newPhone();
    const other = (await report({ user, number })).contact_id;
    assert.notEqual(other, holder);
    const identity = await find(user);
    assert.equal(identity.contact_id, holder);
    const kept = () => service.database.query('select identity_id, contact_id from identity_conflicts');
    assert.deepEqual(
      (await kept()).map((row) => ({ ...row })),
      [{ identity_id: identity.id, contact_id: other }],
    );
    await report({ user, number });
    assert.equal((await kept()).length, 1);
    await service.delete(`/v1/contacts/${other}`);
    assert.deepEqual(await kept(), []);
  });

  test('A session finds the contact of a user, stores one who is unknown, and attests one with a number', async () => {
    const [user, stranger, attested] = [newUser(), newUser(), newUser()];
    const contact = await makeContact(service, { first_name: 'Ada' });
    await service.post(`/v1/contacts/${contact.id}/identities`, user);
    const start = async (fields: Json) => {
      const body = { provider_id: `session ${++count}`, direction: 'inbound', ...fields };
      const reply = await startSession(service, channel, body);
      assert.equal(reply.status, 201, reply.text);
      return reply.body.data;
    };
    const known = await start({ user });
    assert.deepEqual([known.contact.id, known.instructions], [contact.id, 'Hi Ada.']);
    assert.equal((await start({ user: stranger })).contact, null);
    assert.equal((await find(stranger)).contact_id, null);
    const made = await start({ user: attested, number: newPhone() });
    assert.equal((await find(attested)).contact_id, made.contact.id);
  });

  test('A WhatsApp message over Twilio with a user id in place of the number belongs to the person', async () => {
    const twilio = (await makeChannel(owner, { kind: 'whatsapp' })) as TestChannel;
    const user = newUser();
    const send = async (fields: Record<string, string>) => {
      const form = {
        MessageSid: `SM${++count}`,
        SmsStatus: 'received',
        To: 'whatsapp:+14155550199',
        ...fields,
      };
      const reply = await deliverTwilio(service, twilio, form);
      assert.equal(reply.status, 200, reply.text);
    };
    await send({ From: `whatsapp:${user.value}` });
    const identity = await find(user);
    assert.equal(identity.contact_id, null);
    const number = newPhone();
    await send({ From: `whatsapp:${number}`, ExternalUserId: user.value });
    const { contact_id } = await find(user);
    assert.equal((await service.get(`/v1/contacts/${contact_id}`)).body.data.phone_number, number);
    assert.equal((await calls(`identity_id=${identity.id}`)).length, 2);
  });

  test('Deleting the contact of a person erases the identity, and what was said in its messages', async () => {
    const user = newUser();
    const { id } = await report({ user, text: 'A secret' });
    const contact = await makeContact(service);
    await service.post(`/v1/contacts/${contact.id}/identities`, user);
    await service.delete(`/v1/contacts/${contact.id}`);
    assert.equal((await service.get(`/v1/identities/${user.kind}/${user.value}`)).status, 404);
    const [row] = await service.database.query(
      'select contact_id, identity_id, text from calls where id = ?',
      id,
    );
    assert.deepEqual({ ...row }, { contact_id: null, identity_id: null, text: null });
  });

  test('A report without a number and a user, or with an invalid user, returns 400', async () => {
    const event = newCallEvent();
    delete event.number;
    for (const fields of [
      {},
      { user: { kind: 'phone', value: '+14155550100' } },
      { user: { kind: 'whatsapp_user', value: 'a b' } },
    ])
      assertError(await deliverEvent(service, channel, { ...event, ...fields }), 400, 'VALIDATION_ERROR');
  });
});
