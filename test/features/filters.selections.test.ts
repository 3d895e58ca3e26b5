import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Roster } from '../../sdk/src/index.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, KEY, onEveryEngine } from '../kit/service/test-service.ts';

const is = (attribute: string, op: string, value?: unknown) => ({ attribute, op, value });
/** Gold or a high score, with the tag `due`, without a company. */
const tree = {
  all: [
    is('tag', 'eq', 'due'),
    { any: [is('fields.plan', 'eq', 'gold'), is('fields.score', 'gt', 7)] },
    { not: is('company', 'is_set') },
  ],
};
const filters: Record<string, Json> = {
  'a tree': tree,
  'a tree among other members': { tag: 'due', filter: tree },
};

onEveryEngine('A filter of conditions selects the contacts of', (service) => {
  let owner: CheckedUser;
  let expected: string[];
  const idsIn = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
  const makeCampaign = async () => {
    const agent = await makeAgent(service);
    return owner.request('POST', '/campaigns', { name: 'Due', agent_id: agent.id }, 201);
  };
  const enrolledIn = async ({ id }: Json) =>
    (await owner.call('GET', `/campaigns/${id}/enrollments?limit=100`)).body.data.map(
      ({ contact_id }: Json) => contact_id,
    );

  before(async () => {
    owner = await signedInOwner(service);
    await makeField(service, 'plan', 'text', { filterable: true });
    await makeField(service, 'score', 'number', { filterable: true });
    const make = async (fields: Json, more: Json = {}) =>
      (await makeContact(service, { tags: ['due'], fields, ...more })).id as string;
    expected = [
      await make({ plan: 'gold' }),
      await make({ score: 7.5 }),
      await make({ plan: 'gold', score: 9 }),
    ];
    await make({ plan: 'Gold', score: 7 });
    await make({ plan: 'gold' }, { tags: [] });
    await make({ score: 8 }, { company: 'Acme' });
    await make({});
  });

  for (const [name, filter] of Object.entries(filters)) {
    test(`bulk jobs, also of exports: ${name}`, async () => {
      const selection = { filter };
      const tagged = await runBulkJob(owner, { action: 'tag', selection, add: [`by ${name}`] });
      assert.deepEqual([tagged.status, tagged.total, tagged.changed], ['done', 3, 3]);
      const list = await service.get(`/v1/contacts?tag=${encodeURIComponent(`by ${name}`)}`);
      assert.deepEqual(list.body.data.map(({ id }: Json) => id).reverse(), expected);
      const { id, total } = await runBulkJob(owner, { action: 'export', selection });
      assert.equal(total, 3);
      const file = await owner.call('GET', `/bulk-jobs/${id}/export?format=jsonl`);
      assert.deepEqual(idsIn(file.text), expected);
      const campaign = await makeCampaign();
      const enrolled = await runBulkJob(owner, { action: 'enroll', selection, campaign_id: campaign.id });
      assert.deepEqual([enrolled.status, enrolled.total], ['done', 3]);
      assert.deepEqual((await enrolledIn(campaign)).sort(), [...expected].sort());
    });

    test(`enrollments: ${name}`, async () => {
      const campaign = await makeCampaign();
      const reply = await owner.call('POST', `/campaigns/${campaign.id}/enrollments`, { filter });
      assert.equal(reply.body.data?.enrolled, 3, reply.text);
      assert.deepEqual((await enrolledIn(campaign)).sort(), [...expected].sort());
    });
  }

  test('exports', async () => {
    const query = new URLSearchParams({ format: 'jsonl', filter: JSON.stringify(tree) });
    const reply = await service.get(`/v1/contacts/export?${query}`);
    assert.deepEqual(idsIn(reply.text), expected);
  });

  test('lists and exports of the SDK, where the filter is an object', async () => {
    const { contacts } = new Roster({ baseUrl: service.url, apiKey: KEY });
    const filter = { all: [is('tag', 'eq', 'due'), is('fields.score', 'gte', 7.5)] } as const;
    const found = await contacts.list({ filter: filter as never, sort: 'created_at', limit: 1 }).all();
    assert.deepEqual(
      found.map(({ id }) => id),
      [...expected.slice(1), found.at(-1)?.id],
    );
    const file = await contacts.export({
      filter: { not: { attribute: 'tag', op: 'is_set' } },
      format: 'jsonl',
    });
    assert.equal(idsIn(await file.text()).length, 1);
  });

  test('no request if a field does not exist: the problem has the path that the request has', async () => {
    const nope = { all: [is('fields.nope', 'is_set')] };
    const campaign = await makeCampaign();
    const jobs = (filter: Json) => service.post('/v1/bulk-jobs', { action: 'delete', selection: { filter } });
    const enrollments = (filter: Json) =>
      owner.call('POST', `/campaigns/${campaign.id}/enrollments`, { filter });
    assertInvalid(await jobs(nope), 'selection.filter.all[0].attribute');
    assertInvalid(await jobs({ tag: 'x', filter: nope }), 'selection.filter.filter.all[0].attribute');
    assertInvalid(await enrollments(nope), 'filter.all[0].attribute');
    assertInvalid(await enrollments({ tag: 'x', filter: nope }), 'filter.filter.all[0].attribute');
    const segment = await service.post('/v1/segments', {
      name: 'Plans',
      filter: is('fields.plan', 'is_set'),
    });
    await service.database.query(`update contact_fields set archived_at = created_at where key = 'plan'`);
    const query = new URLSearchParams({
      segment: segment.body.data.id,
      filter: JSON.stringify(is('tag', 'is_set')),
    });
    assertInvalid(await service.get(`/v1/contacts?${query}`), 'segment.attribute');
    await service.database.query(`update contact_fields set archived_at = null where key = 'plan'`);
  });

  test('no segment with an unknown field, and only readers of contacts learn which fields there are', async () => {
    const segment = { name: 'Nope', filter: is('fields.nope', 'is_set') };
    const reader = await createScopedKey(service.database, 'contacts:read', 'contacts:write');
    const writer = await createScopedKey(service.database, 'contacts:write');
    assert.match((await service.post('/v1/segments', segment, { key: reader })).text, /fields\.plan/);
    const refused = await service.post('/v1/segments', segment, { key: writer });
    assertInvalid(refused, 'filter.attribute');
    assert.doesNotMatch(refused.text, /plan|score/);
  });
});
