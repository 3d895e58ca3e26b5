import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { enrollNextOfAudience, findNextOfAudience } from '../../src/features/campaigns/audience.jobs.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { assertEnrolledOnce, untilFollowed } from '../kit/fixtures/audiences.ts';
import { type CampaignApi, campaignApi, makeContacts } from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const tagged = (tag: string) => ({ attribute: 'tag', op: 'eq', value: tag });

onEveryEngine('Audiences of campaigns', (service) => {
  let api: CampaignApi;
  let agent: Json;
  let key: string;
  let count = 0;
  before(async () => {
    api = await campaignApi(service);
    const scopes = ['contacts:read', 'contacts:write', 'calls:read', 'audit:read'] as const;
    key = await createScopedKey(service.database, ...scopes);
    agent = await makeAgent(service, { name: 'Caller', instructions: 'Ask about the appointment.' });
    await markDeployed(service.database, agent.id, 1);
  });
  const makeSegment = async (filter: Json): Promise<string> => {
    const reply = await service.post('/v1/segments', { name: 'Audience', filter }, { key });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.data.id;
  };
  const makeCampaign = (audience: Json, fields: Json = {}): Promise<Json> =>
    api.request('POST', '/campaigns', { name: 'Calls', agent_id: agent.id, audience, ...fields }, 201);
  const enrolled = async (id: string): Promise<string[]> => {
    const rows: Json[] = await service.database.query(
      'select contact_id, status from enrollments where campaign_id = ? order by contact_id',
      id,
    );
    return rows.map(({ contact_id, status }) =>
      status === 'pending' ? contact_id : `${contact_id} ${status}`,
    );
  };
  const untilEnrolled = (id: string, contacts: readonly string[]) =>
    eventually(`the enrollments of ${id}`, async () => {
      const found = await enrolled(id);
      return found.join() === [...contacts].sort().join() ? found : undefined;
    });
  const untilDone = (kind: string, id: string) =>
    eventually(`the job ${kind}`, async () => {
      const [job] = await service.database.query(
        'select 1 from jobs where kind = ? and subject = ?',
        kind,
        id,
      );
      return job === undefined ? true : undefined;
    });
  const untilAsleep = (id: string) =>
    eventually('the job to wait for events', async () => {
      const [job]: Json[] = await service.database.query(
        `select due_at from jobs where kind = 'campaign.following' and subject = ?`,
        id,
      );
      return job && job.due_at > new Date(Date.now() + 86_400_000).toISOString() ? true : undefined;
    });
  const newTag = () => `audience ${++count}`;
  const setTags = async (id: string, tags: string[]) =>
    assert.equal((await service.patch(`/v1/contacts/${id}`, { tags })).status, 200);

  test('A snapshot enrolls the contacts that match, once', async () => {
    const tag = newTag();
    const contacts = await makeContacts(service, 250, tag);
    const segment_id = await makeSegment(tagged(tag));
    const campaign = await makeCampaign({ segment_id, mode: 'snapshot' });
    assert.deepEqual(campaign.audience, { segment_id, mode: 'snapshot' });
    await untilEnrolled(campaign.id, contacts);
    await untilDone('campaign.enrolling', campaign.id);
    const later = await makeContact(service, { tags: [tag] });
    await setTags(contacts[0] as string, []);
    const live = await makeCampaign({ segment_id, mode: 'live' });
    await untilEnrolled(live.id, [...contacts.slice(1), later.id]);
    assert.deepEqual(await enrolled(campaign.id), contacts);
    assert.equal((await api.request('GET', `/campaigns/${campaign.id}`)).enrolled.pending, 250);
    await assertConsistent(service.database);
  });

  test('A live audience enrolls people as they come to match, and each of them once', async () => {
    const tag = newTag();
    const [first, second, third] = await makeContacts(service, 3, newTag());
    const { id } = await makeCampaign({ segment_id: await makeSegment(tagged(tag)), mode: 'live' });
    await untilAsleep(id);
    await setTags(first as string, [tag]);
    await untilEnrolled(id, [first as string]);
    const created = await makeContact(service, { tags: [tag] });
    await setTags(second as string, ['other', tag]);
    await setTags(third as string, ['other']);
    await untilEnrolled(id, [first as string, second as string, created.id]);
    await setTags(second as string, []);
    await setTags(second as string, [tag]);
    await untilAsleep(id);
    const [{ count: made }] = (await service.database.query(
      `select count(*) as count from events where type = 'enrollment.created' and campaign_id = ?`,
      id,
    )) as [Json];
    assert.equal(Number(made), 3);
    const audit = `/v1/audit?subject=${id}&action=enrollment.created`;
    const { data } = (await service.get(audit, { key })).body;
    assert.ok(data.length > 0 && data.every(({ actor }: Json) => actor.kind === 'audience'));
  });

  test('A claim skips those who no longer match, and they return when they match again', async () => {
    const tag = newTag();
    const [leaves, stays] = (await makeContacts(service, 2, tag)) as [string, string];
    const explicit = await makeContact(service);
    const segment_id = await makeSegment(tagged(tag));
    const { id } = await makeCampaign({ segment_id, mode: 'live' }, { status: 'active' });
    await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: [explicit.id] });
    await untilEnrolled(id, [leaves, stays, explicit.id]);
    await setTags(leaves, []);
    const claims = await api.claims(id, { limit: 10 });
    assert.deepEqual(claims.map(({ contact }: Json) => contact.id).sort(), [stays, explicit.id].sort());
    const [skipped] = await api.request('GET', `/campaigns/${id}/enrollments?status=skipped`);
    assert.deepEqual(
      [skipped.contact_id, skipped.status, skipped.reason],
      [leaves, 'skipped', { code: 'not_in_audience', holes: [] }],
    );
    assert.equal((await api.request('GET', `/campaigns/${id}`)).enrolled.skipped, 1);
    await setTags(leaves, [tag]);
    const again = await eventually('the claim', async () => (await api.claims(id))[0]);
    assert.equal(again.contact.id, leaves);
    await setTags(leaves, []);
    assert.equal((await api.report(id, leaves, { status: 'pending' })).status, 200);
    assert.equal((await api.claims(id))[0]?.contact.id, leaves);
    await assertConsistent(service.database);
  });

  test('A claim hands out as many as it can, although many no longer match', async () => {
    const tag = newTag();
    const contacts = await makeContacts(service, 40, tag);
    const segment_id = await makeSegment(tagged(tag));
    const { id } = await makeCampaign({ segment_id, mode: 'live' }, { status: 'active' });
    await untilEnrolled(id, contacts);
    const leave = contacts.filter((_, at) => at < 20 || at % 2 === 0);
    await Promise.all(leave.map((contact) => setTags(contact, [])));
    assert.equal((await api.claims(id)).length, 1);
    assert.equal((await api.claims(id, { limit: 9 })).length, 9);
    assert.equal((await api.request('GET', `/campaigns/${id}`)).enrolled.skipped, 30);
    await assertConsistent(service.database);
  });

  test('A pass over an audience that was changed or set meanwhile begins again', async () => {
    const tag = newTag();
    const contacts = await makeContacts(service, 3, tag);
    const segment_id = await makeSegment(tagged(newTag()));
    const { id } = await makeCampaign({ segment_id, mode: 'live' });
    await untilDone('campaign.enrolling', id);
    const { query } = service.database;
    const storage = await openTestStorage(service.database);
    const [{ workspace_id: workspace }] = (await query(
      'select workspace_id from campaigns where id = ?',
      id,
    )) as [Json];
    const now = new Date().toISOString();
    const job = { workspace_id: Number(workspace), kind: 'campaign.enrolling', subject: id };
    const step = { ...job, created_at: now, due_at: now, failures: 0 };
    const schedule = (enrolled_until: number) =>
      query('update campaigns set enrolled_until = ? where id = ?', enrolled_until, id);
    const find = () => storage.run(findNextOfAudience, { workspace: Number(workspace) }, { id, size: 100 });
    // Nothing was to be done when this step began.
    const none = await find();
    assert.equal(none, undefined);
    await schedule(0);
    const old = await find();
    const filter = tagged(tag);
    assert.equal((await service.patch(`/v1/segments/${segment_id}`, { filter })).status, 200);
    await untilEnrolled(id, contacts);
    await untilDone('campaign.enrolling', id);
    for (const next of [none, old]) {
      await schedule(0);
      await query(
        `insert into jobs (workspace_id, kind, subject, created_at, due_at, failures) values (?, ?, ?, ?, ?, 0)`,
        Number(workspace),
        job.kind,
        id,
        now,
        new Date(Date.now() + 60_000).toISOString(),
      );
      assert.equal(await storage.run(enrollNextOfAudience, null, { job: step, next }), false);
      await untilDone('campaign.enrolling', id);
    }
    await storage.close();
  });

  test('A live audience would enroll a removed contact again, so it can only be ended', async () => {
    const tag = newTag();
    const [contact] = (await makeContacts(service, 1, tag)) as [string];
    const segment_id = await makeSegment(tagged(tag));
    const { id } = await makeCampaign({ segment_id, mode: 'live' });
    await untilEnrolled(id, [contact]);
    const path = `/campaigns/${id}/enrollments/${contact}`;
    const refused = await api.call('DELETE', path);
    assertError(refused, 409, 'CONFLICT');
    assert.match(refused.body.error.message, /failed/);
    assert.deepEqual(await enrolled(id), [contact]);
    assertError(await api.call('DELETE', `${path}0`), 404, 'NOT_FOUND');
    assert.equal((await api.report(id, contact, { status: 'failed' })).status, 200);
    await untilAsleep(id);
    assert.deepEqual(await enrolled(id), [`${contact} failed`]);
    await api.request('PATCH', `/campaigns/${id}`, { audience: { segment_id, mode: 'snapshot' } });
    await untilDone('campaign.enrolling', id);
    await api.request('DELETE', path);
    assert.deepEqual(await enrolled(id), []);
  });

  test('An audience can be changed and removed, and ends with the campaign', async () => {
    const [one, other] = [newTag(), newTag()];
    const [first] = (await makeContacts(service, 1, one)) as [string];
    const [second] = (await makeContacts(service, 1, other)) as [string];
    const [from, to] = [await makeSegment(tagged(one)), await makeSegment(tagged(other))];
    const { id } = await makeCampaign(null);
    const patch = (body: Json) => api.call('PATCH', `/campaigns/${id}`, body);
    const set = await patch({ audience: { segment_id: from, mode: 'live' } });
    assert.deepEqual(set.body.data.audience, { segment_id: from, mode: 'live' });
    await untilEnrolled(id, [first]);
    assert.equal((await patch({ audience: { segment_id: to, mode: 'live' } })).status, 200);
    await untilEnrolled(id, [first, second]);
    assert.equal((await patch({ audience: null })).body.data.audience, null);
    await untilDone('campaign.following', id);
    await makeContacts(service, 1, other);
    assert.equal((await patch({ audience: { segment_id: from, mode: 'live' } })).status, 200);
    const copy = await api.request('POST', `/campaigns/${id}/duplicate`, {}, 201);
    assert.deepEqual(copy.audience, { segment_id: from, mode: 'live' });
    await untilEnrolled(copy.id, [first]);
    assert.equal((await patch({ status: 'finished' })).status, 200);
    await untilDone('campaign.following', id);
    await untilDone('campaign.enrolling', id);
    assertError(await patch({ audience: { segment_id: to, mode: 'live' } }), 409, 'CONFLICT');
    assert.deepEqual(await enrolled(id), [first, second]);
  });

  test('A segment in use cannot be deleted or made private, and a changed one is checked again', async () => {
    const [tag, other] = [newTag(), newTag()];
    const [first] = (await makeContacts(service, 1, tag)) as [string];
    const [second] = (await makeContacts(service, 1, other)) as [string];
    const segment_id = await makeSegment(tagged(tag));
    const { id } = await makeCampaign({ segment_id, mode: 'live' });
    await untilEnrolled(id, [first]);
    const reader = await createScopedKey(service.database, 'contacts:write', 'campaigns:read');
    const refused = await service.delete(`/v1/segments/${segment_id}`, { key: reader });
    const { message, details } = assertError(refused, 409, 'CONFLICT');
    assert.match(message, /^The audience of Calls uses this segment\. /);
    assert.deepEqual(details, { campaigns: id });
    const unnamed = assertError(await service.delete(`/v1/segments/${segment_id}`), 409, 'CONFLICT');
    assert.match(unnamed.message, /^The audience of one of the campaigns uses this segment\. /);
    assert.equal(unnamed.details, undefined);
    const filter = { any: [tagged(tag), tagged(other)] };
    assert.equal((await service.patch(`/v1/segments/${segment_id}`, { filter })).status, 200);
    await untilEnrolled(id, [first, second]);
    await api.request('DELETE', `/campaigns/${id}`);
    assert.equal((await service.delete(`/v1/segments/${segment_id}`)).status, 200);
  });

  test('A copy has no audience if the segment has become private or was deleted', async () => {
    const owner = await signedInOwner(service);
    const fields = { name: 'Hers', filter: tagged(newTag()), shared: true };
    const segment = await owner.request('POST', '/segments', fields, 201);
    const audience = { segment_id: segment.id, mode: 'live' };
    const { id } = await makeCampaign(audience);
    const copied = async (call: typeof api.request) => {
      const copy = await call('POST', `/campaigns/${id}/duplicate`, { name: 'Copy' }, 201);
      await api.request('DELETE', `/campaigns/${copy.id}`);
      return copy.audience;
    };
    assert.deepEqual(await copied(api.request), audience);
    await api.request('PATCH', `/campaigns/${id}`, { status: 'finished' });
    await owner.request('PATCH', `/segments/${segment.id}`, { shared: false });
    for (const call of [api.request, owner.request]) assert.equal(await copied(call), null);
    await owner.request('DELETE', `/segments/${segment.id}`);
    assert.equal(await copied(api.request), null);
  });

  const CHANGING = [
    { attribute: 'created_at', op: 'within_last', value: 'P1D' },
    // The rows of an import expire.
    { not: { attribute: 'import', op: 'is_set' } },
  ];
  for (const condition of CHANGING)
    test(`The condition ${JSON.stringify(condition)}, which depends on the time, is checked at intervals`, async () => {
      const [contact] = (await makeContacts(service, 1, newTag())) as [string];
      const filter = { all: [condition] };
      const { id } = await makeCampaign({ segment_id: await makeSegment(filter), mode: 'live' });
      const job = await eventually('the next check', async () => {
        const [found]: Json[] = await service.database.query(
          `select due_at from jobs where kind = 'campaign.enrolling' and subject = ?`,
          id,
        );
        return found && found.due_at > new Date(Date.now() + 1_800_000).toISOString() ? found : undefined;
      });
      assert.ok(job);
      assert.ok((await enrolled(id)).includes(contact));
      await service.database.query(
        'delete from enrollments where campaign_id = ? and contact_id = ?',
        id,
        contact,
      );
      await service.database.query(
        `update jobs set due_at = created_at where kind = 'campaign.enrolling' and subject = ?`,
        id,
      );
      await eventually('the check', async () => ((await enrolled(id)).includes(contact) ? true : undefined));
      await api.request('DELETE', `/campaigns/${id}`);
    });

  test('If events have expired, all contacts are checked again', async () => {
    const tag = newTag();
    const contacts = await makeContacts(service, 2, tag);
    const { id } = await makeCampaign({ segment_id: await makeSegment(tagged(tag)), mode: 'live' });
    await untilEnrolled(id, contacts);
    await untilDone('campaign.enrolling', id);
    await untilAsleep(id);
    const { query } = service.database;
    // As if the contact had come to match in one of the expired events.
    await query(
      'delete from enrollments where campaign_id = ? and contact_id = ?',
      id,
      contacts[0] as string,
    );
    await query('delete from events where seq > 0 and seq < 5');
    await query('update campaigns set followed_until = 1 where id = ?', id);
    await untilEnrolled(id, contacts);
  });

  test('Under concurrent changes and claims, everyone who matches is enrolled, each once', async () => {
    const [tag, other] = [newTag(), newTag()];
    const contacts = await makeContacts(service, 40, other);
    const { id } = await makeCampaign({ segment_id: await makeSegment(tagged(tag)), mode: 'live' });
    await api.request('PATCH', `/campaigns/${id}`, { status: 'active' });
    let calls = 0;
    const work = async (worker: number) => {
      for (let step = 0; step < 30 || (calls === 0 && step < 2_000); step++) {
        const contact = contacts[(worker * 7 + step * 3) % contacts.length] as string;
        await setTags(contact, (worker + step) % 3 === 0 ? [other] : [other, tag]);
        if (step % 5 === 0) calls += (await api.claims(id, { limit: 2 })).length;
        if (step % 10 === 0 && step < 30) await makeContact(service, { tags: [tag] });
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, worker) => work(worker)));
    await untilFollowed(service.database, id);
    await assertEnrolledOnce(service.database, id, tag);
    assert.ok(calls > 0);
    await api.request('DELETE', `/campaigns/${id}`);
  });

  test('An audience requires the scopes of contacts and of its filter', async () => {
    const segment_id = await makeSegment({ attribute: 'called', op: 'eq', value: false });
    const body = { name: 'Calls', agent_id: agent.id, audience: { segment_id, mode: 'live' } };
    for (const [scopes, missing] of [
      [['campaigns:write', 'agents:read'], 'contacts:read'],
      [['campaigns:write', 'agents:read', 'contacts:read'], 'calls:read'],
    ] as const) {
      const caller = await createScopedKey(service.database, ...scopes);
      const reply = await service.post('/v1/campaigns', body, { key: caller });
      assertError(reply, 403, 'FORBIDDEN');
      assert.equal(reply.body.error.details.required_scope, missing);
    }
    const unknown = { segment_id: 'segment_00000000000000000000000000', mode: 'live' };
    assertError(await api.call('POST', '/campaigns', { ...body, audience: unknown }), 404, 'NOT_FOUND');
  });
});
