import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { generatePython } from '../../build/sdk/python.ts';
import { generateSdkTypes } from '../../build/sdk/types.ts';
import { List, Roster } from '../../sdk/src/index.ts';
import { startScriptedServer } from '../kit/http/scripted-server.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
}
const document: { readonly paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync('docs/openapi.json', 'utf8'),
);

/** Hooks are called by other systems, with secrets of their own. */
const operations = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  );

/** A call of the method for each operation. */
const calls: Readonly<Record<string, (roster: Roster) => PromiseLike<unknown> | List<unknown, unknown>>> = {
  listContacts: ({ contacts }) => contacts.list({ tag: 'vip' }),
  createContact: ({ contacts }) => contacts.create({ phone_number: '+14155550100' }),
  getContact: ({ contacts }) => contacts.get('1'),
  updateContact: ({ contacts }) => contacts.update('1', {}),
  deleteContact: ({ contacts }) => contacts.delete('1'),
  getContactByPhone: ({ contacts }) => contacts.byPhone('+14155550100'),
  upsertContact: ({ contacts }) => contacts.upsert('+14155550100', { first_name: 'Ada' }),
  listIdentities: ({ identities }) => identities.list({ contact: 'none' }),
  getIdentity: ({ identities }) => identities.get('phone', '+14155550100'),
  listContactIdentities: ({ identities }) => identities.listOfContact('1'),
  addIdentity: ({ identities }) => identities.add('1', { kind: 'external', value: '4711' }),
  makePrimary: ({ identities }) => identities.makePrimary('1', '2'),
  removeIdentity: ({ identities }) => identities.remove('1', '2'),
  createMerge: ({ merges }) => merges.create({ survivor_id: '1', other_ids: ['2'], dry_run: true }),
  listMerges: ({ merges }) => merges.list(),
  getMerge: ({ merges }) => merges.get('1'),
  undoMerge: ({ merges }) => merges.undo('1'),
  createBulkJob: ({ bulkJobs }) => bulkJobs.create({ action: 'rename_tag', tag: 'old', to: 'new' }),
  listBulkJobs: ({ bulkJobs }) => bulkJobs.list(),
  getBulkJob: ({ bulkJobs }) => bulkJobs.get('1'),
  undoBulkJob: ({ bulkJobs }) => bulkJobs.undo('1'),
  cancelBulkJob: ({ bulkJobs }) => bulkJobs.cancel('1'),
  downloadBulkExport: ({ bulkJobs }) => bulkJobs.download('1', { format: 'jsonl' }),
  listDuplicates: ({ duplicates }) => duplicates.list({ strength: 'strong' }),
  getDuplicate: ({ duplicates }) => duplicates.get('1'),
  dismissDuplicate: ({ duplicates }) => duplicates.dismiss('1'),
  restoreDuplicate: ({ duplicates }) => duplicates.restore('1'),
  listAgents: ({ agents }) => agents.list(),
  createAgent: ({ agents }) => agents.create({ name: 'Reception', instructions: '' }),
  getAgent: ({ agents }) => agents.get('1'),
  updateAgent: ({ agents }) => agents.update('1', {}),
  deleteAgent: ({ agents }) => agents.delete('1'),
  duplicateAgent: ({ agents }) => agents.duplicate('1', { name: 'Copy' }),
  listVersionDeploys: ({ agents }) => agents.listVersionDeploys('1', 'v2'),
  listVersions: ({ agents }) => agents.listVersions('1'),
  getVersion: ({ agents }) => agents.getVersion('1', 'v2'),
  getAgentVariables: ({ agents }) => agents.getVariables('1'),
  replaceAgentVariables: ({ agents }) => agents.replaceVariables('1', { variables: [{ name: 'slot' }] }),
  createVersion: ({ agents }) => agents.createVersion('1', { config: { speed: 1 } }),
  getConfigSchema: ({ agents }) => agents.getConfigSchema('1'),
  replaceConfigSchema: ({ agents }) => agents.replaceConfigSchema('1', { schema: { type: 'object' } }),
  deleteConfigSchema: ({ agents }) => agents.deleteConfigSchema('1'),
  renderVersion: ({ agents }) => agents.render('1', 'v1', { contact_id: '2' }),
  compareVersions: ({ agents }) => agents.compareVersions('1', 'v1', 'v2'),
  getActiveVersion: ({ agents }) => agents.activeVersion('1', { at: '2026-11-16T00:00:00.000Z' }),
  deployVersion: ({ agents }) => agents.deploy('1', 'v2', { note: 'Shorter.' }),
  rollBackAgent: ({ agents }) => agents.rollBack('1', { from: 'v2' }),
  listAgentDeploys: ({ agents }) => agents.listDeploys('1'),
  listDeploys: ({ agents }) => agents.listAllDeploys(),
  listChannels: ({ channels }) => channels.list({ agent_id: '1' }),
  createChannel: ({ channels }) =>
    channels.create({ kind: 'phone', name: 'Front desk', address: '+14155550199' }),
  getChannel: ({ channels }) => channels.get('1'),
  updateChannel: ({ channels }) => channels.update('1', {}),
  deleteChannel: ({ channels }) => channels.delete('1'),
  rotateChannelSecret: ({ channels }) => channels.rotateSecret('1'),
  revokeOldChannelSecret: ({ channels }) => channels.revokeOldSecret('1'),
  connectAgent: ({ channels }) => channels.connect('1', { agent_id: '2' }),
  disconnectAgent: ({ channels }) => channels.disconnect('1'),
  listCalls: ({ calls }) => calls.list({ direction: 'inbound' }),
  listEvents: ({ events }) => events.list({ after: 'latest' }),
  getEvent: ({ events }) => events.get('1'),
  getCall: ({ calls }) => calls.get('1'),
  updateCall: ({ calls }) => calls.update('1', { note: 'Call back.' }),
  listCallTags: ({ calls }) => calls.tags(),
  exportCalls: ({ calls }) => calls.export({ status: 'failed' }),
  getCallStatistics: ({ calls }) => calls.statistics({ direction: 'inbound' }),
  getOutcomes: ({ calls }) => calls.outcomes({ since: '2026-11-01' }),
  getCallSettings: ({ calls }) => calls.settings(),
  replaceCallSettings: ({ calls }) =>
    calls.replaceSettings({ dispositions: [], field_rules: [], transcript_days: 30 }),
  getTranscript: ({ calls }) => calls.transcript('1'),
  replaceTranscript: ({ calls }) => calls.replaceTranscript('1', { turns: [] }),
  batchContacts: ({ contacts }) => contacts.batch([{ op: 'delete', id: '1' }]),
  exportContacts: ({ contacts }) => contacts.export({ format: 'jsonl' }),
  listContactConflicts: ({ contacts }) => contacts.listConflicts(),
  listContactEnrollments: ({ contacts }) => contacts.listEnrollments('1'),
  getContactTimeline: ({ contacts }) => contacts.timeline('1', { kinds: 'call' }),
  listTags: ({ contacts }) => contacts.listTags({ search: 'v' }),
  previewDeploy: ({ agents }) => agents.previewDeploy('1', 'v2'),
  listCampaigns: ({ campaigns }) => campaigns.list(),
  createCampaign: ({ campaigns }) => campaigns.create({ name: 'Spring', agent_id: '1' }),
  getCampaign: ({ campaigns }) => campaigns.get('1'),
  updateCampaign: ({ campaigns }) => campaigns.update('1', { status: 'paused' }),
  deleteCampaign: ({ campaigns }) => campaigns.delete('1'),
  duplicateCampaign: ({ campaigns }) => campaigns.duplicate('1', { name: 'Copy' }),
  getCampaignProgress: ({ campaigns }) => campaigns.progress('1', { days: 7 }),
  checkCampaignStart: ({ campaigns }) => campaigns.checkStart('1'),
  getCampaignSchedule: ({ campaigns }) => campaigns.getSchedule('1'),
  updateCampaignSchedule: ({ campaigns }) => campaigns.updateSchedule('1', { max_attempts: 3 }),
  claimContacts: ({ campaigns }) => campaigns.claim('1', { limit: 10 }),
  listCampaignEnrollments: ({ campaigns }) => campaigns.listEnrollments('1', { status: 'pending' }),
  exportCampaignEnrollments: ({ campaigns }) => campaigns.exportEnrollments('1', { status: 'failed' }),
  enrollContacts: ({ campaigns }) => campaigns.enroll('1', { tag: 'vip' }),
  updateEnrollment: ({ campaigns }) => campaigns.updateEnrollment('1', '2', { status: 'completed' }),
  deleteEnrollment: ({ campaigns }) => campaigns.deleteEnrollment('1', '2'),
  createImport: ({ imports }) => imports.create('phone', { mapping: { 0: 'phone_number' } }),
  previewImportColumns: ({ imports }) => imports.previewColumns('phone'),
  listImports: ({ imports }) => imports.list(),
  getImport: ({ imports }) => imports.get('1'),
  replanImport: ({ imports }) => imports.replan('1', { country: 'US' }),
  deleteImport: ({ imports }) => imports.delete('1'),
  listImportRows: ({ imports }) => imports.listRows('1', { verdict: 'invalid' }),
  applyImport: ({ imports }) => imports.apply('1'),
  undoImport: ({ imports }) => imports.undo('1'),
  previewImportUndo: ({ imports }) => imports.previewUndo('1'),
  getImportReasons: ({ imports }) => imports.reasons('1'),
  downloadImportReport: ({ imports }) => imports.report('1'),
  listSegments: ({ segments }) => segments.list(),
  createSegment: ({ segments }) =>
    segments.create({ name: 'VIP', filter: { attribute: 'tag', op: 'eq', value: 'vip' } }),
  getSegment: ({ segments }) => segments.get('1'),
  updateSegment: ({ segments }) => segments.update('1', { name: 'VIP' }),
  deleteSegment: ({ segments }) => segments.delete('1'),
  countSegment: ({ segments }) => segments.count('1'),
  listFields: ({ fields }) => fields.list(),
  createField: ({ fields }) => fields.create({ key: 'plan', label: 'Plan', type: 'text' }),
  getField: ({ fields }) => fields.get('plan'),
  updateField: ({ fields }) => fields.update('plan', { label: 'Plan' }),
  deleteField: ({ fields }) => fields.delete('plan', {}, { erase: true }),
  listIntegrations: ({ integrations }) => integrations.list(),
  createIntegration: ({ integrations }) => integrations.create({ name: 'CRM' }),
  getIntegration: ({ integrations }) => integrations.get('1'),
  updateIntegration: ({ integrations }) => integrations.update('1', { name: 'CRM' }),
  deleteIntegration: ({ integrations }) => integrations.delete('1'),
  rotateIntegrationSecret: ({ integrations }) => integrations.rotateSecret('1'),
  revokeOldIntegrationSecret: ({ integrations }) => integrations.revokeOldSecret('1'),
  listWebhooks: ({ webhooks }) => webhooks.list({ status: 'disabled' }),
  createWebhook: ({ webhooks }) => webhooks.create({ url: 'https://example.com/' }),
  getWebhook: ({ webhooks }) => webhooks.get('1'),
  updateWebhook: ({ webhooks }) => webhooks.update('1', { status: 'active' }),
  deleteWebhook: ({ webhooks }) => webhooks.delete('1'),
  rotateWebhookSecret: ({ webhooks }) => webhooks.rotateSecret('1'),
  revokeOldWebhookSecret: ({ webhooks }) => webhooks.revokeOldSecret('1'),
  listWebhookAttempts: ({ webhooks }) => webhooks.listAttempts('1', { result: 'failed' }),
  getWebhookAttempt: ({ webhooks }) => webhooks.getAttempt('1', 2),
  testWebhook: ({ webhooks }) => webhooks.test('1'),
  replayWebhook: ({ webhooks }) => webhooks.replay('1', { failed: true }),
  cancelWebhookReplay: ({ webhooks }) => webhooks.cancelReplay('1'),
  listApiKeys: ({ keys }) => keys.list(),
  createApiKey: ({ keys }) => keys.create({ name: 'CI', scopes: ['agents:deploy'] }),
  getApiKey: ({ keys }) => keys.get('1'),
  revokeApiKey: ({ keys }) => keys.revoke('1'),
  listUsers: ({ users }) => users.list(),
  createUser: ({ users }) => users.create({ email: 'ada@example.com' }),
  getUser: ({ users }) => users.get('1'),
  updateUser: ({ users }) => users.update('1', { role: 'owner' }),
  deleteUser: ({ users }) => users.delete('1'),
  createSignInLink: ({ users }) => users.createSignInLink('1'),
  getSettings: ({ settings }) => settings.get(),
  updateSettings: ({ settings }) => settings.update({ default_country: 'US' }),
  listAuditEntries: ({ audit }) => audit.list(),
};

const pathPattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

describe('Operations of the API in the SDK', () => {
  it('Its types are generated from the current OpenAPI document', async () => {
    assert.equal(
      readFileSync('sdk/src/openapi.gen.ts', 'utf8'),
      await generateSdkTypes(),
      'run npm run sdk:types',
    );
  });

  it('The types and methods of the Python client are generated from the current OpenAPI document', () => {
    for (const [file, text] of Object.entries(generatePython()))
      assert.equal(readFileSync(file, 'utf8'), text, 'run npm run sdk:types');
  });

  it('Every operation of the document has a method, and every method an operation', () => {
    assert.deepEqual(Object.keys(calls).sort(), operations.map(({ operationId }) => operationId).sort());
  });

  it('Every method sends the request that the document describes, with a key if it takes one', async (test) => {
    const pagination = { total: 0, limit: 1, offset: 0, has_more: false };
    const server = await startScriptedServer(test, {
      status: 200,
      body: { data: { results: [], events: [], attempts: [], entries: [] }, pagination },
    });
    const roster = new Roster({ baseUrl: server.url, apiKey: 'a key' });
    for (const { operationId, method, path, parameters = [] } of operations) {
      const sent = calls[operationId]?.(roster);
      await (sent instanceof List ? sent.page() : sent);
      const request = server.requests.at(-1);
      const [sentPath = ''] = request?.url.split('?') ?? [];
      assert.equal(request?.method, method, operationId);
      assert.match(sentPath, pathPattern(path), operationId);
      const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
      assert.equal('idempotency-key' in (request?.headers ?? {}), takesKey, operationId);
    }
    assert.equal(server.requests.length, operations.length);
  });
});
