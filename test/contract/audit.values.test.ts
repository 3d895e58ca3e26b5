import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel } from '../kit/fixtures/calls.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Old and new values', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  const newest = async (action: string, key?: string): Promise<Json> =>
    key === undefined
      ? (await owner.request('GET', `/audit?limit=1&action=${action}`))[0]
      : (await service.get(`/v1/audit?limit=1&action=${action}`, { key })).body.data[0];
  const listOf = ({ changes: { before, after } }: Json) =>
    Object.keys(after).map((name) => [name, before[name], after[name]]);
  const changesOf = async (action: string) => listOf(await newest(action));

  test('The audit log shows settings, roles, agents, fields and integrations before and after', async () => {
    await owner.request('PATCH', '/settings', { default_country: 'DE', time_zone: 'Europe/Berlin' });
    await owner.request('PATCH', '/settings', { default_country: 'FR', time_zone: 'Europe/Berlin' });
    const entry = await newest('settings.updated');
    assert.deepEqual(entry.fields.toSorted(), ['default_country', 'time_zone']);
    assert.deepEqual(listOf(entry), [['default_country', 'DE', 'FR']]);

    const user = await owner.request('POST', '/users', { email: 'kim@example.com', role: 'member' }, 201);
    await owner.request('PATCH', `/users/${user.id}`, { role: 'owner' });
    assert.deepEqual(await changesOf('user.updated'), [['role', 'member', 'owner']]);
    const reader = await createScopedKey(service.database, 'audit:read');
    assert.equal((await newest('user.updated', reader)).changes, null);

    const agent = await makeDeployedAgent(owner, 'Desk');
    await owner.request('PATCH', `/agents/${agent.id}`, { name: 'Front desk', description: 'Answers.' });
    assert.deepEqual(await changesOf('agent.updated'), [
      ['name', 'Desk', 'Front desk'],
      ['description', null, 'Answers.'],
    ]);

    const field = { key: 'tier', label: 'Tier', type: 'enum', options: ['a'] };
    await owner.request('POST', '/fields', field, 201);
    await owner.request('PATCH', '/fields/tier', { label: 'Level', options: ['a', 'b'] });
    assert.deepEqual(await changesOf('field.updated'), [
      ['label', 'Tier', 'Level'],
      ['options', ['a'], ['a', 'b']],
    ]);
  });

  test('Records that a channel or campaign refers to are shown by their names', async () => {
    const [one, two] = [await makeDeployedAgent(owner, 'One'), await makeDeployedAgent(owner, 'Two')];
    const { id } = await makePhoneChannel(owner, one);
    await owner.request('PUT', `/channels/${id}/agent`, { agent_id: two.id });
    const shown = (agent: Json, name: string) => ({ id: agent.id, name, deleted: false });
    const agents = ['agent_id', shown(one, 'One'), shown(two, 'Two')];
    assert.deepEqual(await changesOf('channel.connected'), [agents]);

    const campaign = await owner.request('POST', '/campaigns', { name: 'May', agent_id: one.id }, 201);
    const path = `/campaigns/${campaign.id}`;
    const segment = await owner.request(
      'POST',
      '/segments',
      { name: 'Everyone', filter: { all: [] }, shared: true },
      201,
    );
    const audience = { segment_id: segment.id, mode: 'live' };
    await owner.request('PATCH', path, { agent_id: two.id, audience });
    const aimed = { segment_id: { id: segment.id, name: 'Everyone', deleted: false }, mode: 'live' };
    assert.deepEqual(await changesOf('campaign.updated'), [agents, ['audience', null, aimed]]);
    await owner.request('PUT', `${path}/schedule`, { max_attempts: 3 });
    assert.deepEqual(await changesOf('campaign.updated'), [['max_attempts', null, 3]]);
  });

  test('Secrets and the paths of webhooks are never stored with their values', async () => {
    const { id } = await makePhoneChannel(owner, await makeDeployedAgent(owner, 'Three'));
    const token = 'platform-token-0123456789';
    await owner.request('PATCH', `/channels/${id}`, { name: 'Main line', platform_secret: token });
    const entry = await newest('channel.updated');
    assert.deepEqual(entry.fields, ['name', 'platform_secret']);
    assert.deepEqual(listOf(entry), [['name', 'Line', 'Main line']]);

    const url = (host: string, path: string) => `https://${host}.example.com/hooks/${path}`;
    const hook = await owner.request('POST', '/webhooks', { url: url('one', 'T0PSECRET1') }, 201);
    await owner.request('PATCH', `/webhooks/${hook.id}`, {
      url: url('two', 'T0PSECRET2'),
      types: ['contact.created'],
    });
    assert.deepEqual(await changesOf('webhook.updated'), [
      ['url', 'https://one.example.com', 'https://two.example.com'],
      ['types', null, ['contact.created']],
    ]);
    await owner.request('PATCH', `/webhooks/${hook.id}`, { url: url('two', 'T0PSECRET3') });
    const moved = await newest('webhook.updated');
    assert.deepEqual([moved.fields, listOf(moved)], [['url'], []]);
    const stored = JSON.stringify(await service.database.query('select fields, counts from audit_entries'));
    assert.doesNotMatch(stored, /T0PSECRET|platform-token/);

    const reader = await createScopedKey(service.database, 'audit:read');
    assert.equal((await newest('webhook.updated', reader)).changes, null);
    assert.equal(listOf(await newest('channel.updated', reader)).length, 1);
  });

  test('A contact has its values in its timeline, and neither in the audit log nor in the changes of events', async () => {
    const { id } = await owner.request(
      'POST',
      '/contacts',
      { phone_number: newPhone(), company: 'Oldtown' },
      201,
    );
    await owner.request('PATCH', `/contacts/${id}`, {
      company: 'Newtown',
      notes: 'é'.repeat(800),
      fields: { tier: 'b' },
    });
    // The creation can have the same time.
    const updated = async () =>
      (await owner.request('GET', `/contacts/${id}/timeline`)).entries.find(({ changes }: Json) => changes);
    assert.deepEqual(listOf(await updated()), [
      ['company', 'Oldtown', 'Newtown'],
      ['notes', null, `${'é'.repeat(500)}…`],
      ['fields.tier', null, 'b'],
    ]);
    assert.equal((await newest('contact.updated')).changes, null);
    const { query } = service.database;
    const audit = JSON.stringify(await query('select fields from audit_entries where subject = ?', id));
    assert.doesNotMatch(audit, /Oldtown|Newtown/);

    // Values of archived fields are hidden, and those of erased fields gone.
    await owner.request('DELETE', '/fields/tier');
    const after = await updated();
    assert.deepEqual(Object.keys(after.changes.after), ['company', 'notes']);
    assert.deepEqual(after.fields, ['company', 'notes', 'fields.tier']);

    await owner.request('DELETE', `/contacts/${id}`);
    assert.deepEqual(await query('select id from contact_changes where contact_id = ?', id), []);
  });
});
