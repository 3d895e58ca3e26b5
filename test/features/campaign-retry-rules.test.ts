import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CampaignApi, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const MINUTE = 60_000;
const RULES = [
  { disposition: 'voicemail', action: 'retry', after_minutes: 90 },
  { disposition: 'busy', action: 'retry' },
  { disposition: 'booked', action: 'complete' },
  { disposition: 'no_interest', action: 'fail' },
];
const DISPOSITIONS = [...RULES.map(({ disposition }) => disposition), 'without_rule'];

onEveryEngine('Retry rules of campaigns', (service) => {
  let api: CampaignApi;
  let key: string;
  const putSettings = async (keys: readonly string[]) => {
    const dispositions = keys.map((each) => ({ key: each, label: each }));
    const body = { dispositions, field_rules: [], transcript_days: null };
    const reply = await service.call('PUT', '/v1/call-settings', body, { key });
    assert.equal(reply.status, 200, reply.text);
  };
  before(async () => {
    api = await campaignApi(service);
    key = await createScopedKey(service.database, 'admin', 'calls:read');
    await putSettings(DISPOSITIONS);
  });
  const put = (id: string, body: object) => api.call('PUT', `/campaigns/${id}/schedule`, body);
  const scheduleOf = (id: string): Promise<Json> => api.request('GET', `/campaigns/${id}/schedule`);
  const makeCampaign = async (size: number, schedule: object = { retry_rules: RULES }) => {
    const made = await makeActiveCampaign(service, api, size);
    const reply = await put(made.id, schedule);
    assert.equal(reply.status, 200, reply.text);
    return made;
  };
  /** Claims a contact and reports a disposition. */
  const reportNext = async (id: string, body: object) => {
    const [claim] = (await api.claims(id)) as [Json];
    const { claim_id, contact } = claim;
    const reply = await api.report(id, contact.id, { claim_id, ...body });
    return { reply, claim_id, contact: contact.id as string };
  };
  const minutesUntil = (time: string): number => (Date.parse(time) - Date.now()) / MINUTE;

  test('The schedule has the rules as they were sent, and a copy of the campaign has them, too', async () => {
    const { id } = await makeCampaign(0);
    assert.deepEqual((await scheduleOf(id)).retry_rules, RULES);
    const [event] = (await service.database.query(
      "select fields from audit_entries where action = 'campaign.updated' order by seq desc limit 1",
    )) as [Json];
    assert.match(String(event.fields), /retry_rules/);
    const copy = await api.request('POST', `/campaigns/${id}/duplicate`, {}, 201);
    assert.deepEqual((await scheduleOf(copy.id)).retry_rules, RULES);
    assert.deepEqual((await put(id, {})).body.data.retry_rules, []);
    assert.deepEqual((await scheduleOf(copy.id)).retry_rules, RULES);
  });

  test('Rules that cannot be are rejected with the name of the field, and change nothing', async () => {
    const { id } = await makeCampaign(0);
    const rule = { disposition: 'busy', action: 'retry' };
    for (const [retry_rules, field] of [
      [null, 'retry_rules'],
      [{}, 'retry_rules'],
      [['busy'], 'retry_rules[0]'],
      [[rule, { ...rule, action: 'fail' }], 'retry_rules'],
      [[{ ...rule, disposition: 'Busy!' }], 'retry_rules[0].disposition'],
      [[rule, { ...rule, disposition: 'unknown' }], 'retry_rules[1].disposition'],
      [[{ disposition: 'busy' }], 'retry_rules[0].action'],
      [[{ ...rule, action: 'call' }], 'retry_rules[0].action'],
      [[{ ...rule, after_minutes: 0 }], 'retry_rules[0].after_minutes'],
      [[{ ...rule, after_minutes: 43_201 }], 'retry_rules[0].after_minutes'],
      [[{ ...rule, action: 'fail', after_minutes: 5 }], 'retry_rules[0].after_minutes'],
      [Array.from({ length: 51 }, () => rule), 'retry_rules'],
    ] as const)
      assertInvalid(await put(id, { retry_rules }), field);
    assert.deepEqual((await scheduleOf(id)).retry_rules, RULES);
  });

  test('A rule whose disposition was removed from the settings can stay, but not be added', async () => {
    const { id } = await makeCampaign(0);
    const { id: other } = await makeCampaign(0, {});
    await putSettings(DISPOSITIONS.filter((each) => each !== 'busy'));
    const schedule = await scheduleOf(id);
    assert.equal((await put(id, { ...schedule, max_attempts: 7 })).status, 200);
    assertInvalid(await put(other, { retry_rules: RULES }), 'retry_rules[1].disposition');
    await putSettings(DISPOSITIONS);
  });

  test('A report with a disposition gets the status, the retry time and the outcome of its rule', async () => {
    const { id } = await makeCampaign(4);
    const reported = async (body: object): Promise<Json> => (await reportNext(id, body)).reply.body.data;
    const voicemail = await reported({ disposition: 'voicemail' });
    assert.deepEqual([voicemail.status, voicemail.outcome], ['pending', 'voicemail']);
    const minutes = minutesUntil(voicemail.retry_at);
    assert.ok(minutes > 88 && minutes <= 90, String(minutes));
    const booked = await reported({ disposition: 'booked', outcome: 'Tuesday' });
    assert.deepEqual([booked.status, booked.outcome, booked.retry_at], ['completed', 'Tuesday', null]);
    const failed = await reported({ disposition: 'no_interest', outcome: null });
    assert.deepEqual([failed.status, failed.outcome], ['failed', null]);
    const busy = await reported({ disposition: 'busy' });
    assert.deepEqual([busy.status, busy.outcome], ['pending', 'busy']);
    assert.equal((await api.claims(id))[0]?.contact.id, busy.contact_id, 'it is due immediately');
  });

  test('A disposition without a rule is rejected with what to do, and so is one beside a status', async () => {
    const { id } = await makeCampaign(1);
    const { reply, claim_id, contact } = await reportNext(id, { disposition: 'without_rule' });
    assertInvalid(reply, 'disposition');
    assert.match(
      reply.text,
      /has no retry rule in this campaign: without_rule\. Send status instead, or add a rule/,
    );
    for (const [fields, field] of [
      [{ status: 'completed' }, 'status'],
      [{ retry_at: '2099-01-01T00:00:00Z' }, 'retry_at'],
      [{ lease_seconds: 60 }, 'lease_seconds'],
    ] as const)
      assertInvalid(await api.report(id, contact, { claim_id, disposition: 'booked', ...fields }), field);
    assertInvalid(await api.report(id, contact, { disposition: '' }), 'disposition');
    const found = await api.request('GET', `/contacts/${contact}/enrollments`);
    assert.deepEqual([found[0].status, found[0].outcome], ['in_progress', null]);
    assert.equal((await api.report(id, contact, { claim_id, disposition: 'booked' })).status, 200);
  });

  test('The minimum time between attempts and the maximum of attempts win over a rule', async () => {
    const { id } = await makeCampaign(1, { retry_rules: RULES, min_retry_minutes: 240 });
    const { reply, contact } = await reportNext(id, { disposition: 'voicemail' });
    const minutes = minutesUntil(reply.body.data.retry_at);
    assert.ok(minutes > 238 && minutes <= 240, String(minutes));
    const { id: once } = await makeCampaign(1, { retry_rules: RULES, max_attempts: 1 });
    const last = await reportNext(once, { disposition: 'voicemail' });
    assert.deepEqual([last.reply.body.data.status, last.reply.body.data.outcome], ['failed', 'voicemail']);
    const manual = await api.report(once, last.contact, { disposition: 'voicemail' });
    assertError(manual, 409, 'CONFLICT');
    assert.equal((await api.report(id, contact, { disposition: 'booked' })).body.data.status, 'completed');
  });

  test('A repeated report keeps the retry time of the first one, and one of a former claim changes nothing', async () => {
    const { id } = await makeCampaign(1);
    const { reply, claim_id, contact } = await reportNext(id, { disposition: 'voicemail' });
    const again = await api.report(id, contact, { claim_id, disposition: 'voicemail' });
    assert.deepEqual({ ...again.body.data, updated_at: null }, { ...reply.body.data, updated_at: null });
    const corrected = await api.report(id, contact, { claim_id, disposition: 'booked' });
    assert.deepEqual([corrected.body.data.status, corrected.body.data.outcome], ['completed', 'booked']);
    await api.report(id, contact, { status: 'pending' });
    const former = await api.report(id, contact, { claim_id, disposition: 'without_rule' });
    assertError(former, 409, 'CONFLICT');
    assert.equal((await api.request('GET', `/contacts/${contact}/enrollments`))[0].status, 'pending');
  });
});
