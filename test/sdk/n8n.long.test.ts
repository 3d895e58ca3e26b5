import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { type InstalledPackage, installNodes } from '../kit/n8n/installed.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

/** Runs the package with n8n's own tools: its compiler, linter, loader and engine. */
onSqlite('The n8n package with n8n', (service) => {
  let installed: InstalledPackage;
  let loader: Json;
  before(async () => {
    installed = await installNodes();
  });
  after(() => installed?.remove());

  test('n8n-node builds it with strict types and finds nothing wrong', async () => {
    assert.match(await installed.n8nNode('build'), /Build successful/);
    // It reports warnings without failing.
    assert.doesNotMatch(await installed.n8nNode('lint'), /problem/);
  });

  test("n8n's loader loads both nodes and the credential, with their icons", async () => {
    installed.load('reflect-metadata');
    loader = new (installed.load('n8n-core').PackageDirectoryLoader)(installed.folder);
    await loader.loadAll();
    assert.deepEqual(Object.keys(loader.nodeTypes), ['roster', 'rosterTrigger']);
    assert.deepEqual(loader.known.credentials.rosterApi.supportedNodes, ['roster', 'rosterTrigger']);
    for (const name of ['roster', 'rosterTrigger']) {
      const { iconUrl } = loader.getNode(name).type.description;
      for (const url of [iconUrl.light, iconUrl.dark])
        assert.ok(existsSync(join(installed.folder, url.replace('icons/n8n-nodes-roster/', ''))), url);
    }
  });

  /** What n8n's engine gives to a node. */
  const engineOf = (type: string, parameters: Json, credentials: Json) => {
    const { Workflow, NodeHelpers } = installed.load('n8n-workflow');
    const node: Json = {
      ...{ id: '1', name: 'Roster', type: `n8n-nodes-roster.${type}`, typeVersion: 1, position: [0, 0] },
      parameters,
      credentials: { rosterApi: { id: '1', name: 'Roster' } },
    };
    const loaded = loader.getNode(type).type;
    const { properties } = loaded.description;
    assert.equal(NodeHelpers.getNodeParametersIssues(properties, node, loaded.description), null);
    const nodeTypes = {
      getByName: () => loaded,
      getByNameAndVersion: () => loaded,
      getKnownTypes: () => ({}),
    };
    const workflow = new Workflow({ id: '1', nodes: [node], connections: {}, active: false, nodeTypes });
    const additionalData = {
      webhookBaseUrl: 'http://127.0.0.1:9/webhook',
      credentialsHelper: {
        isCredentialUsableByNode: () => true,
        getParentTypes: () => [],
        preAuthentication: async () => undefined,
        getDecrypted: async () => credentials,
        authenticate: async (_: Json, __: string, options: Json) => ({
          ...options,
          headers: { ...options.headers, Authorization: `Bearer ${credentials.api_key}` },
        }),
      },
    };
    return { loaded, node: workflow.getNode('Roster'), workflow, additionalData };
  };

  const execute = async (parameters: Json, api_key: string): Promise<Json[]> => {
    const { ExecuteContext } = installed.load('n8n-core');
    const engine = engineOf('roster', parameters, { url: service.url, api_key });
    const items = [{ json: {} }];
    const data = { main: [items] };
    const context = new ExecuteContext(
      ...[engine.workflow, engine.node, engine.additionalData, 'manual', { resultData: { runData: {} } }, 0],
      ...[items, data, { data, node: engine.node, source: null }, []],
    );
    const [results] = await engine.loaded.execute.call(context);
    return results.map(({ json }: Json) => json);
  };

  test("n8n's engine runs operations, with its parameters, requests and errors", async () => {
    const key = await createScopedKey(service.database, 'contacts:read', 'contacts:write');
    const phone_number = newPhone();
    const create = { resource: 'contact', operation: 'create', phone_number };
    const [created] = await execute({ ...create, contact_fields: { first_name: 'Ada', tags: 'vip' } }, key);
    assert.deepEqual([created.first_name, created.tags], ['Ada', ['vip']]);
    for (let made = 0; made < 104; made++) await makeContact(service, { tags: ['crowd'] });
    const list = { resource: 'contact', operation: 'getAll', filters: { tag: 'crowd' } };
    assert.equal((await execute({ ...list, returnAll: true }, key)).length, 104);
    assert.equal((await execute({ ...list, returnAll: false, limit: 3 }, key)).length, 3);

    const failure = await execute(create, key).catch((error) => error);
    assert.equal(failure.name, 'NodeApiError');
    const { message } = (await service.post('/v1/contacts', { phone_number })).body.error;
    assert.deepEqual([failure.httpCode, failure.description, failure.context.itemIndex], ['409', message, 0]);
    await assert.rejects(execute({ ...create, contact_fields: { fields: '{' } }, key), {
      name: 'NodeApiError',
      message: 'fields must be a JSON object, such as {"plan": "gold"}.',
    });
  });

  test("n8n's engine registers and removes the webhook of the trigger, and receives what is signed", async () => {
    const { HookContext, WebhookContext } = installed.load('n8n-core');
    const api_key = await createScopedKey(service.database, 'admin', 'events:read');
    const parameters = { events: ['contact.created'], filters: {} };
    const engine = engineOf('rosterTrigger', parameters, { url: service.url, api_key });
    engine.node.webhookId = 'e5b1';
    const context = new HookContext(
      engine.workflow,
      engine.node,
      engine.additionalData,
      'trigger',
      'activate',
    );
    const { checkExists, create, delete: remove } = engine.loaded.webhookMethods.default;
    const listed = async () => (await service.get('/v1/webhooks', { key: api_key })).body.data;
    assert.equal(await checkExists.call(context), false);
    await create.call(context);
    const [webhook] = await listed();
    assert.match(webhook.url, /^http:\/\/127\.0\.0\.1:9\/webhook\/.*webhook$/);
    assert.deepEqual(webhook.types, ['contact.created']);
    assert.equal(await checkExists.call(context), true);

    const received = async (body: string, signed: string) => {
      const time = new Date();
      const headers = {
        'webhook-id': 'event_1',
        'webhook-timestamp': `${Math.floor(time.getTime() / 1000)}`,
        'webhook-signature': new Webhook(context.getWorkflowStaticData('node').secret).sign(
          'event_1',
          time,
          signed,
        ),
      };
      let status = 200;
      const httpRequest = {
        headers,
        body: JSON.parse(body),
        rawBody: Buffer.from(body),
        params: {},
        query: {},
      };
      const httpResponse = { status: (code: number) => ({ json: () => (status = code) }) };
      const additionalData = { ...engine.additionalData, httpRequest, httpResponse };
      const { workflow, node, loaded } = engine;
      const receiving = new WebhookContext(workflow, node, additionalData, 'webhook', {}, [], null);
      const { workflowData } = await loaded.webhook.call(receiving);
      return { status, items: workflowData?.[0] };
    };
    const event = '{"type":"contact.created"}';
    assert.deepEqual(await received(event, event), { status: 200, items: [{ json: JSON.parse(event) }] });
    assert.deepEqual(await received(event, '{}'), { status: 401, items: undefined });

    await service.delete(`/v1/webhooks/${webhook.id}`, { key: api_key });
    assert.equal(await checkExists.call(context), false);
    await create.call(context);
    await remove.call(context);
    assert.deepEqual(await listed(), []);
  });
});
