import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { type ActiveCampaign, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { planCsv, waitForImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const DAY_MS = 86_400_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

onEveryEngine('What needs attention', (service) => {
  let owner: CheckedUser;
  let member: CheckedUser;
  const list = (user: CheckedUser): Promise<Json[]> => user.request('GET', '/attention');
  /** The kinds and ids that a user sees. */
  const seen = async (user: CheckedUser) => (await list(user)).map(({ kind, id }) => `${kind} ${id}`);
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    member = await checkedUser(service, await signedInUser(service, 'member@example.com', 'member'));
  });

  test('An empty workspace needs none', async () => {
    assert.deepEqual(await list(owner), []);
    assert.deepEqual(await list(member), []);
  });

  test('Webhooks, keys and integrations are listed for owners only, and no longer once they are well', async () => {
    const url = 'http://127.0.0.1:9/';
    const [disabled, failing] = [
      await owner.request('POST', '/webhooks', { url, status: 'paused' }, 201),
      await owner.request('POST', '/webhooks', { url }, 201),
    ];
    const set = (id: string, values: string) =>
      service.database.query(`update webhook_endpoints set ${values} where id = ?`, id);
    await set(disabled.id, `status = 'disabled', disabled_reason = 'Gone.'`);
    const since = inHours(-2);
    await set(failing.id, `failing_since = '${since}'`);
    const soon = new Date(Date.now() + 6 * DAY_MS).toISOString();
    const { id: key } = await owner.request(
      'POST',
      '/keys',
      { name: 'Nightly sync', expires_at: soon, scopes: ['contacts:read'] },
      201,
    );
    const later = new Date(Date.now() + 9 * DAY_MS).toISOString();
    await owner.request('POST', '/keys', { name: 'Late', expires_at: later, scopes: ['contacts:read'] }, 201);
    const crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    await owner.request('POST', `/integrations/${crm.id}/rotate-secret`, { grace_hours: 24 });
    const [first, second, third, fourth, ...more] = await list(owner);
    assert.deepEqual(more, []);
    assert.deepEqual([first.kind, first.id, first.name], ['webhook.disabled', disabled.id, url]);
    assert.deepEqual(second, { kind: 'webhook.failing', id: failing.id, name: url, at: since, count: null });
    assert.deepEqual(third, { kind: 'key.expiring', id: key, name: 'Nightly sync', at: soon, count: null });
    assert.deepEqual([fourth.kind, fourth.id, fourth.name], ['integration.old_secret', crm.id, 'CRM']);
    assert.deepEqual(await list(member), []);

    await set(failing.id, `failing_since = '${inHours(-0.5)}'`);
    await owner.request('DELETE', `/webhooks/${disabled.id}`);
    await owner.request('DELETE', `/keys/${key}`);
    await owner.request('DELETE', `/integrations/${crm.id}/old-secret`);
    assert.deepEqual(await list(owner), []);
    await owner.request('DELETE', `/webhooks/${failing.id}`);
  });

  test('A deployed agent without a channel, an old secret of a channel and a planned import are listed for everyone', async () => {
    await member.request('POST', '/agents', { name: 'Draft', instructions: 'Words.' }, 201);
    const agent = await makeDeployedAgent(owner, 'Alone');
    const csv = await planCsv(member, 'Phone\n+12125550141\n');
    await waitForImport(member, csv.id);
    const expected = [`import.planned ${csv.id}`, `agent.unconnected ${agent.id}`];
    assert.deepEqual(await seen(member), expected);
    assert.deepEqual(await seen(owner), expected);

    const line = await makePhoneChannel(owner, agent);
    await member.request('DELETE', `/imports/${csv.id}`);
    assert.deepEqual(await seen(member), []);
    await owner.request('POST', `/channels/${line.id}/rotate-secret`, { grace_hours: 24 });
    assert.deepEqual(await seen(member), [`channel.old_secret ${line.id}`]);
    await owner.request('DELETE', `/channels/${line.id}/old-secret`);
    assert.deepEqual(await seen(member), []);
  });

  test('At most five records of a kind are listed', async () => {
    const agents: Json[] = [];
    for (let at = 0; at < 6; at++) agents.push(await makeDeployedAgent(owner));
    assert.equal((await list(member)).length, 5);
    for (const { id } of agents) await owner.request('DELETE', `/agents/${id}`);
    assert.deepEqual(await list(member), []);
  });

  test('A campaign whose contacts nobody has claimed for an hour is stuck until someone claims one', async () => {
    const api = await campaignApi(service);
    const campaign: ActiveCampaign = await makeActiveCampaign(service, api, 2);
    await makePhoneChannel(owner, campaign.agent);
    assert.deepEqual(await seen(member), [], 'it has just begun');
    const age = async (hours: number) => {
      await service.database.query(
        'update campaigns set updated_at = ? where id = ?',
        inHours(hours),
        campaign.id,
      );
      await service.database.query(
        `update enrollments set enrolled_at = ? where campaign_id = ? and status = 'pending'`,
        inHours(hours),
        campaign.id,
      );
    };
    await age(-2);
    assert.deepEqual(await seen(member), [`campaign.stuck ${campaign.id}`]);
    await api.claims(campaign.id, { limit: 1 });
    assert.deepEqual(await seen(member), [], 'someone has claimed a contact');
    await service.database.query(
      `update audit_entries set at = ? where action = 'enrollment.claimed' and parent = ?`,
      inHours(-1.5),
      campaign.id,
    );
    const [stuck] = await list(member);
    assert.deepEqual([stuck.kind, stuck.at.slice(0, 10)], ['campaign.stuck', inHours(-1.5).slice(0, 10)]);

    const day = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7];
    const call_window = { days: [day], from: '08:00', to: '20:00' };
    await owner.request('PUT', `/campaigns/${campaign.id}/schedule`, { call_window });
    await age(-2);
    await eventually('the window is closed for all', async () => (await list(member)).length === 0);
    await owner.request('DELETE', `/campaigns/${campaign.id}`);
  });

  test('A campaign with blocked contacts is listed with their number', async () => {
    const api = await campaignApi(service);
    const campaign = await makeActiveCampaign(service, api, 3);
    await makePhoneChannel(owner, campaign.agent);
    const { id } = await member.request('PATCH', `/agents/${campaign.agent.id}`, {
      instructions: 'Hello {{company}}.',
    });
    const version = (await owner.request('GET', `/agents/${id}`)).versions[0].id;
    await owner.request('POST', `/agents/${id}/versions/${version}/deploy`);
    assert.deepEqual(await api.claims(campaign.id, { limit: 3, render: true }), []);
    const [blocked, ...more] = await list(member);
    assert.deepEqual(
      [blocked.kind, blocked.id, blocked.count, more],
      ['campaign.blocked', campaign.id, 3, []],
    );
  });

  test('Nobody sees the records of another workspace', async () => {
    const { owner: stranger } = await makeOtherWorkspace(service);
    assert.notDeepEqual(await list(owner), []);
    assert.deepEqual(await list(stranger), []);
  });
});

onEveryEngine('Calls by agent and channel', (service) => {
  test('The figures have the busiest agents and channels of their period', async () => {
    const { owner } = await makeOtherWorkspace(service);
    const [desk, repairs] = [
      await makeDeployedAgent(owner, 'Desk'),
      await makeDeployedAgent(owner, 'Repairs'),
    ];
    const [first, second, silent] = [
      await makePhoneChannel(owner, desk),
      await makePhoneChannel(owner, repairs),
      await makePhoneChannel(owner),
    ];
    for (const line of [second, first, second]) await recordCall(service, line, newPhone());
    const old = new Date(Date.now() - 40 * DAY_MS).toISOString();
    await recordCall(service, first, newPhone(), { started_at: old });
    const { agents_by_calls, channels_by_calls } = await owner.request('GET', '/figures');
    assert.deepEqual(agents_by_calls, [
      { id: repairs.id, name: 'Repairs', calls: 2 },
      { id: desk.id, name: 'Desk', calls: 1 },
    ]);
    assert.deepEqual(
      channels_by_calls.map(({ id, calls }: Json) => [id, calls]),
      [
        [second.id, 2],
        [first.id, 1],
      ],
    );
    const { channels_by_calls: longer } = await owner.request('GET', '/figures?days=90');
    assert.deepEqual(
      longer.map(({ calls }: Json) => calls),
      [2, 2],
    );
    assert.ok(!longer.some(({ id }: Json) => id === silent.id));
  });
});
