import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeAgentWithVersions, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { ALL_SCOPES } from '../kit/http/mcp.ts';
import { planCsv } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { runPackage } from './packages.ts';

onEveryEngine('Inspector of MCP', (service) => {
  const home = mkdtempSync(join(tmpdir(), 'roster-inspector-'));
  let key: string;
  let contact: string;
  let agent_id: string;
  let import_id: string;
  before(async () => {
    const owner = await signedInOwner(service);
    key = (await owner.request('POST', '/keys', { name: 'Inspector', scopes: ALL_SCOPES }, 201)).key;
    contact = (await makeContact(service, { first_name: 'Ada', tags: ['vip'] })).id;
    agent_id = (await makeAgentWithVersions(service, 'One.', 'Two.')).id;
    import_id = (await planCsv(owner, `phone\n${newPhone()}\n`)).id;
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  const inspect = async (...args: string[]) => {
    const connection = ['--cli', `${service.url}/mcp`, '--transport', 'http'];
    const header = ['--header', `Authorization: Bearer ${key}`];
    // The inspector keeps its state in the home folder.
    return runPackage(
      '@modelcontextprotocol/inspector',
      ['mcp-inspector', ...connection, ...header, ...args],
      { MCP_CATALOG_PATH: join(home, 'catalog.json'), MCP_STORAGE_DIR: home },
    );
  };
  const call = async (name: string, args: Json = {}): Promise<Json> => {
    const pairs = Object.entries(args).flatMap(([field, value]) => [
      '--tool-arg',
      `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
    const { code, output, errors } = await inspect('--method', 'tools/call', '--tool-name', name, ...pairs);
    assert.equal(code, 0, `${name}: ${errors} ${output}`);
    return JSON.parse(output);
  };

  test('The inspector lists the tools and finds no problem in their schemas', async () => {
    const { code, output, errors } = await inspect('--method', 'tools/list', '--strict');
    assert.equal(code, 0, errors);
    assert.equal(JSON.parse(output).tools.length, 14);
    assert.doesNotMatch(errors, /Warning|Error: tool/);
  });

  test('The inspector calls every tool', async () => {
    await call('find_people', { search: 'ada', fields: ['notes'] });
    await call('get_person', { id: contact });
    await call('save_person', { phone_number: newPhone(), first_name: 'Mary', tags: ['new'] });
    await call('tag_people', { ids: [contact], add: ['fresh'] });
    await call('list_agents', { limit: 5 });
    await call('read_version', { agent_id, version: 'v1' });
    await call('draft_instructions', { agent_id, instructions: 'Three.' });
    await call('compare_versions', { agent_id, from: 'v1', to: 'v3' });
    const { structuredContent } = await call('show_deploy_impact', { agent_id, version: 'v3' });
    const { plan_token } = structuredContent;
    assert.equal(
      (await call('deploy_version', { agent_id, version: 'v3', plan_token })).structuredContent.changed,
      true,
    );
    await call('list_calls');
    const enrolled = await call('enroll_people', { name: 'Spring', agent_id, tag: 'vip' });
    await call('campaign_status', { campaign_id: enrolled.structuredContent.campaign_id });
    await call('import_status', { import_id });
  });
});
