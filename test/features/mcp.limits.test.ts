import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { naughty, unstorable } from '../attacks/kit/naughty-strings.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { deploy, makeAgentWithVersions, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeDeployedAgent, makePhoneChannel, sendCallEvent } from '../kit/fixtures/calls.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { ALL_SCOPES, McpClient, mcpClient } from '../kit/http/mcp.ts';
import { planCsv } from '../kit/imports/imports.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

const MAX_BYTES = 8_192;
/** Four bytes and two UTF-16 units in one character. */
const WIDE = '💬';
const FIELDS = ['email', 'notes', 'display_name', 'first_name', 'last_name', 'source', 'created_at'];

onSqlite('Limits of the MCP endpoint', (service) => {
  let owner: CheckedUser;
  let client: McpClient;
  before(async () => {
    owner = await signedInOwner(service);
    client = await mcpClient(service, owner);
  });

  test('No answer exceeds 8 KB, however large the stored data is', async () => {
    const quoted = '"\\\n'.repeat(600);
    const tags = Array.from({ length: 50 }, (_, at) => `${at}${WIDE.repeat(60)}`);
    const large = {
      first_name: WIDE.repeat(100),
      last_name: '"'.repeat(100),
      display_name: WIDE.repeat(200),
      company: WIDE.repeat(200),
    };
    const people: Json[] = [];
    for (let at = 0; at < 12; at++)
      people.push(
        await makeContact(service, { ...large, tags, notes: at % 2 ? WIDE.repeat(2_000) : quoted }),
      );
    const [person] = people;
    const text = Array.from(
      { length: 1_300 },
      (_, at) => `${at} ${WIDE.repeat(10)} "x" {{wrong_${at}}}`,
    ).join('\n');
    const { id: agent_id, versions } = await makeAgentWithVersions(service, text, text.toUpperCase());
    const body = { confirm_unknown_variables: true };
    await deploy(owner, agent_id, versions[0] as string, body);
    const long = { name: WIDE.repeat(100), description: WIDE.repeat(500), instructions: 'x' };
    for (let at = 0; at < 12; at++) await service.post('/v1/agents', long);
    for (let at = 0; at < 12; at++) {
      const { id } = await makeChannel(owner, { name: WIDE.repeat(100) });
      await owner.request('PUT', `/channels/${id}/agent`, { agent_id });
    }
    const line = await makePhoneChannel(owner, { id: agent_id });
    for (let at = 0; at < 12; at++)
      await sendCallEvent(service, line, person.phone_number, { direction: 'inbound' });
    const campaigns: string[] = [];
    const contact_ids = people.map(({ id }) => id);
    for (let at = 0; at < 12; at++) {
      const fields = { name: `${at}${WIDE.repeat(90)}`, agent_id, status: 'active' };
      const { id } = await owner.request('POST', '/campaigns', fields, 201);
      await owner.request('POST', `/campaigns/${id}/enrollments`, { contact_ids });
      campaigns.push(id);
    }
    const rows = Array.from({ length: 60 }, (_, at) => `${at} ${WIDE.repeat(50)},x`).join('\n');
    const { id: import_id } = await planCsv(owner, `phone,name\n${rows}\n`, {
      name: `${WIDE.repeat(100)}.csv`,
    });
    const unknown = Array.from({ length: 100 }, (_, at) => `${at}${WIDE.repeat(30)}`);
    const calls: [string, Json, isError?: boolean][] = [
      ['find_people', { limit: 50, fields: FIELDS }],
      ['get_person', { id: person.id }],
      ['get_person', { id: person.id, notes_from: 500 }],
      ['save_person', { phone_number: person.phone_number, ...large, tags }],
      ['tag_people', { ids: contact_ids, add: ['one', 'more', 'than', 'fits'] }],
      ['tag_people', { ids: unknown, add: ['x'] }, true],
      ['list_agents', { limit: 50 }],
      ['read_version', { agent_id }],
      ['read_version', { agent_id, from: 1 }],
      ['compare_versions', { agent_id }],
      ['show_deploy_impact', { agent_id }],
      ['deploy_version', { agent_id, version: 'v2', plan_token: 'x' }, true],
      ['list_calls', { limit: 50 }],
      ['campaign_status', { limit: 50 }],
      ['campaign_status', { campaign_id: campaigns[0], limit: 50 }],
      ['enroll_people', { campaign_id: campaigns[0], contact_ids: unknown }],
      ['import_status', { limit: 50 }],
      ['import_status', { import_id, limit: 50 }],
      ['draft_instructions', { agent_id, instructions: text }],
      ['find_people', Object.fromEntries(unknown.map((name) => [name, name])), true],
    ];
    for (const [name, args, isError = false] of calls) {
      const reply = await client.call(name, args);
      assert.equal(reply.isError, isError, `${name}: ${reply.text.slice(0, 300)}`);
      assert.ok(reply.bytes <= MAX_BYTES, `${name}: ${reply.bytes} bytes`);
    }
    assert.deepEqual(new Set(calls.map(([name]) => name)), new Set(await client.toolNames()));
    const plan = (await client.use('show_deploy_impact', { agent_id })).structured.plan_token;
    const conflict = await client.call('deploy_version', { agent_id, version: 'latest', plan_token: plan });
    assert.ok(conflict.isError && conflict.bytes <= MAX_BYTES, 'a thousand unknown variables');
  });

  test('A list that was cut names the offset with which it continues, until every record was shown', async () => {
    for (let at = 0; at < 30; at++) await makeContact(service, { tags: ['wide'], notes: 'x'.repeat(1_500) });
    const seen = new Set<string>();
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const args: Json = { tag: 'wide', fields: ['notes'], limit: 50, offset };
      const { text, records } = await client.use('find_people', args);
      assert.ok(records.length > 0);
      for (const { id } of records) seen.add(id);
      const next = /with offset (\d+)/.exec(text)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    assert.equal(seen.size, 30);
  });

  test('Strings that are known to break programs are stored and returned unchanged', async () => {
    const phone_number = newPhone();
    const strings = Object.values(naughty)
      .flat()
      .filter((text) => text.length > 0 && text.length < 500);
    const sample = strings.filter((_, at) => at % Math.ceil(strings.length / 25) === 0);
    for (const notes of sample) {
      const { structured } = await client.use('save_person', { phone_number, notes });
      const { records } = await client.use('get_person', { id: structured.id, history: [] });
      assert.equal(records[0].person.notes, notes);
      await client.use('find_people', { search: notes.slice(0, 100) });
    }
    for (const notes of unstorable)
      await client.fails('VALIDATION_ERROR', 'save_person', { phone_number, notes });
  });

  test('Random arguments never cause a failure of the service', async () => {
    const { tools } = await client.result('tools/list');
    const agent_id = (await makeDeployedAgent(owner)).id;
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(agent_id, 'v1', 'active', '', '+14155550100', -1, 1e99, [], {}, null, true),
    );
    for (const { name, inputSchema } of tools) {
      const fields = Object.keys(inputSchema.properties);
      const args = fc.dictionary(fc.constantFrom(...fields, '__proto__', 'constructor'), value, {
        maxKeys: 4,
      });
      await fc.assert(
        fc.asyncProperty(args, async (given) => {
          const reply = await client.send('tools/call', { name, arguments: given });
          assert.ok([200, 400].includes(reply.status), `${name} ${JSON.stringify(given)}: ${reply.text}`);
        }),
        { numRuns: 8 },
      );
    }
    assert.ok(!service.log.some((line) => line.includes('request failed')), 'no failure was logged');
  });

  test('Random messages are always answered without a failure of the service, and batches are refused', async () => {
    const method = fc.constantFrom(
      ...[
        'initialize',
        'ping',
        'tools/list',
        'tools/call',
        'resources/read',
        'server/discover',
        'nothing/here',
      ],
      ...['notifications/initialized', 'notifications/cancelled', 'subscriptions/listen', 'logging/setLevel'],
    );
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
        id: fc.oneof(fc.nat(3), fc.string({ maxLength: 5 }), fc.constantFrom(null, -1, 1.5, [], {})),
        method: fc.oneof(method, method, fc.jsonValue({ maxDepth: 1 })),
        params: fc.oneof(
          fc.jsonValue({ maxDepth: 2 }),
          fc.constantFrom({ name: 'find_people' }, { requestId: 1 }, { uri: 'roster://x' }, { _meta: {} }),
        ),
        result: fc.constant({}),
      },
      { requiredKeys: ['jsonrpc'] },
    );
    /** Most of the messages above have no valid form; these do. */
    const request = fc.record(
      {
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.nat(3), fc.string({ maxLength: 5 })),
        method,
        params: fc.oneof(
          fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
          fc.constantFrom({ name: 'find_people' }, { requestId: 1 }, { uri: 'roster://x' }, { _meta: {} }),
        ),
      },
      { requiredKeys: ['jsonrpc', 'method'] },
    );
    const headers = fc.constantFrom<Record<string, string>>(
      {},
      { 'mcp-protocol-version': '2025-03-26' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'find_people' },
      { 'mcp-session-id': 'x', 'last-event-id': '1' },
    );
    const body = fc.oneof(message, request, request, fc.array(fc.oneof(message, request), { maxLength: 4 }));
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(body, headers, async (sent, added) => {
        const reply = await Promise.race([client.post(sent, added), pause(5_000, undefined, { ref: false })]);
        assert.ok(reply && reply.status < 500, `${JSON.stringify(sent)}: ${reply?.text ?? 'no answer'}`);
        if (Array.isArray(sent)) assert.match(reply.text, /Send one message, not a batch\./);
        else statuses.add(reply.status);
      }),
      { numRuns: 150 },
    );
    for (const status of [200, 400]) assert.ok(statuses.has(status), `${status}`);
    assert.ok(!service.log.some((line) => line.includes('request failed')), 'no failure was logged');
  });

  test('Records of another workspace are not found, exactly like records that do not exist', async () => {
    const { owner: neighbour } = await makeOtherWorkspace(service);
    const stranger = await mcpClient(service, neighbour);
    const agent = await makeDeployedAgent(owner);
    const contact = await makeContact(service, { first_name: 'Hidden', tags: ['hidden'] });
    const campaign = await owner.request('POST', '/campaigns', { name: 'Hidden', agent_id: agent.id }, 201);
    const { id: import_id } = await planCsv(owner, `phone\n${newPhone()}\n`);
    const { structured } = await client.use('show_deploy_impact', { agent_id: agent.id, version: 'v1' });
    const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
    const unknown = { agent: uuid, contact: 'contact_01h455vb4pex5vsknk084sn02q', campaign: 'campaign_x' };
    const both = async (name: string, args: (ids: typeof unknown & { import?: string }) => Json) => {
      const ids = { agent: agent.id, contact: contact.id, campaign: campaign.id, import: import_id };
      const texts = [await stranger.call(name, args(ids)), await stranger.call(name, args(unknown))].map(
        ({ text }) => text.replace(/req_\w+/, ''),
      );
      assert.equal(texts[0], texts[1], name);
    };
    await both('get_person', ({ contact }) => ({ id: contact }));
    await both('tag_people', ({ contact }) => ({ ids: [contact], add: ['x'] }));
    await both('read_version', ({ agent }) => ({ agent_id: agent }));
    await both('compare_versions', ({ agent }) => ({ agent_id: agent, from: 'v1' }));
    await both('draft_instructions', ({ agent }) => ({ agent_id: agent, instructions: 'Stolen.' }));
    await both('show_deploy_impact', ({ agent }) => ({ agent_id: agent }));
    const { plan_token } = structured;
    await both('deploy_version', ({ agent }) => ({ agent_id: agent, version: 'v1', plan_token }));
    await both('campaign_status', ({ campaign }) => ({ campaign_id: campaign }));
    await both('enroll_people', ({ campaign }) => ({ campaign_id: campaign, tag: 'x' }));
    await both('import_status', (ids) => ({ import_id: ids.import ?? 'import_x' }));
    await both('list_calls', ({ contact }) => ({ contact_id: contact }));
    for (const name of ['find_people', 'list_agents', 'list_calls', 'campaign_status', 'import_status'])
      assert.deepEqual((await stranger.use(name)).records, [], name);
  });

  test('Calls count against the rate limit of the key', async () => {
    const fields = { name: 'Limited', scopes: ALL_SCOPES, rate_limit: '2/1h' };
    const { key } = await owner.request('POST', '/keys', fields, 201);
    const limited = new McpClient(service, key, '2025-11-25');
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const first = await limited.post(ping);
    assert.match(first.headers.get('ratelimit') ?? '', /r=1/);
    assert.equal((await limited.post(ping)).status, 200);
    const refused = await limited.post(ping);
    assert.equal(refused.status, 429);
    // The quota of one request is restored after half an hour.
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 1_700 && wait <= 1_800, `${wait}`);
    assert.equal(refused.body.error.code, 'RATE_LIMITED');
  });

  test('Requests that are refused before they reach a tool count as well', async () => {
    const refusals: [number, string, Record<string, string>][] = [
      [400, '{', {}],
      [400, '[]', {}],
      [403, '{}', { origin: 'https://evil.example' }],
    ];
    const fields = { name: 'Refused', scopes: ALL_SCOPES, rate_limit: `${refusals.length}/1h` };
    const { key } = await owner.request('POST', '/keys', fields, 201);
    for (const [status, raw, more] of refusals) {
      const headers = { 'content-type': 'application/json', accept: 'application/json', ...more };
      assert.equal((await service.post('/mcp', undefined, { key, raw, headers })).status, status, raw);
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    assert.equal((await new McpClient(service, key).post(ping)).status, 429);
  });

  test('Calls at the same time each get the answer of their own key', async () => {
    const readers = await Promise.all(
      [['contacts:read'], ['agents:read'], ['calls:read']].map((scopes) => mcpClient(service, owner, scopes)),
    );
    const names = ['find_people', 'list_agents', 'list_calls'];
    await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const reply = await (readers[at % 3] as McpClient).call(names[(at >> 2) % 3] as string);
        assert.equal(reply.isError, at % 3 !== (at >> 2) % 3, reply.text);
      }),
    );
  });

  test('Calls have a log line and a metric of their route', async () => {
    const reply = await client.send('tools/list');
    const id = reply.headers.get('x-request-id') as string;
    const line = service.log.find((each) => each.includes(id) && each.includes('"request"'));
    assert.match(line ?? '', /"route":"\/mcp","status":200/);
    assert.match((await service.get('/metrics')).text, /route="\/mcp"/);
  });

  test('A fault of the service fails the whole request, is logged, and reveals nothing', async () => {
    await service.database.query('alter table calls rename to calls_gone');
    try {
      const reply = await client.send('tools/call', { name: 'list_calls', arguments: {} });
      assert.equal(reply.status, 500, reply.text);
      assert.equal(reply.body.error.code, 'INTERNAL_ERROR');
      assert.doesNotMatch(reply.text, /calls_gone|no such table|relation/);
      const id = reply.body.error.request_id;
      const isLogged = () => service.log.some((line) => line.includes(id) && line.includes('request failed'));
      // Another serving thread sends its lines to the first one.
      for (let tries = 0; !isLogged() && tries < 100; tries++) await pause(20);
      assert.ok(isLogged());
    } finally {
      await service.database.query('alter table calls_gone rename to calls');
    }
    await client.use('list_calls');
  });
});
