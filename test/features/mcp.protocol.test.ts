import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { McpClient, mcpClient, REVISIONS } from '../kit/http/mcp.ts';
import { type Json, KEY, onSqlite } from '../kit/service/test-service.ts';

const TOOLS: Readonly<Record<string, readonly string[]>> = {
  'contacts:read': ['find_people', 'get_person'],
  'contacts:write': ['save_person', 'tag_people'],
  'agents:read': ['list_agents', 'read_version', 'compare_versions', 'show_deploy_impact'],
  'agents:write': ['draft_instructions'],
  'agents:deploy': ['deploy_version'],
  'calls:read': ['list_calls'],
  'campaigns:read': ['campaign_status'],
  'campaigns:write': [],
  'imports:write': ['import_status'],
  'channels:read': [],
  'events:read': [],
  'audit:read': [],
  admin: [],
};
const READ_ONLY = ['find_people', 'get_person', 'list_agents', 'read_version', 'compare_versions'].concat([
  ...['show_deploy_impact', 'list_calls', 'campaign_status', 'import_status'],
]);

onSqlite('The protocol of the MCP endpoint', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  test('The handshake of 2025 and the discovery of 2026 name the server and its capabilities', async () => {
    const old = new McpClient(service, undefined, '2025-11-25');
    for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const result = await old.result('initialize', params);
      assert.equal(result.protocolVersion, protocolVersion);
      assert.equal(result.serverInfo.name, 'roster');
      assert.deepEqual(result.capabilities, { tools: {} });
      assert.match(result.instructions, /data, never instructions/);
    }
    assert.equal((await old.post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
    const result = await new McpClient(service).result('server/discover');
    assert.deepEqual(result.supportedVersions, ['2026-07-28']);
    assert.deepEqual(result.capabilities, { tools: {} });
  });

  test('A session is neither created nor required', async () => {
    for (const revision of REVISIONS) {
      const reply = await new McpClient(service, undefined, revision).send('tools/list');
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.headers.get('mcp-session-id'), null);
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
      assert.match(reply.headers.get('x-request-id') ?? '', /^req_/);
    }
  });

  test('A key lists exactly the tools of its scopes, under both revisions', async () => {
    const both = { 'campaigns:write contacts:read': ['enroll_people', 'find_people', 'get_person'] };
    for (const [scope, expected] of Object.entries({ ...TOOLS, ...both })) {
      for (const revision of REVISIONS) {
        const client = await mcpClient(service, owner, scope.split(' '), revision);
        assert.deepEqual((await client.toolNames()).sort(), [...expected].sort(), scope);
      }
    }
  });

  test('A read key sees only tools that change nothing', async () => {
    const { key } = await owner.request('POST', '/keys', { name: 'Reader', scope: 'read' }, 201);
    const { tools } = await new McpClient(service, key).result('tools/list');
    assert.ok(tools.length > 5);
    for (const { annotations, name } of tools) assert.ok(annotations.readOnlyHint, name);
  });

  test('There are at most 15 tools, each with descriptions, a closed schema and correct annotations', async () => {
    const { tools } = await (await mcpClient(service, owner)).result('tools/list');
    assert.equal(tools.length, 14);
    for (const { name, title, description, inputSchema, annotations } of tools) {
      assert.ok(title && description, name);
      assert.equal(inputSchema.additionalProperties, false, name);
      for (const [field, schema] of Object.entries<Json>(inputSchema.properties))
        assert.ok(schema.description, `${name}.${field}`);
      assert.equal(annotations.readOnlyHint, READ_ONLY.includes(name), name);
      assert.equal(annotations.openWorldHint, false, name);
    }
    const hints = (wanted: string) =>
      tools.filter(({ annotations }: Json) => annotations[wanted]).map(({ name }: Json) => name);
    assert.deepEqual(hints('destructiveHint'), ['save_person', 'tag_people', 'deploy_version']);
    assert.deepEqual(
      tools.filter(({ annotations }: Json) => !annotations.idempotentHint).map(({ name }: Json) => name),
      ['draft_instructions', 'enroll_people'],
    );
  });

  test('A tool without its scope is an error that names the scope', async () => {
    const reader = await mcpClient(service, owner, ['agents:read']);
    const text = await reader.fails('FORBIDDEN', 'find_people');
    assert.match(text, /contacts:read/);
    assert.match(await reader.fails('FORBIDDEN', 'deploy_version'), /agents:deploy/);
    const writer = await mcpClient(service, owner, ['campaigns:write']);
    assert.match(await writer.fails('FORBIDDEN', 'enroll_people'), /contacts:read/);
    const enroller = await mcpClient(service, owner, ['campaigns:write', 'contacts:read']);
    const campaign = { name: 'New', agent_id: 'agent_x', tag: 'x' };
    assert.match(await enroller.fails('FORBIDDEN', 'enroll_people', campaign), /agents:read/);
  });

  test('An unknown tool and an unknown method are errors of the protocol', async () => {
    for (const revision of REVISIONS) {
      const client = new McpClient(service, undefined, revision);
      const { code, message } = await client.error('tools/call', { name: 'drop_tables' });
      assert.equal(code, -32602);
      assert.match(message, /Unknown tool.*find_people/);
      assert.equal((await client.error('prompts/get', { name: 'x' })).code, -32601);
    }
  });

  test('Malformed messages are rejected with a JSON-RPC error and change nothing', async () => {
    const client = new McpClient(service);
    const raw = async (body: string) => {
      const headers = { accept: 'application/json, text/event-stream' };
      const reply = await service.call('POST', '/mcp', undefined, { raw: body, headers });
      assert.equal(reply.status, 400, `${body.slice(0, 50)}: ${reply.text}`);
      return JSON.parse(reply.text).error;
    };
    for (const body of ['{', '', 'null', '5', '"text"', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}'])
      assert.ok([-32700, -32600].includes((await raw(body)).code), body);
    assert.equal((await raw('[]')).code, -32600);
    assert.match((await raw('['.repeat(10_000))).message, /nested/);
    assert.match((await raw('{"id":1,"id":2}')).message, /more than once/);
    const text = { jsonrpc: '2.0', id: 1, method: 'ping' };
    assert.equal((await client.post(text, { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await client.post(text, { accept: 'text/html' })).status, 406);
    assert.equal((await client.post(text, { 'mcp-protocol-version': '1999-01-01' })).status, 400);
    const large = await client.post({ ...text, params: { x: 'x'.repeat(1_100_000) } });
    assert.equal(large.status, 413);
    assert.equal((await client.post(text)).status, 200, 'the service still answers');
  });

  test('Arguments of the wrong type are an error that the model can correct', async () => {
    const client = await mcpClient(service, owner);
    assert.match(await client.fails('VALIDATION_ERROR', 'find_people', { limit: 'many' }), /limit/);
    for (const limit of [null, true, [], [5], {}, { toString: 1 }, 1.5, -1, '1e1'])
      assert.match(await client.fails('VALIDATION_ERROR', 'find_people', { limit }), /whole number/);
    assert.match(await client.fails('VALIDATION_ERROR', 'find_people', { serach: 'x' }), /Allowed fields/);
    assert.match(await client.fails('VALIDATION_ERROR', 'read_version', {}), /agent_id: is required/);
    assert.equal((await client.error('tools/call', { name: 'find_people', arguments: [] })).code, -32602);
  });

  test('A batch is refused as a whole, with the error of an invalid request', async () => {
    const client = new McpClient(service, undefined, '2025-11-25');
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    for (const batch of [[], [ping(1)], [ping(1), ping(2)]]) {
      const reply = await client.post(batch, { 'mcp-protocol-version': '2025-03-26' });
      assert.equal(reply.status, 400);
      assert.deepEqual(JSON.parse(reply.text), {
        jsonrpc: '2.0',
        error: { code: -32600, message: 'Invalid Request: Send one message, not a batch.' },
        id: null,
      });
    }
  });

  test('Only POST is allowed, and web pages of other origins are rejected', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const reply = await service.call(method, '/mcp');
      assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'POST'], method);
    }
    const client = new McpClient(service);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    assert.equal((await client.post(ping, { origin: 'https://evil.example' })).status, 403);
    assert.equal((await client.post(ping, { origin: 'null' })).status, 403);
    assert.equal((await client.post(ping, { origin: service.url })).status, 200);
  });

  test('A missing or wrong key is 401 before the message is read', async () => {
    const headers = { authorization: null, accept: 'application/json, text/event-stream' };
    const replies = [
      await service.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { headers }),
      await new McpClient(service, 'rk_wrong').send('tools/list'),
    ];
    for (const reply of replies) {
      assert.equal(reply.status, 401);
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
      assert.equal(reply.body.error.code, 'UNAUTHORIZED');
    }
  });

  test('A cancellation and a subscription are answered without keeping a stream open', async () => {
    const client = new McpClient(service);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const old = new McpClient(service, undefined, '2025-11-25');
    assert.equal((await old.post(cancelled)).status, 202);
    const reply = await client.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.match(reply.text, /subscriptions\/acknowledged[\s\S]*"resultType":"complete"/);
  });

  test('A client that disconnects during a call does no harm', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'find_people', arguments: {} },
    };
    const headers = {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    await Promise.allSettled(
      [0, 1, 5].map((ms) =>
        fetch(`${service.url}/mcp`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(ms),
        }),
      ),
    );
    assert.equal((await new McpClient(service).send('tools/list')).status, 200);
    assert.ok(!service.log.some((line) => line.includes('request failed')), 'no failure was logged');
  });
});
