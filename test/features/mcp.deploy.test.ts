import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { issuePlanToken } from '../../src/features/mcp/plan-token.ts';
import { createEncryptionKey } from '../../src/lib/encryption.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  makeChannel,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { ALL_SCOPES, McpClient, mcpClient, REVISIONS } from '../kit/http/mcp.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const DEPLOYER = ['agents:read', 'agents:deploy'];

onEveryEngine('Deploys over MCP', (service) => {
  let owner: CheckedUser;
  let client: McpClient;
  before(async () => {
    owner = await signedInOwner(service);
    client = await mcpClient(service, owner, DEPLOYER);
  });
  const plan = async (agent_id: string, version: string, by = client): Promise<string> =>
    (await by.use('show_deploy_impact', { agent_id, version })).structured.plan_token;
  const deployedOf = async (agent: string) =>
    (await service.get(`/v1/agents/${agent}`)).body.data.deployed_version?.version_label ?? null;
  /** A call that is rejected and changes nothing. */
  const rejected = (code: string, args: Json, by = client) =>
    assertTablesUnchanged(service, ['agents', 'agent_versions', 'deploys', 'audit_entries'], () =>
      by.fails(code, 'deploy_version', args),
    );

  for (const revision of REVISIONS) {
    test(`A version is planned, deployed and rolled back with revision ${revision}`, async () => {
      const by = await mcpClient(service, owner, DEPLOYER, revision);
      const { id: agent_id, versions } = await makeAgentWithVersions(service, 'One.', 'One.\nTwo.');
      const impact = await by.use('show_deploy_impact', { agent_id, version: 'v1' });
      assert.match(impact.text, /^Deploying v1 makes it the first deployed version\./);
      const { plan_token } = impact.structured;
      assert.ok(impact.text.includes(plan_token));
      const first = await by.use('deploy_version', { agent_id, version: 'v1', plan_token, note: 'First' });
      assert.deepEqual([first.structured.changed, first.structured.version_id], [true, versions[0]]);
      const second = await plan(agent_id, 'latest', by);
      await by.use('deploy_version', { agent_id, version: 'v2', plan_token: second });
      assert.equal(await deployedOf(agent_id), 'v2');
      const back = await plan(agent_id, 'v1', by);
      await by.use('deploy_version', { agent_id, version: 'v1', plan_token: back });
      assert.equal(await deployedOf(agent_id), 'v1');
      const deploys = await owner.request('GET', `/agents/${agent_id}/deploys`);
      assert.deepEqual(
        deploys.map(({ note }: Json) => note),
        [null, null, 'First'],
      );
      const entries = await owner.request('GET', `/audit?subject=${agent_id}&action=agent.deployed`);
      assert.deepEqual(new Set(entries.map(({ via }: Json) => via)), new Set(['mcp']));
    });
  }

  test('The impact names channels, unknown variables and the changed lines', async () => {
    const { id: agent_id, versions } = await makeAgentWithVersions(service, 'Hi.', 'Hi {{frist_name}}.');
    await deploy(owner, agent_id, versions[0] as string);
    const channel = await makeChannel(owner, { name: 'Front desk' });
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id });
    const { structured, records, text } = await client.use('show_deploy_impact', { agent_id });
    const { channels, unknown_variables, replaces } = structured;
    assert.deepEqual([channels, unknown_variables, replaces], [1, 1, 'v1']);
    assert.match(text, /confirm_unknown_variables/);
    assert.deepEqual(
      records.map((record: Json) => Object.keys(record)[0]),
      ['unknown_variable', 'channel', 'diff', 'diff'],
    );
    const args = { agent_id, version: 'v2', plan_token: structured.plan_token };
    const message = await rejected('CONFLICT', args);
    assert.match(message, /\{\{frist_name\}\}.*confirm_unknown_variables: true/);
    await client.use('deploy_version', { ...args, confirm_unknown_variables: true });
    assert.equal(await deployedOf(agent_id), 'v2');
  });

  test('A key without agents:deploy gets no plan token and cannot deploy', async () => {
    const { id: agent_id } = await makeAgentWithVersions(service, 'One.');
    const scopes = ALL_SCOPES.filter((scope) => scope !== 'agents:deploy');
    const reader = await mcpClient(service, owner, scopes);
    const { structured, text } = await reader.use('show_deploy_impact', { agent_id });
    assert.equal(structured.plan_token, undefined);
    assert.match(text, /needs the scope agents:deploy/);
    const plan_token = await plan(agent_id, 'v1');
    assert.match(
      await rejected('FORBIDDEN', { agent_id, version: 'v1', plan_token }, reader),
      /agents:deploy/,
    );
  });

  test('A plan token of another key, agent or version is rejected, and so is an invented one', async () => {
    const one = await makeAgentWithVersions(service, 'One.', 'Two.');
    const other = await makeAgentWithVersions(service, 'One.', 'Two.');
    const plan_token = await plan(one.id, 'v1');
    const colleague = await mcpClient(service, owner, DEPLOYER);
    const args = { agent_id: one.id, version: 'v1', plan_token };
    assert.match(await rejected('VALIDATION_ERROR', args, colleague), /show_deploy_impact/);
    await rejected('VALIDATION_ERROR', { ...args, version: 'v2' });
    await rejected('VALIDATION_ERROR', { ...args, agent_id: other.id });
    await rejected('VALIDATION_ERROR', { ...args, plan_token: `plan_${'A'.repeat(35)}` });
    await rejected('VALIDATION_ERROR', { ...args, plan_token: 'yes' });
    await rejected('VALIDATION_ERROR', { agent_id: one.id, version: 'v1' });
    assert.equal(await deployedOf(one.id), null);
  });

  test('A plan token is rejected after another deploy, also after a rollback to the same version', async () => {
    const { id: agent_id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.', 'Three.');
    const [one, two] = versions as [string, string];
    await deploy(owner, agent_id, one);
    const plan_token = await plan(agent_id, 'v3');
    await deploy(owner, agent_id, two);
    const args = { agent_id, version: 'v3', plan_token };
    assert.match(await rejected('CONFLICT', args), /deployed since.*plan it again/);
    await deploy(owner, agent_id, one);
    await rejected('CONFLICT', args);
    await client.use('deploy_version', { ...args, plan_token: await plan(agent_id, 'v3') });
    assert.equal(await deployedOf(agent_id), 'v3');
  });

  test('A repeated deploy with the same token changes nothing', async () => {
    const { id: agent_id } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const args = { agent_id, version: 'v2', plan_token: await plan(agent_id, 'v2') };
    const first = await client.use('deploy_version', args);
    const again = await assertTablesUnchanged(service, ['agents', 'deploys', 'audit_entries'], () =>
      client.use('deploy_version', args),
    );
    assert.deepEqual([first.structured.changed, again.structured.changed], [true, false]);
    assert.equal(again.structured.deployed_at, first.structured.deployed_at);
  });

  test('Of several deploys of one plan at the same time exactly one takes place', async () => {
    const { id: agent_id } = await makeAgentWithVersions(service, 'One.', 'Two.', 'Three.');
    const plans = await Promise.all(
      ['v1', 'v2', 'v3'].map(async (version) => ({ version, plan_token: await plan(agent_id, version) })),
    );
    const replies = await Promise.all(
      [...plans, ...plans].map((each) => client.call('deploy_version', { agent_id, ...each })),
    );
    assert.equal(replies.filter(({ structured }) => structured?.changed).length, 1);
    assert.equal((await owner.request('GET', `/agents/${agent_id}/deploys`)).length, 1);
  });

  test('An expired plan token is rejected', async () => {
    const { id: agent, versions } = await makeAgentWithVersions(service, 'One.');
    const made = await owner.request('POST', '/keys', { name: 'Late', scopes: DEPLOYER }, 201);
    const late = new McpClient(service, made.key);
    const [{ workspace_id }] = (await service.database.query(
      'select workspace_id from keys where id = ?',
      made.id,
    )) as [{ workspace_id: number }];
    const principal = { workspace: Number(workspace_id), actor: made.id };
    const issue = (now: number) =>
      issuePlanToken(
        createEncryptionKey(Buffer.alloc(32, 1)),
        principal,
        { agent, version: versions[0] as string, replaces: null },
        now,
      ).plan_token;
    const args = { agent_id: agent, version: 'v1' };
    const expired = { ...args, plan_token: issue(Date.now() - 601_000) };
    assert.match(await rejected('CONFLICT', expired, late), /expired/);
    await late.use('deploy_version', { ...args, plan_token: issue(Date.now()) });
  });
});
