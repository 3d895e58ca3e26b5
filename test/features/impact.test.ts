import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  makeChannel,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { makeLegacyContact } from '../kit/fixtures/legacy-contacts.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const EVERYTHING = [
  ...['agents', 'agent_versions', 'deploys', 'channels', 'campaigns', 'enrollments'],
  ...['contacts', 'calls', 'tallies'],
];

onEveryEngine('Impact of a deploy', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const impactOf = async (agent: string, version: string | undefined) => {
    const path = `/agents/${agent}/versions/${version}/impact`;
    const reply = await assertTablesUnchanged(service, EVERYTHING, () => owner.call('GET', path));
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  const changesOf = ({ difference }: Json) => difference.hunks.flatMap(({ changes }: Json) => changes);
  const makeCampaign = async (agent: string, name: string, status: string, contacts: Json[] = []) => {
    const made = await owner.request('POST', '/campaigns', { name, agent_id: agent, status }, 201);
    const contact_ids = contacts.map(({ id }) => id);
    if (contacts.length > 0)
      await owner.request('POST', `/campaigns/${made.id}/enrollments`, { contact_ids });
    return { id: made.id, name };
  };
  const connect = async (agent: string, fields: Json) => {
    const channel = await makeChannel(owner, fields);
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent });
    const { id, kind, name, address } = channel;
    return { id, kind, name, address };
  };

  test('The impact of an agent without channels is only the text', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.\nTwo.');
    const impact = await impactOf(id, versions[0]);
    const { created_at, ...version } = impact.version;
    assert.deepEqual(version, { id: versions[0], version_label: 'v1', deployment_status: 'draft' });
    assert.equal(created_at, (await service.get(`/v1/agents/${id}`)).body.data.versions[0].created_at);
    assert.deepEqual(impact, {
      version: impact.version,
      deployed_version: null,
      channels: [],
      campaigns: [],
      enrolled_contacts: 0,
      difference: impact.difference,
      variables: [],
      is_complete: true,
      unknown_variables: [],
    });
    assert.deepEqual([impact.difference.added, impact.difference.removed], [2, 0]);
    assert.deepEqual(changesOf(impact), [{ change: 'added', lines: ['One.', 'Two.'] }]);
  });

  test('The impact names the channels that will switch', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const [first, second] = versions as [string, string];
    const other = await makeAgentWithVersions(service, 'Other.');
    const phone = await connect(id, { name: 'Front desk' });
    const chat = await connect(id, { kind: 'web_chat', name: 'Shop', address: 'shop.example' });
    await connect(other.id, { name: 'Not this one' });
    await makeChannel(owner, { name: 'Without an agent' });
    const gone = await connect(id, { name: 'Disconnected' });
    await owner.request('DELETE', `/channels/${gone.id}/agent`);
    assert.deepEqual((await impactOf(id, first)).channels, [chat, phone], 'the first deploy is a switch too');
    await deploy(owner, id, first);
    const { channels, deployed_version } = await impactOf(id, second);
    assert.deepEqual(channels, [chat, phone]);
    assert.deepEqual(deployed_version, { id: first, version_label: 'v1' });
    assert.deepEqual((await impactOf(id, first)).channels, [], 'what they hear already changes nothing');
  });

  test('The impact names active campaigns and counts each of their contacts once', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.');
    const other = await makeAgentWithVersions(service, 'Other.');
    const contacts: Json[] = [];
    for (let at = 0; at < 5; at++) contacts.push(await makeContact(service));
    const spring = await makeCampaign(id, 'Spring', 'active', contacts.slice(0, 3));
    const summer = await makeCampaign(id, 'Summer', 'active', contacts.slice(1, 4));
    const empty = await makeCampaign(id, 'Empty', 'active');
    await makeCampaign(id, 'Draft', 'draft', contacts);
    await makeCampaign(id, 'Paused', 'paused', contacts);
    const finished = await makeCampaign(id, 'Finished', 'active', contacts);
    await owner.request('PATCH', `/campaigns/${finished.id}`, { status: 'finished' });
    await makeCampaign(other.id, 'Of another agent', 'active', contacts);
    const { campaigns, enrolled_contacts } = await impactOf(id, versions[0]);
    assert.deepEqual(campaigns, [empty, summer, spring]);
    assert.equal(enrolled_contacts, 4);
    await owner.request('PATCH', `/campaigns/${summer.id}`, { status: 'paused' });
    assert.equal((await impactOf(id, versions[0])).enrolled_contacts, 3);
    assert.equal((await service.delete(`/v1/contacts/${contacts[0].id}`)).status, 200);
    assert.equal((await impactOf(id, versions[0])).enrolled_contacts, 2);
  });

  test('The impact compares the text with the deployed version, not with the previous one', async () => {
    const { id, versions } = await makeAgentWithVersions(
      service,
      'Hello.\nStay.\n',
      'Not deployed.',
      'Hi.\nStay.\nBye.\n',
    );
    const [first, , third] = versions as [string, string, string];
    await deploy(owner, id, first);
    const impact = await impactOf(id, third);
    assert.deepEqual([impact.difference.added, impact.difference.removed], [2, 1]);
    assert.deepEqual(changesOf(impact), [
      { change: 'removed', lines: ['Hello.'] },
      { change: 'added', lines: ['Hi.'] },
      { change: 'same', lines: ['Stay.'] },
      { change: 'added', lines: ['Bye.'] },
    ]);
    assert.match(impact.difference.unified, /^--- v1\n\+\+\+ v3\n/);
    const same = (await impactOf(id, first)).difference;
    assert.deepEqual([same.added, same.removed], [0, 0]);
  });

  test('The impact counts for each variable the enrolled contacts without a value', async () => {
    const text = `Dear {{first_name}} {{ last_name }} of {{company}}, {{  email\t}}, {{first_name}}.
      {{tags}} {{crm_ids}} {{phone_number}} {{display_name}} {{notes}} {{weather}} {{constructor}}`;
    const { id, versions } = await makeAgentWithVersions(service, 'No variable.', text);
    const contacts = [
      await makeContact(service, { first_name: 'Ada', last_name: 'L', tags: ['vip'] }),
      await makeContact(service, { first_name: 'Bob', email: 'bob@example.com', last_name: '' }),
      (await makeLegacyContact(service, 'none', { first_name: '', notes: ' ' })).contact,
    ];
    await makeContact(service);
    await makeCampaign(id, 'One', 'active', contacts);
    await makeCampaign(id, 'Two', 'active', contacts.slice(0, 1));
    assert.deepEqual((await impactOf(id, versions[1])).variables, [
      { name: 'first_name', contacts_without_value: 1 },
      { name: 'last_name', contacts_without_value: 2 },
      { name: 'company', contacts_without_value: 3 },
      { name: 'email', contacts_without_value: 2 },
      { name: 'tags', contacts_without_value: 2 },
      { name: 'crm_ids', contacts_without_value: 3 },
      { name: 'phone_number', contacts_without_value: 0 },
      { name: 'display_name', contacts_without_value: 3 },
      { name: 'notes', contacts_without_value: 2 },
    ]);
    assert.deepEqual((await impactOf(id, versions[0])).variables, []);
  });

  test('The impact counts missing values of fields and declared variables, but none with a fallback', async () => {
    await makeField(service, 'plan', 'text');
    const text = '{{plan}} {{fields.plan|none}} {{slot}} {{first_name|you}}';
    const { id, versions } = await makeAgentWithVersions(service, text);
    await owner.request('PUT', `/agents/${id}/variables`, { variables: [{ name: 'slot' }] });
    const contacts = [await makeContact(service, { fields: { plan: 'gold' } }), await makeContact(service)];
    const one = await makeCampaign(id, 'One', 'active', contacts);
    await makeCampaign(id, 'Two', 'active', contacts.slice(0, 1));
    const of = (contact: Json) => `/campaigns/${one.id}/enrollments/${contact.id}`;
    await owner.request('PATCH', of(contacts[1]), { variables: { slot: 'Tuesday' } });
    const expected = [
      { name: 'plan', contacts_without_value: 1 },
      { name: 'fields.plan', contacts_without_value: 0 },
      { name: 'slot', contacts_without_value: 1 },
      { name: 'first_name', contacts_without_value: 0 },
    ];
    assert.deepEqual((await impactOf(id, versions[0])).variables, expected);
    await owner.request('PATCH', of(contacts[1]), { status: 'failed' });
    const [plan] = (await impactOf(id, versions[0])).variables;
    assert.deepEqual(plan, { name: 'plan', contacts_without_value: 0 });
  });

  test('The impact lists variables that are not contact fields, with suggestions', async () => {
    const text = 'Dear {{first_name}} {{last_nmae}}, how is {{weather}} in {{ city }? {email} {{last_nmae}}';
    const { id, versions } = await makeAgentWithVersions(service, text);
    const { variables, unknown_variables } = await impactOf(id, versions[0]);
    assert.deepEqual(variables, [{ name: 'first_name', contacts_without_value: 0 }]);
    assert.deepEqual(unknown_variables, [
      { placeholder: '{{last_nmae}}', suggestion: 'last_name' },
      { placeholder: '{{weather}}', suggestion: null },
      { placeholder: '{{ city }', suggestion: null },
      { placeholder: '{email}', suggestion: 'email' },
    ]);
  });
});
