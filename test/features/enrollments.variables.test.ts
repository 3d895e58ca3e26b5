import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  type CampaignApi,
  campaignApi,
  makeActiveCampaign,
  makeContacts,
} from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

onEveryEngine('Variables of enrollments', (service) => {
  let api: CampaignApi;
  before(async () => {
    api = await campaignApi(service);
  });
  const enroll = (id: string, body: object) => api.request('POST', `/campaigns/${id}/enrollments`, body);
  const enrollments = async (id: string, query = ''): Promise<Json[]> =>
    api.request('GET', `/campaigns/${id}/enrollments?sort=contact${query}`);
  const patch = (id: string, contact: string, variables: object) => api.report(id, contact, { variables });

  test('Contacts are enrolled with variables for all and variables of their own', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    const [one, two, three] = (await makeContacts(service, 3, 'with variables')) as [string, string, string];
    const contacts = [
      { contact_id: one, variables: { slot: 'Tuesday at ten', seats: 2.5 } },
      { contact_id: two },
      { contact_id: 'nobody' },
    ];
    assert.deepEqual(await enroll(id, { contacts, variables: { slot: 'Monday', vip: false, gone: null } }), {
      enrolled: 2,
      already_enrolled: 0,
      not_found: ['nobody'],
    });
    await enroll(id, { tag: 'with variables', variables: { slot: 'late', z: 'ß–😀', a: '' } });
    assert.deepEqual(
      (await enrollments(id)).map(({ contact_id, variables, reason }) => [contact_id, variables, reason]),
      [
        [one, { seats: 2.5, slot: 'Tuesday at ten', vip: false }, null],
        [two, { slot: 'Monday', vip: false }, null],
        [three, { a: '', slot: 'late', z: 'ß–😀' }, null],
      ],
    );
    assert.deepEqual(await api.request('GET', `/contacts/${one}/enrollments`), [(await enrollments(id))[0]]);
  });

  test('An update merges variables by name, and null removes one', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    const changed = async (variables: object) => (await patch(id, contact, variables)).body.data.variables;
    assert.deepEqual(await changed({ plan: 'gold', slot: 9 }), { plan: 'gold', slot: 9 });
    assert.deepEqual(await changed({ slot: true }), { plan: 'gold', slot: true });
    assert.deepEqual(await changed({ plan: null, other: null }), { slot: true });
    const reply = await api.report(id, contact, { status: 'completed' });
    assert.deepEqual(reply.body.data.variables, { slot: true }, 'other updates keep them');
    assert.deepEqual(await changed({ slot: null }), {});
    assert.equal((await enrollments(id))[0]?.status, 'completed');
  });

  test('Invalid variables are refused with the name of the field, and change nothing', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    await patch(id, contact, { plan: 'gold' });
    for (const name of ['Plan', '9lives', '_x', 'a-b', 'é', '', '__proto__', `a${'b'.repeat(40)}`])
      assertInvalid(await patch(id, contact, JSON.parse(`{"${name}": "x"}`)), 'variables name');
    for (const value of [[], {}, ['x']]) assertInvalid(await patch(id, contact, { x: value }), 'variables.x');
    assertInvalid(await patch(id, contact, { x: 'y'.repeat(2_001) }), 'variables.x');
    assertInvalid(await patch(id, contact, { x: 'a\u0000b' }), 'variables.x');
    assertInvalid(await patch(id, contact, ['x']), 'variables');
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, at]));
    assertInvalid(await patch(id, contact, many), 'variables');
    const large = (letters: string) => ({ a: letters.repeat(1_000), b: letters.repeat(1_000) });
    assertInvalid(await patch(id, contact, { ...large('éé'), c: 'x'.repeat(500) }), 'variables');
    const body = { contact_ids: [contact], variables: { 'not a name': 1 } };
    assertInvalid(await api.call('POST', `/campaigns/${id}/enrollments`, body), 'variables name');
    assertError(await api.report(id, contact, {}), 400, 'VALIDATION_ERROR');
    assert.deepEqual((await enrollments(id))[0]?.variables, { plan: 'gold' });
    assert.equal((await patch(id, contact, large('éé'))).status, 200);
    assertInvalid(await patch(id, contact, { c: 'x'.repeat(500) }), 'variables');
  });

  test('A blocked enrollment is not claimed, is listed with its reason, and returns with the last value', async () => {
    const { id, agent, contacts } = await makeActiveCampaign(service, api, 2);
    const [contact, other] = contacts as [string, string];
    const reason = { code: 'missing_values', holes: ['plan', 'slot'] };
    await service.patch(`/v1/agents/${agent.id}`, { instructions: '{{plan}} {{slot}}' });
    const variables = [{ name: 'plan' }, { name: 'slot' }];
    await service.call('PUT', `/v1/agents/${agent.id}/variables`, { variables });
    await markDeployed(service.database, agent.id, 2);
    for (const render of [true, false]) assert.deepEqual(await api.claims(id, { limit: 5, render }), []);
    const [listed] = await enrollments(id, '&status=blocked&limit=1');
    assert.deepEqual([listed?.contact_id, listed?.status, listed?.reason], [contact, 'blocked', reason]);
    assertInvalid(await api.report(id, contact, { status: 'blocked' }), 'status');
    assertInvalid(await api.report(id, contact, { status: 'skipped' }), 'status');
    const first = async () => (await enrollments(id))[0];
    await patch(id, contact, { plan: 'gold', slot: '' });
    await eventually('one value is missing', async () => (await first())?.reason.holes.join() === 'slot');
    await patch(id, contact, { slot: 0 });
    await eventually('the contact is in the queue', async () => (await first())?.status === 'pending');
    const now = await first();
    assert.deepEqual([now?.reason, now?.variables], [null, { plan: 'gold', slot: 0 }]);
    assert.deepEqual(
      (await api.claims(id, { limit: 5 })).map((claim) => claim.contact.id),
      [contact],
    );
    const done = (await api.report(id, other, { status: 'failed' })).body.data;
    assert.deepEqual([done.status, done.reason], ['failed', null]);
  });

  test('Events, timeline and audit log do not contain variables', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    await patch(id, contact, { plan: 'Violet Canary' });
    const changes = 'select changed from events where campaign_id = ? and changed is not null';
    const [found] = await service.database.query(changes, id);
    assert.equal(found?.changed, '["variables"]');
    assert.deepEqual(
      (await api.request('GET', `/campaigns/${id}`)).enrolled,
      enrollmentCounts({ pending: 1 }),
    );
    for (const table of ['events', 'audit_entries', 'contact_changes', 'retries'])
      assert.doesNotMatch(JSON.stringify(await service.database.query(`select * from ${table}`)), /Violet/);
  });

  test('A retried update returns the variables, which are not stored with its answer', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    const key = withIdempotencyKey('patch variables');
    const first = await api.report(id, contact, { variables: { plan: 'Orange Canary' } }, key);
    const again = await api.report(id, contact, { variables: { plan: 'Orange Canary' } }, key);
    assert.ok(isReplay(again));
    assert.equal(again.text, first.text);
    assert.deepEqual(again.body.data.variables, { plan: 'Orange Canary' });
    const answers = await service.database.query('select answer from retries');
    assert.doesNotMatch(JSON.stringify(answers), /Orange/);
  });
});
