import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall, sendCallEvent } from '../kit/fixtures/calls.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const ROUNDS = 8;

const assertAll = (replies: readonly Reply[], ...allowed: number[]) => {
  for (const { status, text } of replies) assert.ok(allowed.includes(status), `${status}: ${text}`);
};

onEveryEngine('Concurrent deletes', (service) => {
  let owner: CheckedUser;
  let agent: Json;
  let line: TestChannel;
  let campaign: Json;
  const rows = (sql: string, ...values: string[]) => service.database.query(sql, ...values);
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    agent = await makeDeployedAgent(owner);
    line = await makePhoneChannel(owner, agent);
    campaign = await owner.request(
      'POST',
      '/campaigns',
      { name: 'C', agent_id: agent.id, status: 'active' },
      201,
    );
  });
  const enroll = (body: object) => owner.call('POST', `/campaigns/${campaign.id}/enrollments`, body);
  const removeOf = (id: string) => service.delete(`/v1/contacts/${id}`);

  /** Invariants that hold for every order of the operations. */
  const assertReferencesIntact = async () => {
    const lost = await rows(`select calls.id from calls left join contacts
      on contacts.workspace_id = calls.workspace_id and contacts.id = calls.contact_id
      where calls.contact_id is not null and contacts.id is null`);
    assert.deepEqual(lost, [], 'no call links to a deleted contact');
    const known = await rows('select id from calls where contact_id is null and number is not null');
    assert.deepEqual(known, [], 'no call contains the number of a deleted contact');
    const orphans = await rows(`select enrollments.contact_id from enrollments left join contacts
      on contacts.workspace_id = enrollments.workspace_id and contacts.id = enrollments.contact_id
      where contacts.id is null`);
    assert.deepEqual(orphans, [], 'no deleted contact is enrolled');
    const doubled = await rows('select phone_number from contacts group by phone_number having count(*) > 1');
    assert.deepEqual(doubled, [], 'a number belongs to one contact at most');
  };

  test('A delete concurrent with calls of its number loses no call and leaves no link and no duplicate', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const contact = await makeContact(service);
      const before = (await rows('select id from calls')).length;
      const [events, removed] = await Promise.all([
        Promise.all(Array.from({ length: 6 }, () => sendCallEvent(service, line, contact.phone_number))),
        removeOf(contact.id),
      ]);
      assert.equal(removed.status, 200);
      assertAll(events, 200);
      assert.equal((await rows('select id from calls')).length, before + 6);
      await assertReferencesIntact();
      const contactsWithNumber = await rows(
        'select id, source from contacts where phone_number = ?',
        contact.phone_number,
      );
      assert.ok(contactsWithNumber.length <= 1);
      for (const { id, source } of contactsWithNumber) {
        assert.notEqual(id, contact.id);
        assert.equal(source, 'inbound');
      }
    }
  });

  test('A delete concurrent with repeated first calls of its number records each call once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const contact = await makeContact(service);
      const events = await Promise.all([
        removeOf(contact.id),
        ...Array.from({ length: 6 }, (_, at) =>
          sendCallEvent(service, line, contact.phone_number, { provider_id: `twice ${round} ${at % 3}` }),
        ),
      ]);
      assertAll(events, 200);
      const recorded = await rows('select id from calls where provider_id like ?', `twice ${round} %`);
      assert.equal(recorded.length, 3);
      await assertReferencesIntact();
    }
  });

  test('A delete concurrent with results that rules copy to the contact leaves nothing that was said', async () => {
    const rules = [{ data: 'company', field: 'company', mode: 'overwrite' }];
    const settings = { dispositions: [], field_rules: rules, transcript_days: 30 };
    await owner.request('PUT', '/call-settings', settings);
    for (let round = 0; round < ROUNDS; round++) {
      const contact = await makeContact(service);
      const { id } = await recordCall(service, line, contact.phone_number, { provider_id: `said ${round}` });
      const turns = [{ speaker: 'caller', text: 'Hello.', at: null }];
      const [reports, removed, written, changed] = await Promise.all([
        Promise.all(
          Array.from({ length: 6 }, (_, at) =>
            sendCallEvent(service, line, contact.phone_number, {
              provider_id: `said ${round}`,
              summary: `Summary ${at}`,
              data: { company: `Company ${at}` },
            }),
          ),
        ),
        removeOf(contact.id),
        owner.call('PUT', `/calls/${id}/transcript`, { turns }),
        service.patch(`/v1/contacts/${contact.id}`, { notes: 'Changed' }),
      ]);
      assertAll(reports, 200);
      assert.equal(removed.status, 200);
      assert.ok([200, 409].includes(written.status), written.text);
      assert.ok([200, 404].includes(changed.status), changed.text);
      await assertReferencesIntact();
      const [call] = await rows('select summary, data from calls where id = ?', id);
      assert.deepEqual({ ...call }, { summary: null, data: null });
      assert.deepEqual(await rows('select * from transcripts where call_id = ?', id), []);
    }
    await owner.request('PUT', '/call-settings', { ...settings, field_rules: [], transcript_days: null });
  });

  test('A delete concurrent with enrolling leaves no deleted contact enrolled', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const tag = `round ${round}`;
      const contact = await makeContact(service, { tags: [tag] });
      const [removed, ...enrolled] = await Promise.all([
        removeOf(contact.id),
        enroll({ contact_ids: [contact.id] }),
        enroll({ tag }),
        enroll({ search: contact.phone_number }),
        owner.call('PATCH', `/campaigns/${campaign.id}/enrollments/${contact.id}`, { status: 'failed' }),
      ]);
      assert.equal(removed.status, 200);
      assertAll(enrolled.slice(0, 3), 200);
      assertAll(enrolled.slice(3), 200, 404);
      const { enrolled: made, already_enrolled, not_found } = enrolled[0].body.data;
      assert.equal(made + already_enrolled + not_found.length, 1);
      await assertReferencesIntact();
    }
  });

  test('Deletes concurrent with bulk enrollments all succeed', async () => {
    const contacts = await Promise.all(
      Array.from({ length: 120 }, () => makeContact(service, { tags: ['many'] })),
    );
    const [gone, left] = [contacts.slice(30), contacts.slice(0, 30)].map((each) => each.map(({ id }) => id));
    const [removed, enrolled] = await Promise.all([
      Promise.all((gone as string[]).map(removeOf)),
      Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          enroll(at % 2 ? { tag: 'many' } : { contact_ids: contacts.map(({ id }) => id).reverse() }),
        ),
      ),
    ]);
    assertAll(removed, 200);
    assertAll(enrolled, 200);
    await assertReferencesIntact();
    const listed = await rows(
      `select contact_id from enrollments where contact_id in (${left?.map(() => '?')})`,
      ...(left as string[]),
    );
    assert.equal(listed.length, 30);
  });

  test('A deleted agent keeps no channel or active campaign; concurrent calls name agent and version or neither', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const deletedAgent = await makeDeployedAgent(owner, `Round ${round}`);
      const [connected, free] = [await makePhoneChannel(owner, deletedAgent), await makePhoneChannel(owner)];
      const body = { name: 'C', agent_id: deletedAgent.id };
      const paused = await owner.request('POST', '/campaigns', { ...body, status: 'paused' }, 201);
      const active = await owner.request('POST', '/campaigns', { ...body, status: 'active' }, 201);
      const number = newPhone();
      const [removed, events, rest] = await Promise.all([
        owner.call('DELETE', `/agents/${deletedAgent.id}`),
        Promise.all(Array.from({ length: 3 }, () => sendCallEvent(service, connected, number))),
        Promise.all([
          owner.call('PUT', `/channels/${free.id}/agent`, { agent_id: deletedAgent.id }),
          owner.call('PATCH', `/campaigns/${paused.id}`, { status: 'active' }),
          owner.call('PATCH', `/campaigns/${active.id}`, { name: 'Renamed' }),
          owner.call('POST', '/campaigns', { ...body, status: 'active' }),
        ]),
      ]);
      assert.equal(removed.status, 200);
      assertAll(events, 200);
      assertAll(rest, 200, 201, 404);
      assert.deepEqual(await rows('select id from channels where agent_id = ?', deletedAgent.id), []);
      const activeCampaigns = await rows(
        `select id from campaigns where agent_id = ? and status = 'active'`,
        deletedAgent.id,
      );
      assert.deepEqual(activeCampaigns, []);
      const calls = await rows('select agent_id, version_id from calls where channel_id = ?', connected.id);
      assert.equal(calls.length, 3);
      for (const { agent_id, version_id } of calls) {
        assert.deepEqual(
          [agent_id, version_id],
          agent_id === null ? [null, null] : [deletedAgent.id, deletedAgent.version.id],
        );
      }
      assert.equal((await rows('select id from contacts where phone_number = ?', number)).length, 1);
    }
  });
});
