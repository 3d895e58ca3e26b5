import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { createDegradedId } from '../../src/features/calls/session.find.ts';
import { createEncryptionKey } from '../../src/lib/encryption.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall, sendCallEvent } from '../kit/fixtures/calls.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { addSession } from '../kit/fixtures/sessions.ts';
import { Random } from '../kit/random.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';

const SETTINGS = {
  dispositions: [
    { key: 'booked', label: 'Booked' },
    { key: 'not_interested', label: 'Not interested' },
  ],
  field_rules: [],
  transcript_days: null,
};

const RESULT = {
  disposition: 'booked',
  goals: { paid: false, visit: true },
  ended_by: 'caller',
  cost: { amount: 0.125, currency: 'USD' },
  recording_url: 'https://example.com/recordings/7',
  summary: 'Wants the blue one.',
  data: { budget: 12, nested: { a: [1, null] } },
};

onEveryEngine('Results of calls', (service) => {
  let owner: CheckedUser;
  let agent: Json;
  let line: TestChannel;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    agent = await makeDeployedAgent(owner);
    line = await makePhoneChannel(owner, agent);
    await owner.request('PUT', '/call-settings', SETTINGS);
  });
  const callOf = (id: string): Promise<Json> => owner.request('GET', `/calls/${id}`);
  const resultOf = async (id: string) => {
    const { disposition, goals, ended_by, cost, recording_url, summary, text, data } = await callOf(id);
    return { disposition, goals, ended_by, cost, recording_url, summary, text, data };
  };
  const eventsOf = async (id: string): Promise<Json[]> =>
    (
      await service.database.query(
        "select type, changed, data from events where subject = ? and type like 'call.%' order by abs(seq)",
        id,
      )
    ).map((row) => ({ ...row }));

  it('A report with a result is shown by the call, the list, the export and its event', async () => {
    const { id } = await recordCall(service, line, newPhone(), { status: 'completed', ...RESULT });
    assert.deepEqual(await resultOf(id), { ...RESULT, text: null });
    assert.deepEqual(Object.keys(await callOf(id)).slice(-11), [
      'session_id',
      'disposition',
      'goals',
      'ended_by',
      'cost',
      'recording_url',
      'summary',
      'text',
      'data',
      'note',
      'tags',
    ]);
    assert.equal((await owner.request('GET', '/calls'))[0].summary, RESULT.summary);
    const [event] = await eventsOf(id);
    assert.deepEqual(JSON.parse(event.data), await callOf(id));
    const csv = (await owner.call('GET', '/calls/export')).text;
    assert.match(csv, /,booked,"\{""paid"":false,""visit"":true\}",caller,"\{""amount"":0\.125/);
  });

  it('A call without a result shows that it has none', async () => {
    const { id } = await recordCall(service, line, newPhone());
    const { session_id } = await callOf(id);
    assert.equal(session_id, null);
    assert.deepEqual(await resultOf(id), {
      disposition: null,
      goals: {},
      ended_by: null,
      cost: null,
      recording_url: null,
      summary: null,
      text: null,
      data: {},
    });
  });

  it('Later reports replace fields, and members of goals and data, and a repeated one changes nothing', async () => {
    const number = newPhone();
    const report = (fields: Json) =>
      recordCall(service, line, number, { provider_id: `merge ${number}`, ...fields });
    const { id } = await report({ goals: { visit: false, paid: true }, data: { a: 1, b: { c: 1 } } });
    const later = {
      goals: { visit: true },
      data: { b: { d: 2 }, e: null },
      summary: 'Later.',
      disposition: 'booked',
    };
    assert.equal((await report(later)).effect, 'updated');
    const count = (await eventsOf(id)).length;
    assert.equal((await report(later)).effect, 'none');
    assert.equal((await report({})).effect, 'none');
    assert.equal((await eventsOf(id)).length, count);
    assert.deepEqual(JSON.parse((await eventsOf(id)).at(-1)?.changed), [
      'disposition',
      'goals',
      'summary',
      'data',
    ]);
    const { goals, data, summary, disposition } = await callOf(id);
    assert.deepEqual(
      { goals, data, summary, disposition },
      {
        goals: { paid: true, visit: true },
        data: { a: 1, b: { d: 2 }, e: null },
        summary: 'Later.',
        disposition: 'booked',
      },
    );
  });

  it('Partial reports that do not conflict give the same call in any order', async () => {
    const random = new Random(33);
    const parts: Json[] = [
      { status: 'completed', seconds: 30 },
      { disposition: 'booked' },
      { goals: { visit: true } },
      { goals: { paid: false } },
      { data: { z: [1], __proto__x: 1 } },
      { data: { a: 'x', constructor: true } },
      { summary: 'Short.', ended_by: 'agent' },
      { cost: { amount: 1, currency: 'EUR' }, recording_url: 'http://example.com/1' },
    ];
    const shown = async (order: Json[]) => {
      const number = newPhone();
      const started_at = '2026-01-31T09:30:00.000Z';
      const fields = { provider_id: `order ${number}`, started_at };
      let id = '';
      for (const part of order) ({ id } = await recordCall(service, line, number, { ...fields, ...part }));
      const { status, seconds, ended_at } = await callOf(id);
      return JSON.stringify({ ...(await resultOf(id)), status, seconds, ended_at });
    };
    const expected = await shown(parts);
    for (let round = 0; round < 5; round++) {
      const order = parts.toSorted(() => random.below(3) - 1);
      assert.equal(await shown(order), expected, JSON.stringify(order));
    }
  });

  it('Invalid results are rejected with what to send, and nothing is recorded', async () => {
    const big = { text: 'x'.repeat(16_384) };
    const goals = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`g${at}`, true]));
    const before_ = (await owner.call('GET', '/calls')).body.pagination.total;
    for (const [fields, field, message] of [
      [{ disposition: 'unknown' }, 'disposition', /booked, not_interested.*call-settings/],
      [{ disposition: 'Not A Key' }, 'disposition', /lower-case/],
      [{ goals }, 'goals', /at most 20/],
      [{ goals: { visit: 'yes' } }, 'goals.visit', /true or false/],
      [{ goals: { Visit: true } }, 'goals name', /lower-case/],
      [{ data: [] }, 'data', /JSON object/],
      [{ data: big }, 'data', /at most 16384 bytes/],
      [{ data: { a: 'x\u0000' } }, 'data', /U\+0000/],
      [{ summary: 'x'.repeat(2_001) }, 'summary', /2000/],
      [{ ended_by: 'operator' }, 'ended_by', /agent, caller, system/],
      [{ recording_url: 'ftp://example.com/1' }, 'recording_url', /web address/],
      [{ cost: { amount: -1, currency: 'USD' } }, 'cost.amount', /at least 0/],
      [{ cost: { amount: 1, currency: 'usd' } }, 'cost.currency', /ISO 4217/],
      [{ cost: { amount: 1 } }, 'cost.currency', /required/],
      [{ text: 'Hello' }, 'text', /only for messages/],
      [{ session_id: 'session_00000000000000000000000000' }, 'session_id', /sessions returned/],
      [{ session_id: 'anything' }, 'session_id', /sessions returned/],
    ] as [Json, string, RegExp][]) {
      const reply = await sendCallEvent(service, line, newPhone(), fields);
      assert.equal(reply.status, 400, reply.text);
      assert.equal(reply.body.error.details[0].field, field);
      assert.match(reply.body.error.message, message);
    }
    assert.equal((await owner.call('GET', '/calls')).body.pagination.total, before_);
  });

  it('The limits of goals and data hold for what reports add up to', async () => {
    const number = newPhone();
    const report = (fields: Json) =>
      sendCallEvent(service, line, number, { provider_id: `limit ${number}`, ...fields });
    const some = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`g${from + at}`, true]));
    const first = await report({ goals: some(0, 20), data: { a: 'x'.repeat(10_000) } });
    const shown = await resultOf(first.body.data.id);
    for (const [fields, message] of [
      [
        { goals: some(20, 1) },
        'goals: must have at most 20 entries for a call; with these it would have 21.',
      ],
      [
        { data: { b: 'x'.repeat(10_000) } },
        'data: must have at most 16384 bytes as JSON for a call; it would have 20015.',
      ],
    ] as const) {
      const reply = await report(fields);
      assert.deepEqual([reply.status, reply.body.error.message], [400, message]);
    }
    assert.deepEqual(await resultOf(first.body.data.id), shown);
    assert.equal((await report({ data: { a: 'y'.repeat(15_000) } })).status, 200, 'replaced, not added');
  });

  it('Only messages have a text', async () => {
    const { id } = await recordCall(service, line, newPhone(), { type: 'message', text: 'Hello 🙂' });
    assert.equal((await callOf(id)).text, 'Hello 🙂');
  });

  it('A session pins the version, the agent and the contact of its call, by either id', async () => {
    const other = await makeDeployedAgent(owner, 'Other');
    const number = newPhone();
    const { contact_id } = await recordCall(service, line, number);
    for (const by of ['session_id', 'provider_id'] as const) {
      const session = await addSession(service, { line, agent, contact_id });
      await owner.request('PUT', `/channels/${line.id}/agent`, { agent_id: other.id });
      const fields = by === 'session_id' ? { session_id: session.id } : { provider_id: session.provider_id };
      const { id } = await recordCall(service, line, newPhone(), { direction: 'outbound', ...fields });
      const call = await callOf(id);
      assert.deepEqual(
        [call.session_id, call.agent_id, call.version_id, call.contact_id],
        [session.id, agent.id, agent.version.id, contact_id],
      );
      const [row] = await service.database.query('select instructions_sha256 from calls where id = ?', id);
      assert.equal(row?.instructions_sha256, session.instructions_sha256);
      await owner.request('PUT', `/channels/${line.id}/agent`, { agent_id: agent.id });
    }
  });

  it('A session that a later report names pins a call that was recorded without one', async () => {
    const other = await makeDeployedAgent(owner, 'Another');
    const { contact_id } = await recordCall(service, line, newPhone());
    const session = await addSession(service, { line, agent: other, contact_id });
    const number = newPhone();
    const event = { provider_id: `late ${session.id}`, direction: 'outbound' };
    const { id } = await recordCall(service, line, number, event);
    assert.deepEqual([(await callOf(id)).agent_id, (await callOf(id)).contact_id], [agent.id, null]);
    const attached = await recordCall(service, line, number, { ...event, session_id: session.id });
    assert.deepEqual([attached.effect, attached.contact_id], ['updated', contact_id]);
    const call = await callOf(id);
    assert.deepEqual([call.session_id, call.version_id], [session.id, other.version.id]);
    const again = await addSession(service, { line, agent, contact_id: null });
    assert.equal(
      (await recordCall(service, line, number, { ...event, session_id: again.id })).effect,
      'none',
      'the first session stays',
    );
    await owner.request('DELETE', `/contacts/${contact_id}`);
    const texts = JSON.stringify(await eventsOf(id));
    assert.ok(!texts.includes(number), 'also events before the link are erased');
    assert.equal((await callOf(id)).number, null);
  });

  it('A session of another channel is unknown, also a degraded one, and a degraded one is accepted only with its own version', async () => {
    const elsewhere = await makePhoneChannel(owner, agent);
    const session = await addSession(service, { line: elsewhere, agent, contact_id: null });
    const refused = await sendCallEvent(service, line, newPhone(), { session_id: session.id });
    const unknown = await sendCallEvent(service, line, newPhone(), {
      session_id: 'session_00000000000000000000000001',
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body.error.details, unknown.body.error.details);
    const first = agent.version.id;
    // That of the test service.
    const key = createEncryptionKey(Buffer.alloc(32, 1));
    const id = createDegradedId(key, line.id, first);
    const call = await recordCall(service, line, newPhone(), { session_id: id });
    const shown = await callOf(call.id);
    assert.deepEqual([shown.session_id, shown.version_id], [id, first]);
    assert.notEqual(shown.contact_id, null);
    const changed = id.replace(/_[0-9a-f-]{36}_/, `_${crypto.randomUUID()}_`);
    for (const session_id of [
      createDegradedId(key, line.id, crypto.randomUUID()),
      createDegradedId(key, elsewhere.id, first),
      createDegradedId(createEncryptionKey(Buffer.alloc(32, 2)), line.id, first),
      changed,
      id.slice(0, -33),
    ])
      assert.deepEqual(
        (await sendCallEvent(service, line, newPhone(), { session_id })).body.error?.details,
        unknown.body.error.details,
        session_id,
      );
  });

  it('A call whose contact was deleted after its session started keeps nothing of the person', async () => {
    const number = newPhone();
    const session = { provider_id: `gone ${number.slice(1)}`, direction: 'inbound' };
    const { contact } = (await startSession(service, line, { ...session, number })).body.data;
    await owner.request('DELETE', `/contacts/${contact.id}`);
    const { id, contact_id } = await recordCall(service, line, number, {
      ...session,
      ...RESULT,
      instructions_sha256: 'b'.repeat(64),
    });
    assert.equal(contact_id, null);
    const call = await callOf(id);
    assert.deepEqual([call.number, call.contact_id, call.version_id], [null, null, agent.version.id]);
    assert.deepEqual([call.summary, call.data, call.goals], [null, {}, RESULT.goals]);
    assert.ok(!JSON.stringify(await eventsOf(id)).includes(number));
    const [row] = await service.database.query('select * from calls where id = ?', id);
    assert.deepEqual([row?.number_identity, row?.instructions_sha256], [null, null]);
  });

  it('An inbound call whose session had no number creates the contact of its first report', async () => {
    const session = { provider_id: `unknown ${newPhone()}`, direction: 'inbound' };
    assert.equal((await startSession(service, line, session)).body.data.contact, null);
    const { contact_id } = await recordCall(service, line, newPhone(), session);
    assert.match(contact_id, /^contact_/);
  });

  it('What was said is erased with the contact, is not added later, and statistics stay', async () => {
    const number = newPhone();
    const report = (fields: Json) =>
      recordCall(service, line, number, { provider_id: `erased ${number}`, ...fields });
    const { id, contact_id } = await report(RESULT);
    await owner.request('DELETE', `/contacts/${contact_id}`);
    const kept = {
      disposition: 'booked',
      goals: RESULT.goals,
      ended_by: 'caller',
      cost: RESULT.cost,
      recording_url: null,
      summary: null,
      text: null,
      data: {},
    };
    assert.deepEqual(await resultOf(id), kept);
    const late = { instructions_sha256: 'b'.repeat(64), summary: 'Too late', disposition: 'not_interested' };
    await report({ ...RESULT, ...late });
    assert.deepEqual(await resultOf(id), { ...kept, disposition: 'not_interested' });
    const [row] = await service.database.query('select instructions_sha256 from calls where id = ?', id);
    assert.equal(row?.instructions_sha256, null);
    const events = (await eventsOf(id)).map(({ data }) => data && JSON.parse(data));
    assert.deepEqual(
      events.map((data) => data && [data.number, data.summary, data.data]),
      [null, [null, null, {}], [null, null, {}]],
    );
  });
});
