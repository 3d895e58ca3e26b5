import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openSnapshot } from '../../src/db/open/snapshot.ts';
import { verify } from '../../src/features/verify/verify.ts';
import { actualCounts, storedCounts } from '../kit/database/counters.ts';
import { type CampaignApi, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

/** The outcomes that a campaign counts by name. */
const MAX_OUTCOMES = 50;

onEveryEngine('Results of a campaign', (service) => {
  let api: CampaignApi;
  before(async () => {
    api = await campaignApi(service);
    for (const key of ['plan', 'tier']) await makeField(service, key, 'text');
  });

  const results = async (id: string) => {
    const { outcomes, missing_values } = await api.request('GET', `/campaigns/${id}/progress?days=1`);
    return { outcomes, missing_values };
  };
  const outcome = (outcome: string | null, counts: Record<string, number>) => ({
    outcome,
    ...enrollmentCounts(counts),
  });
  const report = async (id: string, contact: string, body: object): Promise<void> => {
    const reply = await api.report(id, contact, body);
    assert.equal(reply.status, 200, reply.text);
  };
  const remaining = (id: string) =>
    service.database.query(
      'select list from tallies where list like ? or list like ?',
      `results@${id}/%`,
      `missing@${id}/%`,
    );

  const assertCorrect = async (): Promise<void> => {
    assert.deepEqual(await storedCounts(service.database), await actualCounts(service.database));
    const snapshot = await openSnapshot(service.database.database);
    try {
      for await (const { name, count, examples } of verify(snapshot, { onStart: () => {} }))
        if (name === 'stored counters match the rows') assert.equal(count, 0, String(examples));
    } finally {
      await snapshot.close();
    }
  };

  test('The progress counts the last outcome of each contact by status', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 5);
    const [one, two, three, four, five] = contacts as [string, string, string, string, string];
    assert.deepEqual(await results(id), { outcomes: [], missing_values: [] });
    await report(id, one, { status: 'completed', outcome: 'booked' });
    await report(id, two, { status: 'completed', outcome: 'booked' });
    await report(id, three, { status: 'pending', outcome: 'no answer/busy' });
    await report(id, four, { status: 'failed', outcome: 'booked' });
    await report(id, five, { status: 'completed' });
    assert.deepEqual((await results(id)).outcomes, [
      outcome('booked', { completed: 2, failed: 1 }),
      outcome('no answer/busy', { pending: 1 }),
    ]);
    await assertCorrect();

    // A claim, another status, another outcome and none.
    await api.claims(id);
    await report(id, four, { status: 'completed' });
    await report(id, one, { outcome: 'called back' });
    await report(id, two, { outcome: null });
    assert.deepEqual((await results(id)).outcomes, [
      outcome('booked', { completed: 1 }),
      outcome('called back', { completed: 1 }),
      outcome('no answer/busy', { in_progress: 1 }),
    ]);
    await assertCorrect();
  });

  test('Deleting enrollments, contacts and campaigns removes their outcomes and leaves no text of them', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 3);
    const [one, two, three] = contacts as [string, string, string];
    for (const contact of contacts)
      await report(id, contact, { status: 'failed', outcome: `moved ${contact}` });
    assert.equal((await results(id)).outcomes.length, 3);
    await api.request('DELETE', `/campaigns/${id}/enrollments/${one}`);
    assert.equal((await service.delete(`/v1/contacts/${two}`)).status, 200);
    assert.deepEqual((await results(id)).outcomes, [outcome(`moved ${three}`, { failed: 1 })]);
    assert.equal((await remaining(id)).length, 1);
    await assertCorrect();
    await api.request('DELETE', `/campaigns/${id}`);
    await eventually('the counters are gone', async () => (await remaining(id)).length === 0);
  });

  test('Outcomes after the first fifty are counted together, until one of these is no longer used', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, MAX_OUTCOMES + 3);
    for (const [at, contact] of contacts.entries())
      await report(id, contact, { status: 'completed', outcome: `text ${at}` });
    const { outcomes } = await results(id);
    assert.equal(outcomes.length, MAX_OUTCOMES + 1);
    assert.deepEqual(outcomes.at(-1), outcome(null, { completed: 3 }));
    const [first, last] = [contacts[0] as string, contacts.at(-1) as string];
    await report(id, last, { status: 'failed' });
    assert.deepEqual((await results(id)).outcomes.at(-1), outcome(null, { completed: 2, failed: 1 }));
    await report(id, first, { outcome: 'text 1' });
    await report(id, last, { outcome: 'a new text' });
    const after: Json[] = (await results(id)).outcomes;
    assert.deepEqual(after[0], outcome('text 1', { completed: 2 }));
    assert.deepEqual(
      after.find((each) => each.outcome === 'a new text'),
      outcome('a new text', { failed: 1 }),
    );
    assert.deepEqual(after.at(-1), outcome(null, { completed: 2 }));
    await assertCorrect();
  });

  test('The progress counts blocked contacts by the values that they lack', async () => {
    const { id, agent } = await makeActiveCampaign(service, api, 0);
    await service.patch(`/v1/agents/${agent.id}`, { instructions: '{{plan}} {{tier}} {{first_name}}' });
    await markDeployed(service.database, agent.id, 2);
    const people = [{ first_name: 'Ada' }, { fields: { tier: 'one' } }, { fields: { plan: 'gold' } }];
    const ids: string[] = [];
    for (const fields of people) ids.push((await makeContact(service, fields)).id);
    await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: ids });
    assert.deepEqual(await api.claims(id, { limit: 10, render: true }), []);
    const missing = async () =>
      Object.fromEntries((await results(id)).missing_values.map((each: Json) => [each.name, each.contacts]));
    assert.deepEqual(await missing(), { first_name: 2, plan: 2, tier: 2 });
    await assertCorrect();
    await service.patch(`/v1/contacts/${ids[1]}`, { first_name: 'Bo' });
    await eventually('the reason names one value', async () => (await missing()).first_name === 1);
    await service.patch(`/v1/contacts/${ids[0]}`, { fields: { plan: 'tin', tier: 'two' } });
    await eventually('the contact is not counted', async () => (await missing()).tier === 1);
    assert.deepEqual(await missing(), { first_name: 1, plan: 1, tier: 1 });
    await api.request('DELETE', `/campaigns/${id}/enrollments/${ids[2]}`);
    assert.deepEqual(await missing(), { plan: 1 });
    await assertCorrect();
  });
});
