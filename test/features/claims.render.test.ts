import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import {
  type CampaignApi,
  campaignApi,
  makeActiveCampaign,
  makeContacts,
} from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const TEXT = 'Call {{first_name}} of {{company|a company}} about {{slot}}. {{{{not a variable}} ';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

onEveryEngine('Claims with rendering', (service) => {
  let api: CampaignApi;
  before(async () => {
    api = await campaignApi(service);
  });

  /** An active campaign whose agent has declared `slot`. */
  const makeCampaign = async (instructions = TEXT) => {
    const { id, agent } = await makeActiveCampaign(service, api, 0);
    await service.patch(`/v1/agents/${agent.id}`, { instructions });
    const version = await markDeployed(service.database, agent.id, 2);
    const declared = { variables: [{ name: 'slot', example: 'Tuesday at ten' }] };
    assert.equal((await service.call('PUT', `/v1/agents/${agent.id}/variables`, declared)).status, 200);
    return { id, agent, version };
  };
  const enroll = async (
    id: string,
    fields: Record<string, unknown>,
    variables: object = {},
  ): Promise<string> => {
    const { id: contact_id } = await makeContact(service, fields);
    await api.request('POST', `/campaigns/${id}/enrollments`, { contacts: [{ contact_id, variables }] });
    return contact_id;
  };
  const enrollment = async (contact: string): Promise<Json> =>
    (await api.request('GET', `/contacts/${contact}/enrollments`))[0];
  const enrolled = async (id: string) => (await api.request('GET', `/campaigns/${id}`)).enrolled;
  const render = { render: true };

  test('Each claim has the instructions for its contact, their hash and the version', async () => {
    const { id, version } = await makeCampaign();
    const one = await enroll(id, { first_name: 'Ada', company: 'Engines' }, { slot: 'Tuesday at ten' });
    const two = await enroll(id, { first_name: '{{slot}}' }, { slot: '{{first_name}}', company: 'Own' });
    const { data } = (await api.claim(id, { limit: 5, ...render })).body;
    const texts = [
      'Call Ada of Engines about Tuesday at ten. {{not a variable}} ',
      'Call {{slot}} of Own about {{first_name}}. {{not a variable}} ',
    ];
    const values = [
      { first_name: 'Ada', company: 'Engines', slot: 'Tuesday at ten' },
      { first_name: '{{slot}}', company: 'Own', slot: '{{first_name}}' },
    ];
    assert.deepEqual(data.version, { id: version, version_label: 'v2', instructions: TEXT });
    assert.deepEqual(
      data.claims.map((claim: Json) => [claim.contact.id, claim.instructions, claim.sha256, claim.version]),
      [one, two].map((contact, at) => [
        contact,
        texts[at],
        sha256(texts[at] as string),
        { id: version, version_label: 'v2' },
      ]),
    );
    const stored = await service.database.query(
      'select contact_id, sha256, version_id, used from renderings where version_id = ? order by contact_id',
      version,
    );
    assert.deepEqual(
      stored.map((row) => ({ ...row })),
      [one, two].map((contact_id, at) => ({
        contact_id,
        sha256: sha256(texts[at] as string),
        version_id: version,
        used: JSON.stringify(values[at]),
      })),
    );
  });

  test('A claim with render has the config of the version as it was sent, and null if nothing was claimed', async () => {
    const { id, agent } = await makeCampaign();
    const config = '{ "speed": 1.0, "10": 1e3 }';
    await service.call('POST', `/v1/agents/${agent.id}/versions`, undefined, { raw: `{"config":${config}}` });
    await markDeployed(service.database, agent.id, 3);
    await enroll(id, { first_name: 'Ada' }, { slot: 'ten' });
    const claimed = await api.claim(id, render);
    assert.equal(claimed.body.data.claims.length, 1);
    assert.ok(claimed.text.endsWith(`"config":${config}}}`), claimed.text);
    assert.deepEqual(Object.keys(claimed.body.data.version), ['id', 'version_label', 'instructions']);
    const none = (await api.claim(id, render)).body.data;
    assert.deepEqual([none.version, none.claims, none.config], [null, [], null]);
    assert.ok(!('config' in (await api.claim(id, {})).body.data));
  });

  test('Without render, a claim has no instructions of its own, and stores and blocks nothing', async () => {
    const { id, version } = await makeCampaign();
    await enroll(id, {});
    for (const body of [{}, { render: false }]) {
      const { claims } = (await api.claim(id, { limit: 1, ...body })).body.data;
      for (const claim of claims)
        assert.deepEqual(Object.keys(claim), ['claim_id', 'lease_expires_at', 'attempt', 'contact']);
    }
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 1 }));
    assert.deepEqual(
      await service.database.query('select 1 from renderings where version_id = ?', version),
      [],
    );
    assertInvalid(await api.claim(id, { render: 'yes' }), 'render');
  });

  test('A contact with a hole is blocked with the names, and others are handed out in its place', async () => {
    const { id } = await makeCampaign();
    const slot = { slot: 'ten' };
    const nameless = await enroll(id, {}, slot);
    const good = await enroll(id, { first_name: 'Ada' }, slot);
    const both = await enroll(id, { first_name: '' }, { slot: '' });
    const later = await enroll(id, { first_name: 'Bob' }, slot);
    const last = await enroll(id, { first_name: 'Eve' }, slot);
    const claims = await api.claims(id, { limit: 3, ...render });
    assert.deepEqual(
      claims.map(({ contact }) => contact.id),
      [good, later, last],
    );
    const states = await Promise.all([nameless, both].map(enrollment));
    assert.deepEqual(
      states.map(({ status, reason, attempts, lease_expires_at }) => ({
        status,
        reason,
        attempts,
        lease_expires_at,
      })),
      [['first_name'], ['first_name', 'slot']].map((holes) => ({
        status: 'blocked',
        reason: { code: 'missing_values', holes },
        attempts: 0,
        lease_expires_at: null,
      })),
    );
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 3, blocked: 2 }));
    const listed = await api.request('GET', `/campaigns/${id}/enrollments?status=blocked&sort=contact`);
    assert.deepEqual(
      listed.map((each: Json) => each.contact_id),
      [nameless, both],
    );
    const { body } = await api.claim(id, render);
    assert.deepEqual([body.data.claims, body.data.version], [[], null]);
  });

  test('Many blocked contacts at the front of the queue do not keep a claim from the next one', async () => {
    const { id } = await makeCampaign();
    await makeContacts(service, 150, 'nameless');
    await api.request('POST', `/campaigns/${id}/enrollments`, {
      tag: 'nameless',
      variables: { slot: 'ten' },
    });
    const good = await enroll(id, { first_name: 'Ada' }, { slot: 'ten' });
    const claims = await api.claims(id, { limit: 1, ...render });
    assert.deepEqual(
      claims.map(({ contact }) => contact.id),
      [good],
    );
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 1, blocked: 150 }));
  });

  test('The start check names exactly the contacts that a claim blocks, before and after it', async () => {
    await makeField(service, 'plan', 'text');
    const { id } = await makeCampaign('{{first_name}} {{plan}} {{company|none}} {{fields.plan}} {{slot}}');
    const slot = { slot: 'ten' };
    await enroll(id, { first_name: 'Ada', fields: { plan: 'gold' } }, slot);
    const own = await enroll(id, { first_name: 'Bob' }, { plan: 'own', ...slot });
    const empty = await enroll(id, { display_name: 'Nameless', fields: { plan: 'gold' } });
    const done = await enroll(id, {});
    await api.report(id, done, { status: 'completed' });
    const expected = new Map([
      [own, ['Bob', ['fields.plan']]],
      [empty, ['Nameless', ['first_name', 'slot']]],
    ]);
    const check = () => api.request('GET', `/campaigns/${id}/start-check`);
    const found = async () => {
      const { ready, blocked, missing_values } = await check();
      assert.equal(ready, false);
      assert.deepEqual([blocked.count, blocked.is_complete], [2, true]);
      assert.deepEqual(
        new Set(missing_values.map((each: Json) => [each.name, each.contacts_without_value].join())),
        new Set(['fields.plan,1', 'first_name,1', 'slot,1']),
      );
      return new Map(
        blocked.contacts.map((each: Json) => [each.contact_id, [each.contact_name, each.holes]]),
      );
    };
    assert.deepEqual(await found(), expected);
    assert.equal((await api.claims(id, { limit: 5, ...render })).length, 1);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 1, blocked: 2, completed: 1 }));
    assert.deepEqual(await found(), expected);
  });

  test('The start check counts all blocked contacts and shows the first hundred', async () => {
    const { id } = await makeCampaign('{{first_name}}');
    await makeContacts(service, 120, 'unnamed');
    await api.request('POST', `/campaigns/${id}/enrollments`, { tag: 'unnamed' });
    const { blocked } = await api.request('GET', `/campaigns/${id}/start-check`);
    assert.deepEqual([blocked.count, blocked.is_complete, blocked.contacts.length], [120, true, 100]);
  });

  test('A retried claim has the same instructions, although the contact and the version have changed', async () => {
    const { id, agent, version } = await makeCampaign();
    const contact = await enroll(id, { first_name: 'Scarlet Canary' }, { slot: 'ten' });
    const key = withIdempotencyKey('claim rendered');
    const first = await api.claim(id, render, key);
    await service.patch(`/v1/contacts/${contact}`, { first_name: 'Bob', company: 'New' });
    await api.report(id, contact, { variables: { slot: 'noon' } });
    await service.patch(`/v1/agents/${agent.id}`, { instructions: 'Another text.' });
    await markDeployed(service.database, agent.id, 3);
    const again = await api.claim(id, render, key);
    assert.deepEqual([isReplay(first), isReplay(again)], [false, true]);
    const [[one], [other]] = [first, again].map(({ body }) => body.data.claims) as [Json[], Json[]];
    assert.equal(one?.instructions, 'Call Scarlet Canary of a company about ten. {{not a variable}} ');
    for (const name of ['instructions', 'sha256', 'version', 'claim_id'])
      assert.deepEqual(other?.[name], one?.[name], name);
    assert.equal(other?.contact.first_name, 'Bob');
    assert.equal(again.body.data.version.id, version);
    for (const table of ['retries', 'events', 'audit_entries', 'contact_changes'])
      assert.doesNotMatch(
        JSON.stringify(await service.database.query(`select * from ${table}`)),
        /Scarlet Canary of/,
        table,
      );
    assert.doesNotMatch(
      JSON.stringify(await service.database.query('select answer from retries')),
      /Scarlet/,
    );
    assert.equal((await service.delete(`/v1/contacts/${contact}`)).status, 200);
    assert.deepEqual((await api.claim(id, render, key)).body.data.claims, []);
    const left = await service.database.query('select 1 from renderings where contact_id = ?', contact);
    assert.deepEqual(left, []);
  });

  test('A claim and its retry leave unknown names as they are written, also when they are known meanwhile', async () => {
    const { id } = await makeCampaign('{{first_name}} of {{company|a company}}: {{typo}} {{typo|x}}');
    await enroll(id, { first_name: 'Ada' });
    const key = withIdempotencyKey('claim unknown');
    const [claim] = (await api.claim(id, render, key)).body.data.claims;
    assert.equal(claim.instructions, 'Ada of a company: {{typo}} {{typo|x}}');
    await makeField(service, 'typo', 'text');
    assert.deepEqual((await api.claim(id, render, key)).body.data.claims, [claim]);
  });

  test('Two claimers block each contact once and hand out each other contact once', async () => {
    const { id } = await makeCampaign();
    const people = [];
    for (let at = 0; at < 24; at++)
      people.push(await enroll(id, at % 3 === 0 ? {} : { first_name: `P${at}` }, { slot: 'ten' }));
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => api.claims(id, { limit: 4, ...render })),
    );
    const more = await api.claims(id, { limit: 24, ...render });
    const claimed = [...replies.flat(), ...more].map(({ contact }) => contact.id);
    assert.equal(new Set(claimed).size, claimed.length);
    assert.equal(claimed.length, 16);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 16, blocked: 8 }));
  });
});
