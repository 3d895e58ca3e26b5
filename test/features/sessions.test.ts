import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { expireSessions } from '../../src/features/calls/session.service.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  makeChannel,
  makeChannelWithAgent,
  signedInOwner,
  versionIds,
} from '../kit/fixtures/agents.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';
import { sendEvent, startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';

const TEXT = 'Hi {{first_name|there}}, {{plan}}, {{slot}}.';
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const TABLES = ['call_sessions', 'renderings', 'contacts', 'calls'];

onEveryEngine('Sessions of a channel', (service) => {
  let owner: CheckedUser;
  let line: { agent: string; version: string; channel: TestChannel & Json };
  let calls = 0;
  before(async () => {
    owner = await signedInOwner(service);
    await makeField(service, 'plan', 'text');
    line = await makeLine();
  });
  const makeLine = async (): Promise<typeof line> => {
    const { id, versions } = await makeAgentWithVersions(service, TEXT);
    const [version] = versions as [string];
    await owner.request('PUT', `/agents/${id}/variables`, { variables: [{ name: 'slot' }] });
    await deploy(owner, id, version);
    const channel = await makeChannel(owner);
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: id });
    return { agent: id, version, channel: channel as typeof line.channel };
  };
  const newCall = () => `call-${++calls}`;
  /** On a busy machine, a session can be degraded. It is started again. */
  const start = async (body: Json, channel: TestChannel = line.channel): Promise<Reply> => {
    const reply = await startSession(service, channel, body);
    return reply.body.data?.degraded === true ? start(body, channel) : reply;
  };
  const started = async (body: Json, status = 201) => {
    const reply = await start(body);
    assert.equal(reply.status, status, reply.text);
    return reply.body.data;
  };
  const stored = async (provider_id: string): Promise<Json[]> =>
    service.database.query('select * from call_sessions where provider_id = ?', provider_id);

  test('A session has the contact, the deployed version, its rendered text and configuration, and the last calls', async () => {
    const number = newPhone();
    const contact = await makeContact(service, {
      phone_number: number,
      first_name: 'Ada',
      fields: { plan: 'gold' },
    });
    const reports: string[] = [];
    for (let at = 1; at <= 4; at++) {
      const started_at = `2026-01-0${at}T10:00:00.000Z`;
      const event = { type: 'call', provider_id: newCall(), direction: 'inbound', number, started_at };
      reports.unshift(
        (await sendEvent(service, line.channel, { ...event, status: 'completed', seconds: at })).body.data.id,
      );
    }
    const provider_id = newCall();
    // The report of the call itself may come first.
    await sendEvent(service, line.channel, { type: 'call', provider_id, direction: 'inbound', number });
    const shown = (await service.get(`/v1/contacts/${contact.id}?include=fields`)).body.data;
    const body = {
      provider_id,
      direction: 'inbound',
      number,
      variables: { slot: 'ten', other: 2, none: null },
    };
    const session = await started(body);
    const text = 'Hi Ada, gold, ten.';
    assert.match(session.session_id, /^session_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual(session, {
      session_id: session.session_id,
      contact: shown,
      agent_id: line.agent,
      version: { id: line.version, version_label: 'v1' },
      instructions: text,
      sha256: sha256(text),
      holes: [],
      config: {},
      variables: { other: 2, slot: 'ten' },
      recent: [3, 2, 1].map((index, at) => ({
        id: reports[at],
        type: 'call',
        direction: 'inbound',
        status: 'completed',
        started_at: `2026-01-0${index + 1}T10:00:00.000Z`,
        seconds: index + 1,
        disposition: null,
        summary: null,
      })),
      degraded: false,
    });
    const [rendering] = await service.database.query(
      'select sha256, version_id, used from renderings where contact_id = ?',
      contact.id,
    );
    const used = JSON.stringify({ first_name: 'Ada', plan: 'gold', slot: 'ten' });
    assert.deepEqual({ ...rendering }, { sha256: sha256(text), version_id: line.version, used });
  });

  test('The same provider id is the same session, with its version, text and variables, after changes and deploys', async () => {
    const agent = await makeLine();
    const number = newPhone();
    const contact = await makeContact(service, { phone_number: number, first_name: 'Ada' });
    const body = { provider_id: newCall(), direction: 'inbound', number, variables: { slot: 'ten' } };
    const first = await start(body, agent.channel);
    assert.equal(first.status, 201);
    assert.equal(first.headers.get('location'), `/hooks/channels/${agent.channel.id}/sessions`);
    const again = await start(body, agent.channel);
    assert.equal(again.status, 200);
    assert.equal(again.headers.get('location'), null);
    assert.deepEqual(again.body, first.body);
    await service.patch(`/v1/contacts/${contact.id}`, { first_name: 'Grace' });
    await service.patch(`/v1/agents/${agent.agent}`, { instructions: 'Other words.' });
    const [, second] = (await versionIds(service, agent.agent)) as [string, string];
    await deploy(owner, agent.agent, second);
    const after = await start({ ...body, variables: { slot: 'two' } }, agent.channel);
    assert.equal(after.status, 200);
    const expected = structuredClone(first.body.data);
    const { updated_at } = after.body.data.contact;
    assert.deepEqual(after.body.data, {
      ...expected,
      contact: { ...expected.contact, first_name: 'Grace', updated_at },
    });
    const other = await start({ ...body, provider_id: newCall() }, agent.channel);
    assert.equal(other.body.data.instructions, 'Other words.', 'the next call has the deployed version');
    await service.database.query('delete from renderings where contact_id = ?', contact.id);
    const expired = (await start(body, agent.channel)).body.data;
    assert.equal(expired.version.id, agent.version);
    assert.equal(expired.instructions, 'Hi Grace, , {{slot}}.'.replace('{{slot}}', 'ten'));
    await owner.request('DELETE', `/channels/${agent.channel.id}/agent`);
    assert.equal((await start(body, agent.channel)).status, 200, 'also when the agent is disconnected');
    await service.delete(`/v1/agents/${agent.agent}`);
    const orphan = await start(body, agent.channel);
    assert.deepEqual([orphan.status, orphan.body.data], [200, expired], 'also when the agent is deleted');
    assertError(await start({ ...body, provider_id: newCall() }, agent.channel), 404, 'NOT_FOUND');
  });

  test('A session and its call keep the text when its unknown names are known, and when another version makes the same text', async () => {
    const { id: agent_id, versions } = await makeAgentWithVersions(
      service,
      '{{first_name}} of {{company|a company}}: {{typo}} {{typo|x}}',
      '{{first_name}} of a company: {{{{typo}} {{{{typo|x}}',
    );
    const [first, second] = versions as [string, string];
    await markDeployed(service.database, agent_id, 1);
    const channel = await makeChannel(owner);
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id });
    const { id, phone_number: number } = await makeContact(service, { first_name: 'Ada' });
    const [one, two] = [newCall(), newCall()];
    const startOne = async (provider_id: string, status: number) => {
      const reply = await start(
        { provider_id, direction: 'inbound', number },
        channel as typeof line.channel,
      );
      assert.equal(reply.status, status, reply.text);
      return reply.body.data;
    };
    const original = await startOne(one, 201);
    assert.equal(original.instructions, 'Ada of a company: {{typo}} {{typo|x}}');
    await makeField(service, 'typo', 'text');
    assert.deepEqual(await startOne(one, 200), original);
    // An old row is written again.
    await service.database.query(
      "update renderings set at = '2026-01-01T00:00:00.000Z' where contact_id = ?",
      id,
    );
    await markDeployed(service.database, agent_id, 2);
    const other = await startOne(two, 201);
    assert.deepEqual([other.version.id, other.instructions], [second, original.instructions]);
    const [row, ...more] = await service.database.query(
      'select version_id from renderings where contact_id = ?',
      id,
    );
    assert.deepEqual([row?.version_id, more], [second, []]);
    assert.deepEqual(await startOne(one, 200), original);
    const event = {
      type: 'call',
      session_id: original.session_id,
      direction: 'inbound',
      number,
      status: 'completed',
    };
    const call = (await sendEvent(service, channel as typeof line.channel, { ...event, provider_id: one }))
      .body.data;
    const shown = await owner.request('GET', `/calls/${call.id}?include=instructions`);
    assert.equal(shown.version_id, first);
    assert.deepEqual(shown.instructions, { sha256: original.sha256, text: original.instructions });
  });

  test('Concurrent requests with one provider id start one session and create one contact', async () => {
    for (const known of [true, false]) {
      const number = newPhone();
      if (known) await makeContact(service, { phone_number: number });
      const body = { provider_id: newCall(), direction: 'inbound', number };
      const replies = await Promise.all(Array.from({ length: 12 }, () => start(body)));
      assert.ok(replies.filter(({ status }) => status === 201).length <= 1);
      assert.ok(replies.every(({ status }) => status === 200 || status === 201));
      const ids = new Set(replies.map((reply) => reply.body.data.session_id));
      assert.equal(ids.size, 1);
      assert.equal(new Set(replies.map((reply) => reply.body.data.contact.id)).size, 1);
      assert.equal((await stored(body.provider_id)).length, 1);
    }
  });

  test('An unknown inbound number becomes a contact, and an unknown outbound one does not', async () => {
    const number = newPhone();
    const outbound = await started({ provider_id: newCall(), direction: 'outbound', number });
    assert.equal(outbound.contact, null);
    assert.deepEqual(outbound.holes, ['plan', 'slot']);
    assert.equal(outbound.instructions, 'Hi there, , .');
    const { contact } = await started({ provider_id: newCall(), direction: 'inbound', number });
    assert.deepEqual([contact.phone_number, contact.source], [number, 'inbound']);
    assert.equal(contact.first_contact_at, contact.created_at);
    assert.equal(contact.last_contact_at, contact.created_at);
    const got = await service.get(`/v1/contacts/${contact.id}?include=fields`);
    assert.deepEqual(got.body.data, contact);
  });

  test('A session without a usable number has no contact and stores none', async () => {
    for (const fields of [
      {},
      { number: null },
      { number: '' },
      { number: 'anonymous' },
      { number: '12345' },
    ]) {
      const provider_id = newCall();
      const session = await started({ provider_id, direction: 'inbound', ...fields });
      assert.equal(session.contact, null);
      assert.deepEqual(session.recent, []);
      const [row] = await stored(provider_id);
      assert.deepEqual([row?.contact_id, row?.number, row?.number_identity], [null, null, null]);
      assert.deepEqual(await started({ provider_id, direction: 'inbound', ...fields }, 200), session);
    }
  });

  test('A provider id of a session with another direction or number is a conflict', async () => {
    const body = { provider_id: newCall(), direction: 'inbound', number: newPhone() };
    const { session_id } = await started(body);
    await assertTablesUnchanged(service, TABLES, async () => {
      for (const changed of [{ direction: 'outbound' }, { number: newPhone() }]) {
        const error = assertError(await start({ ...body, ...changed }), 409, 'CONFLICT');
        assert.match(
          error.message,
          /^This provider_id belongs to a session with another (number|direction)\./,
        );
        assert.deepEqual(error.details, { session_id });
      }
    });
    const digits = body.number.slice(2);
    const written = `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
    assert.equal((await started({ ...body, number: written }, 200)).session_id, session_id);
    const elsewhere = await makeChannelWithAgent(service, owner);
    assert.equal((await start({ ...body, number: null }, elsewhere.channel)).status, 201, 'another channel');
  });

  test('A session needs an agent with a deployed version', async () => {
    const channel = await makeChannel(owner);
    const body = { provider_id: newCall(), direction: 'inbound', number: newPhone() };
    await assertTablesUnchanged(service, TABLES, async () => {
      const without = assertError(await start(body, channel as never), 404, 'NOT_FOUND');
      assert.match(without.message, /^This channel has no agent\./);
      const { id } = (await service.post('/v1/agents', { name: 'Draft', instructions: 'x' })).body.data;
      await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: id });
      const undeployed = assertError(await start(body, channel as never), 404, 'NOT_FOUND');
      assert.match(undeployed.message, /^This channel's agent has no deployed version\./);
    });
  });

  test('A session with invalid fields is refused and changes nothing', async () => {
    const valid = { provider_id: newCall(), direction: 'inbound' };
    const big = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`v${at}`, 'x'.repeat(2_000)]));
    await assertTablesUnchanged(service, TABLES, async () => {
      for (const [field, body] of [
        ['provider_id', { direction: 'inbound' }],
        ['provider_id', { ...valid, provider_id: '' }],
        ['provider_id', { ...valid, provider_id: 'x'.repeat(256) }],
        ['direction', { ...valid, direction: 'both' }],
        ['number', { ...valid, number: 1 }],
        ['number', { ...valid, number: '1'.repeat(65) }],
        ['variables', { ...valid, variables: [] }],
        ['variables', { ...valid, variables: big }],
        ['more', { ...valid, more: 1 }],
      ] as const)
        assertInvalid(await start(body), field);
    });
  });

  test('A session needs the secret of its channel', async () => {
    const other = await makeChannelWithAgent(service, owner);
    const body = { provider_id: newCall(), direction: 'inbound' };
    for (const secret of [other.channel.secret, 'whsec_x', `${line.channel.secret}x`])
      assertError(await start(body, { id: line.channel.id, secret }), 401, 'UNAUTHORIZED');
  });

  test('Deleting a contact clears it from its sessions and from others with its number', async () => {
    const number = newPhone();
    const before = { provider_id: newCall(), direction: 'outbound', number, variables: { slot: 'ten' } };
    await started(before);
    const body = { provider_id: newCall(), direction: 'inbound', number, variables: { slot: 'ten' } };
    const { contact, session_id } = await started(body);
    await service.delete(`/v1/contacts/${contact.id}`);
    const cleared = {
      contact_id: null,
      number: null,
      number_identity: null,
      variables: null,
      instructions_sha256: null,
      holes: null,
    };
    for (const { provider_id } of [before, body]) {
      const [row] = await stored(provider_id);
      const { contact_id, number, number_identity, variables, instructions_sha256, holes } = row as Json;
      assert.deepEqual(
        { contact_id, number, number_identity, variables, instructions_sha256, holes },
        cleared,
      );
    }
    const again = await started(body, 200);
    assert.deepEqual(
      [again.session_id, again.contact, again.instructions, again.variables],
      [session_id, null, 'Hi there, , .', {}],
    );
  });

  test('Sessions expire, also those of deleted channels', async () => {
    const other = await makeLine();
    const body = { provider_id: newCall(), direction: 'inbound' };
    assert.equal((await start(body, other.channel)).status, 201);
    await owner.request('DELETE', `/channels/${other.channel.id}`);
    const [row] = await stored(body.provider_id);
    assert.ok(row, 'it stays until it expires');
    await service.database.query(
      `update call_sessions set at = '2020-01-01T00:00:00.000Z' where provider_id = ?`,
      body.provider_id,
    );
    const storage = await openTestStorage(service.database);
    const expiry = { workspace: Number(row.workspace_id), before: '2021-01-01T00:00:00.000Z', ahead: '9999' };
    assert.equal(await storage.run(expireSessions, null, expiry), 1);
    assert.equal(await storage.run(expireSessions, null, expiry), 0);
    await storage.close();
    assert.deepEqual(await stored(body.provider_id), []);
  });
});
