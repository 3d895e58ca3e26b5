import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import {
  type CampaignApi,
  campaignApi,
  makeActiveCampaign,
  makeContacts,
} from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, comparableReply, TIMESTAMP } from '../kit/http/assertions.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { type Json, onEveryEngine, startTestService } from '../kit/service/test-service.ts';

const contactOf = ({ contact }: Json): string => contact.id;
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

onEveryEngine('Claims of contacts', (service) => {
  let api: CampaignApi;
  before(async () => {
    api = await campaignApi(service);
  });
  const enrolled = async (id: string) => (await api.request('GET', `/campaigns/${id}`)).enrolled;
  const enrollmentOf = async (id: string, contact: string): Promise<Json> =>
    (await api.request('GET', `/contacts/${contact}/enrollments`)).find(
      (each: Json) => each.campaign_id === id,
    );
  /** Lets the lease of a contact expire without waiting for it. */
  const expire = (id: string, contact: string, at = inSeconds(-1)) =>
    service.database.query(
      'update enrollments set available_at = ? where campaign_id = ? and contact_id = ? and leased = 1',
      at,
      id,
      contact,
    );

  test('A claim has the campaign, the agent, its deployed version, the contact and a lease', async () => {
    const { id, agent, version, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    const earliest = inSeconds(300);
    const reply = await api.claim(id);
    const latest = inSeconds(300);
    assert.equal(reply.status, 200, reply.text);
    const { claims, ...rest } = reply.body.data;
    assert.deepEqual(rest, {
      campaign: { id, status: 'active' },
      agent: { id: agent.id, name: 'Caller' },
      version: { id: version, version_label: 'v1', instructions: 'Ask about the appointment.' },
    });
    const [{ claim_id, lease_expires_at, ...claim }, ...others] = claims;
    assert.deepEqual(others, []);
    assert.deepEqual(claim, {
      attempt: 1,
      contact: (await service.get(`/v1/contacts/${contact}`)).body.data,
    });
    assert.match(claim_id, /^claim_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.match(lease_expires_at, TIMESTAMP);
    assert.ok(earliest <= lease_expires_at && lease_expires_at <= latest, lease_expires_at);
    const enrollment = await enrollmentOf(id, contact);
    assert.equal(enrollment.status, 'in_progress');
    assert.equal(enrollment.attempts, 1);
    assert.equal(enrollment.lease_expires_at, lease_expires_at);
    assert.equal(enrollment.retry_at, null);
    assert.ok(enrollment.updated_at > enrollment.enrolled_at);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 1 }));
    const next = await api.claim(id);
    assert.deepEqual(next.body.data, { ...rest, version: null, claims: [] });
  });

  test('Contacts are claimed in the order of their enrollment, and due retries before them', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 0);
    const [first, second, third, fourth] = (await makeContacts(service, 4, 'order')) as [
      string,
      string,
      string,
      string,
    ];
    for (const contact of [third, first, fourth, second])
      await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: [contact] });
    assert.deepEqual(contacts, []);
    assert.deepEqual((await api.claims(id, { limit: 2 })).map(contactOf), [third, first]);
    await api.report(id, third, { status: 'pending', retry_at: inSeconds(-30) });
    await api.report(id, first, { status: 'pending', retry_at: inSeconds(-60) });
    assert.deepEqual((await api.claims(id, { limit: 3 })).map(contactOf), [first, third, fourth]);
    await api.report(id, first, { status: 'pending' });
    assert.deepEqual((await api.claims(id, { limit: 9 })).map(contactOf), [first, second]);
    assert.deepEqual(await api.claims(id), []);
  });

  test('Parallel callers on two instances claim every contact exactly once', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 500);
    const second = await startTestService(service.database);
    try {
      const apis = [api, await campaignApi(second)];
      const claimed: string[] = [];
      const tokens: string[] = [];
      const worker = async (number: number) => {
        for (;;) {
          const limit = 1 + (number % 7);
          const claims = await (apis[number % 2] as CampaignApi).claims(id, { limit });
          if (claims.length === 0) return;
          assert.ok(claims.length <= limit);
          claimed.push(...claims.map(contactOf));
          tokens.push(...claims.map(({ claim_id }) => claim_id));
        }
      };
      await Promise.all(Array.from({ length: 16 }, (_, number) => worker(number)));
      assert.equal(claimed.length, 500);
      assert.deepEqual(claimed.sort(), contacts.sort());
      assert.equal(new Set(tokens).size, 500);
      assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 500 }));
    } finally {
      await second.stop();
    }
  });

  test('An expired lease returns the contact to the queue, and its old claim is refused', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 2);
    const [contact] = contacts as [string];
    const [first] = await api.claims(id);
    assert.equal(contactOf(first), contact);
    await expire(id, contact);
    const claims = await api.claims(id, { limit: 5 });
    assert.deepEqual(claims.map(contactOf), contacts);
    assert.equal(claims[0].attempt, 2);
    assert.notEqual(claims[0].claim_id, first.claim_id);
    const before = await enrollmentOf(id, contact);
    const stale = { claim_id: first.claim_id };
    for (const body of [
      { ...stale, status: 'completed', outcome: 'answered' },
      { ...stale, status: 'pending', retry_at: inSeconds(60) },
      { ...stale, lease_seconds: 60 },
      { ...stale, outcome: 'late' },
      { claim_id: 'claim', status: 'completed' },
    ]) {
      const { message } = assertError(await api.report(id, contact, body), 409, 'CONFLICT');
      assert.match(message, /handed to another caller/);
    }
    assert.deepEqual(await enrollmentOf(id, contact), before);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 2 }));
    const done = await api.report(id, contact, { claim_id: claims[0].claim_id, status: 'completed' });
    assert.equal(done.status, 200, done.text);
  });

  test('A claim whose lease expired can still report until the contact is claimed again', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    const [{ claim_id }] = await api.claims(id);
    await expire(id, contact);
    const reply = await api.report(id, contact, { claim_id, lease_seconds: 600 });
    assert.equal(reply.status, 200, reply.text);
    assert.ok(reply.body.data.lease_expires_at > inSeconds(500));
    assert.deepEqual(await api.claims(id), []);
  });

  test('A report sets the status and the outcome, ends the lease, and can be repeated', async () => {
    const { id } = await makeActiveCampaign(service, api, 3);
    const claims = await api.claims(id, { limit: 3 });
    for (const [at, status] of ['completed', 'failed', 'pending'].entries()) {
      const { claim_id, contact } = claims[at];
      const body = { claim_id, status, outcome: `went ${status}` };
      const { data } = (await api.report(id, contact.id, body)).body;
      assert.deepEqual(
        [data.status, data.outcome, data.attempts, data.retry_at, data.lease_expires_at],
        [status, `went ${status}`, 1, null, null],
      );
      const again = await api.report(id, contact.id, body);
      assert.equal(again.status, 200, again.text);
      for (const late of [
        { claim_id, lease_seconds: 60 },
        { claim_id, status: 'in_progress' },
      ]) {
        const { message } = assertError(await api.report(id, contact.id, late), 409, 'CONFLICT');
        assert.match(message, new RegExp(`has ended: the enrollment is ${status}`));
      }
    }
    assert.deepEqual(await enrolled(id), enrollmentCounts({ completed: 1, failed: 1, pending: 1 }));
    const cleared = await api.report(id, claims[0].contact.id, { outcome: null });
    assert.equal(cleared.body.data.outcome, null);
    assert.equal(cleared.body.data.status, 'completed');
  });

  test('A retry time keeps the contact out of the queue until then', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    const [{ claim_id }] = await api.claims(id);
    const later = inSeconds(3_600);
    const zoned = later.replace(/Z$/, '+00:00');
    const { data } = (await api.report(id, contact, { claim_id, status: 'pending', retry_at: zoned })).body;
    assert.deepEqual([data.status, data.retry_at, data.lease_expires_at], ['pending', later, null]);
    assert.deepEqual(await api.claims(id), []);
    const soon = inSeconds(1);
    await api.report(id, contact, { status: 'pending', retry_at: soon });
    assert.deepEqual(await api.claims(id), []);
    for (; new Date().toISOString() <= soon; ) await new Promise((resolve) => setTimeout(resolve, 20));
    const [again] = await api.claims(id);
    assert.deepEqual([contactOf(again), again.attempt], [contact, 2]);
  });

  test('A lease can be extended', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    const [{ claim_id, lease_expires_at }] = await api.claims(id, { lease_seconds: 10 });
    for (const body of [{ lease_seconds: 86_400 }, { lease_seconds: 1_000, status: 'in_progress' }]) {
      const { data } = (await api.report(id, contact, { ...body, claim_id })).body;
      assert.ok(data.lease_expires_at > lease_expires_at);
      assert.equal(data.status, 'in_progress');
      assert.equal(data.attempts, 1);
    }
    assert.deepEqual(await api.claims(id), []);
  });

  test('A status set without a claim takes the contact from its claim', async () => {
    const { id } = await makeActiveCampaign(service, api, 3);
    const claims = await api.claims(id, { limit: 3 });
    for (const [at, status] of ['completed', 'in_progress', 'pending'].entries()) {
      const { claim_id, contact } = claims[at];
      assert.equal((await api.report(id, contact.id, { status })).body.data.lease_expires_at, null);
      assertError(await api.report(id, contact.id, { claim_id, status: 'failed' }), 409, 'CONFLICT');
      await expire(id, contact.id);
    }
    assert.deepEqual((await api.claims(id, { limit: 5 })).map(contactOf), [claims[2].contact.id]);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ completed: 1, in_progress: 2 }));
  });

  test('A campaign that is not active hands out none, and says its status', async () => {
    const { id, agent } = await makeActiveCampaign(service, api, 3);
    const [{ claim_id, contact }] = await api.claims(id);
    for (const status of ['paused', 'active', 'paused', 'finished']) {
      await api.request('PATCH', `/campaigns/${id}`, { status });
      if (status === 'active') continue;
      const reply = await api.claim(id, { limit: 10 });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(reply.body.data, {
        campaign: { id, status },
        agent: { id: agent.id, name: 'Caller' },
        version: null,
        claims: [],
      });
    }
    const done = await api.report(id, contact.id, { claim_id, status: 'completed', outcome: 'answered' });
    assert.equal(done.status, 200, 'a call that began before can be reported');
    const draft = await api.request('POST', '/campaigns', { name: 'Draft', agent_id: agent.id }, 201);
    assert.equal((await api.claim(draft.id)).body.data.campaign.status, 'draft');
  });

  test('An agent without a deployed version hands out none: 409', async () => {
    const agent = await makeAgent(service);
    const fields = { name: 'Undeployed', agent_id: agent.id, status: 'active' };
    const { id } = await api.request('POST', '/campaigns', fields, 201);
    const [contact] = await makeContacts(service, 1, 'undeployed');
    await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: [contact] });
    const { message } = assertError(await api.claim(id), 409, 'CONFLICT');
    assert.match(message, /no deployed version.*Deploy a version, or pause/);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ pending: 1 }));
    await markDeployed(service.database, agent.id, 1);
    assert.equal((await api.claims(id)).length, 1);
  });

  test('Deleting the agent pauses the campaign; claims can still be reported', async () => {
    const { id, agent, contacts } = await makeActiveCampaign(service, api, 2);
    const [{ claim_id }] = await api.claims(id);
    assert.equal((await service.delete(`/v1/agents/${agent.id}`)).status, 200);
    const { data } = (await api.claim(id)).body;
    assert.deepEqual([data.campaign.status, data.agent.name, data.claims], ['paused', 'Caller', []]);
    const reply = await api.report(id, contacts[0] as string, { claim_id, status: 'failed' });
    assert.equal(reply.status, 200, reply.text);
  });

  test('Deleting a claimed contact or its enrollment ends the claim', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 2);
    const [one, two] = await api.claims(id, { limit: 2 });
    assert.equal((await service.delete(`/v1/contacts/${contacts[0]}`)).status, 200);
    await api.request('DELETE', `/campaigns/${id}/enrollments/${contacts[1]}`);
    for (const { claim_id, contact } of [one, two]) {
      const reply = await api.report(id, contact.id, { claim_id, status: 'completed' });
      assertError(reply, 404, 'NOT_FOUND');
    }
    assert.deepEqual(await enrolled(id), enrollmentCounts());
    await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: [contacts[1]] });
    const [again] = await api.claims(id);
    assert.equal(again.attempt, 1, 'a new enrollment starts again');
  });

  test('Limits and contradictory fields are refused with what to send, and nothing changes', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 2);
    const [contact] = contacts as [string];
    for (const limit of [0, 101, 1.5, '5', null]) assertInvalid(await api.claim(id, { limit }), 'limit');
    for (const lease_seconds of [9, 86_401, 60.5, '60', null])
      assertInvalid(await api.claim(id, { lease_seconds }), 'lease_seconds');
    assertInvalid(await api.claim(id, { count: 1 }), 'count');
    assert.deepEqual(await enrolled(id), enrollmentCounts({ pending: 2 }));
    const [{ claim_id }] = await api.claims(id);
    const before = await enrollmentOf(id, contact);
    const refusals: [object, string, RegExp][] = [
      [{}, 'status', /required, unless outcome, lease_seconds or variables/],
      [{ claim_id }, 'status', /required, unless/],
      [{ retry_at: inSeconds(9) }, 'retry_at', /requires status "pending"/],
      [{ retry_at: inSeconds(9), status: 'failed' }, 'retry_at', /requires status "pending"/],
      [{ retry_at: 'tomorrow', status: 'pending' }, 'retry_at', /valid date and time with a time zone/],
      [{ retry_at: '2026-02-31T10:00:00Z', status: 'pending' }, 'retry_at', /valid date and time/],
      [{ lease_seconds: 60 }, 'claim_id', /required with lease_seconds/],
      [{ lease_seconds: 60, claim_id, status: 'completed' }, 'lease_seconds', /ends the lease/],
      [{ lease_seconds: 9, claim_id }, 'lease_seconds', /from 10 to 86400/],
      [{ outcome: '' }, 'outcome', /at least 1 character/],
      [{ outcome: 'x'.repeat(201) }, 'outcome', /at most 200 characters/],
      [{ outcome: 'a\u0000b' }, 'outcome', /U\+0000/],
      [{ attempts: 3, status: 'pending' }, 'attempts', /not a field/],
    ];
    for (const [body, field, message] of refusals) {
      const reply = await api.report(id, contact, body);
      assertInvalid(reply, field);
      assert.match(reply.body.error.message, message);
    }
    assert.deepEqual(await enrollmentOf(id, contact), before);
    for (const outcome of [
      'x'.repeat(200),
      '👩🏽‍🚀'.repeat(20),
      "'; drop table enrollments; --",
      '\u202e%_\\',
    ])
      assert.equal((await api.report(id, contact, { outcome })).body.data.outcome, outcome);
  });

  test('A campaign of another workspace is answered like an unknown one', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const { owner } = await makeOtherWorkspace(service);
    const scopes = ['campaigns:read', 'campaigns:write'];
    const { key } = await owner.request('POST', '/keys', { name: 'Dialer', scopes }, 201);
    const foreign = await campaignApi(service, key);
    const unknown = 'campaign_01h455vb4pex5vsknk084sn02q';
    assert.deepEqual(comparableReply(await foreign.claim(id)), comparableReply(await foreign.claim(unknown)));
    assertError(await foreign.claim(id), 404, 'NOT_FOUND');
    assertError(await api.claim('nothing'), 404, 'NOT_FOUND');
    const reply = await foreign.report(id, contacts[0] as string, { status: 'completed' });
    assertError(reply, 404, 'NOT_FOUND');
    assert.deepEqual(await enrolled(id), enrollmentCounts({ pending: 1 }));
  });

  test('Claims are audited with their number, and extensions of a lease are not', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 3);
    const [{ claim_id }] = await api.claims(id);
    await api.claims(id, { limit: 5 });
    await api.claims(id);
    await api.report(id, contacts[0] as string, { claim_id, lease_seconds: 60 });
    await api.report(id, contacts[0] as string, { claim_id, status: 'completed', outcome: 'answered' });
    const entries = await service.database.query(
      `select action, subject, fields, counts from audit_entries
        where parent = ? and action in ('enrollment.claimed', 'enrollment.updated') order by seq`,
      id,
    );
    assert.deepEqual(
      entries.map((entry) => ({ ...entry })),
      [
        { action: 'enrollment.claimed', subject: contacts[0], fields: null, counts: '{"claimed":1}' },
        { action: 'enrollment.claimed', subject: null, fields: null, counts: '{"claimed":2}' },
        {
          action: 'enrollment.updated',
          subject: contacts[0],
          fields: '["status","outcome"]',
          counts: null,
        },
      ],
    );
  });

  test('The counters match the rows after all claims', () => assertConsistent(service.database));

  test('Rows of an earlier version: its statuses decide what is handed out', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 6);
    const [fresh, byHand, done, leasedDone, leasedBack, retried] = contacts as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    // An earlier version only sets these two columns.
    const set = (contact: string, status: string) =>
      service.database.query(
        'update enrollments set status = ?, updated_at = ? where campaign_id = ? and contact_id = ?',
        status,
        inSeconds(0),
        id,
        contact,
      );
    assert.equal((await api.report(id, retried, { status: 'pending', retry_at: inSeconds(-5) })).status, 200);
    await set(retried, 'in_progress');
    await set(byHand, 'in_progress');
    await set(done, 'completed');
    assert.deepEqual((await api.claims(id, { limit: 3 })).map(contactOf), [fresh, leasedDone, leasedBack]);
    await set(leasedDone, 'completed');
    await set(leasedBack, 'pending');
    for (const contact of contacts) await expire(id, contact);
    assert.deepEqual((await api.claims(id, { limit: 9 })).map(contactOf).sort(), [fresh, leasedBack].sort());
  });
});
