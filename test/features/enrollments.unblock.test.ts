import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { signedInOwner } from '../kit/fixtures/agents.ts';
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
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

onEveryEngine('Blocked enrollments', (service) => {
  let api: CampaignApi;
  before(async () => {
    api = await campaignApi(service);
    for (const key of ['plan', 'tier']) await makeField(service, key, 'text');
  });

  /** An active campaign in which a claim has blocked the contacts with a hole. */
  const blockedCampaign = async (instructions: string, ...people: Record<string, unknown>[]) => {
    const { id, agent } = await makeActiveCampaign(service, api, 0);
    await service.patch(`/v1/agents/${agent.id}`, { instructions });
    await service.call('PUT', `/v1/agents/${agent.id}/variables`, { variables: [{ name: 'slot' }] });
    await markDeployed(service.database, agent.id, 2);
    const contacts: string[] = [];
    for (const fields of people) contacts.push((await makeContact(service, fields)).id);
    await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: contacts });
    assert.deepEqual(await api.claims(id, { limit: 100, render: true }), []);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ blocked: people.length }));
    return { id, agent, contacts };
  };
  const enrolled = async (id: string) => (await api.request('GET', `/campaigns/${id}`)).enrolled;
  const enrollment = async (id: string, contact: string): Promise<Json> =>
    (await api.request('GET', `/contacts/${contact}/enrollments`)).find(
      (each: Json) => each.campaign_id === id,
    );
  const becomes = (id: string, contact: string, status: string) =>
    eventually(`${contact} is ${status}`, async () => (await enrollment(id, contact)).status === status);
  const jobs = (id: string) =>
    service.database.query(`select kind from jobs where subject = ? and kind = 'campaign.following'`, id);

  test('A blocked contact returns to the queue when a value arrives, and others stay blocked', async () => {
    const { id, contacts } = await blockedCampaign('{{first_name}} {{plan}}', {}, { first_name: 'Ada' });
    const [nameless, ada] = contacts as [string, string];
    await service.patch(`/v1/contacts/${ada}`, { fields: { plan: 'gold' } });
    await becomes(id, ada, 'pending');
    await service.patch(`/v1/contacts/${nameless}`, { fields: { plan: 'tin' }, last_name: 'L' });
    await eventually('the reason names only what is missing now', async () => {
      const { status, reason } = await enrollment(id, nameless);
      assert.equal(status, 'blocked');
      return reason.holes.length === 1 && reason.holes[0] === 'first_name';
    });
    const [claim] = await api.claims(id, { limit: 5, render: true });
    assert.equal(claim?.instructions, 'Ada gold');
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 1, blocked: 1 }));
    await service.patch(`/v1/contacts/${nameless}`, { first_name: 'Eve' });
    await becomes(id, nameless, 'pending');
    const [other] = await api.claims(id, { limit: 5, render: true });
    assert.equal(other?.instructions, 'Eve tin');
    await eventually('the job ends with the last blocked contact', async () => (await jobs(id)).length === 0);
  });

  test('Another version, or another declaration of variables, unblocks all who have no hole then', async () => {
    const owner = await signedInOwner(service);
    const { id, agent, contacts } = await blockedCampaign(
      '{{first_name}} {{slot}}',
      {},
      { first_name: 'Ada' },
    );
    const [nameless, ada] = contacts as [string, string];
    await service.patch(`/v1/agents/${agent.id}`, { instructions: 'Hello {{first_name}}.' });
    const { versions } = (await service.get(`/v1/agents/${agent.id}`)).body.data;
    await owner.request('POST', `/agents/${agent.id}/versions/${versions[0].id}/deploy`);
    await becomes(id, ada, 'pending');
    assert.deepEqual((await enrollment(id, nameless)).reason.holes, ['first_name']);
    assert.equal((await enrollment(id, nameless)).status, 'blocked');
  });

  test('A field that is restored unblocks the contacts with a value', async () => {
    const owner = await signedInOwner(service);
    await owner.request('PATCH', '/fields/tier', { archived: true });
    const people = [{ first_name: 'Ada' }, { first_name: 'Bob' }];
    const { id, contacts } = await blockedCampaign('{{tier}}', ...people);
    const [ada, bob] = contacts as [string, string];
    await service.database.query('update contacts set fields = ? where id = ?', '{"tier":"gold"}', ada);
    await eventually('the job waits for events', async () => {
      const [job] = await service.database.query('select due_at from jobs where subject = ?', id);
      return String(job?.due_at) > new Date(Date.now() + 3_600_000).toISOString();
    });
    await owner.request('PATCH', '/fields/tier', { archived: false });
    await becomes(id, ada, 'pending');
    assert.equal((await enrollment(id, bob)).status, 'blocked');
  });

  test('No value that arrives while claims block is lost', async () => {
    const { id, contacts } = await blockedCampaign('{{first_name}}', {});
    const [first] = contacts as [string];
    const others = await makeContacts(service, 24, `late ${id}`);
    await api.request('POST', `/campaigns/${id}/enrollments`, { tag: `late ${id}` });
    const named = async (contact: string) => service.patch(`/v1/contacts/${contact}`, { first_name: 'Late' });
    const claimed: Json[] = [];
    const claim = async () => claimed.push(...(await api.claims(id, { limit: 2, render: true })));
    await Promise.all([...others.map(named), ...Array.from({ length: 8 }, claim), named(first)]);
    await eventually('everyone is claimed', async () => {
      await claim();
      return claimed.length === 25;
    });
    assert.equal(new Set(claimed.map(({ contact }) => contact.id)).size, 25);
    assert.ok(claimed.every(({ instructions }) => instructions === 'Late'));
    assert.deepEqual(await enrolled(id), enrollmentCounts({ in_progress: 25 }));
  });

  test('A blocked contact stays blocked without a change of its values, and the job writes nothing', async () => {
    const { id, contacts } = await blockedCampaign('{{first_name}}', {});
    const [contact] = contacts as [string];
    const { updated_at } = await enrollment(id, contact);
    await service.patch(`/v1/contacts/${contact}`, { last_name: 'Only' });
    const position = async () =>
      Number(
        (await service.database.query('select followed_until from campaigns where id = ?', id))[0]
          ?.followed_until ?? 0,
      );
    const newest = async () =>
      Number((await service.database.query('select max(seq) as seq from events'))[0]?.seq);
    await eventually('the job has read the feed', async () => (await position()) >= (await newest()));
    const { status, updated_at: then } = await enrollment(id, contact);
    assert.deepEqual([status, then], ['blocked', updated_at]);
  });
});
