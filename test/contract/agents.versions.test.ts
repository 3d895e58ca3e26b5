import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { before, it } from 'node:test';
import type { KeyScope } from '../../src/lib/scopes.ts';
import { entriesOfRequest } from '../kit/dashboard/audit.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { deploy, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { etagOf } from '../kit/http/etags.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

/** Numbers, the order of keys, spaces and escapes that a parser would change. */
const CONFIG = `{ "voice" : {"speed": 1.0,
  "10": 1e3, "9": -0.0, "id": "caf\\u00e9 \\/ \\ud83d\\ude00"}, "first_message":"Hi, {{first_name}}!", "tools":[ ] }`;
const CANONICAL =
  '{"first_message":"Hi, {{first_name}}!","tools":[],"voice":{"10":1000,"9":0,"id":"café / 😀","speed":1}}';
const EMPTY_SHA256 = hash('sha256', '{}');

onEveryEngine('Versions with a config', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  /** A request whose body is sent as it is. */
  const send = (method: string, path: string, raw?: string, headers: Record<string, string> = {}) =>
    service.call(method, path, undefined, { ...(raw !== undefined && { raw }), headers });
  const post = (id: string, body?: string, headers?: Record<string, string>) =>
    send('POST', `/v1/agents/${id}/versions`, body, headers);
  const withConfig = (id: string, config: string) => post(id, `{"config":${config}}`);

  it('A config is returned byte for byte, wherever a version is shown', async () => {
    const agent = await makeAgent(service);
    const body = `{"note": "Slower", "instructions": "Hello {{first_name}}", "\\u0063onfig" : ${CONFIG} }`;
    const created = await post(agent.id, body);
    assert.equal(created.status, 201);
    const { id, created_at, ...rest } = created.body.data;
    assert.deepEqual(rest, {
      version_label: 'v2',
      deployment_status: 'draft',
      note: 'Slower',
      config_sha256: hash('sha256', CANONICAL),
    });
    assert.equal(created.headers.get('location'), `/v1/agents/${agent.id}/versions/${id}`);
    const end = `"config":${CONFIG}`;
    const version = await send('GET', `/v1/agents/${agent.id}/versions/v2`);
    assert.ok(version.text.endsWith(`${end}}}`));
    assert.deepEqual(
      [version.body.data.version_note, version.body.data.note, version.body.data.config_sha256],
      ['Slower', null, hash('sha256', CANONICAL)],
    );
    const { data } = (await send('GET', `/v1/agents/${agent.id}/versions`)).body;
    assert.deepEqual(
      data.map((each: Record<string, unknown>) => [
        each.version_label,
        each.version_note,
        each.config_sha256,
        'config' in each,
      ]),
      [
        ['v2', 'Slower', hash('sha256', CANONICAL), false],
        ['v1', null, EMPTY_SHA256, false],
      ],
    );
    const rendering = await service.call('POST', `/v1/agents/${agent.id}/versions/v2/render`, {
      contact: { phone_number: '+14155550100' },
    });
    assert.deepEqual(rendering.body.data.version, { id, version_label: 'v2' });
    const rendered = await send(
      'POST',
      `/v1/agents/${agent.id}/versions/v2/render`,
      '{"contact":{"phone_number":"+14155550100"},"instructions":"Other"}',
    );
    assert.deepEqual([rendered.body.data.text, rendered.text.includes(end)], ['Other', true]);
    const key = await createScopedKey(service.database, 'admin', 'events:read', 'agents:read');
    const events = await service.get('/v1/events?limit=100', { key });
    const told = events.body.data.events.filter(
      ({ type, data }: Json) => type === 'version.created' && data.id === id,
    );
    assert.deepEqual(told[0].data, {
      agent_id: agent.id,
      ...created.body.data,
      instructions: 'Hello {{first_name}}',
      config: JSON.parse(CONFIG),
    });
    assert.ok(events.text.includes(end));
  });

  it('A part that is left out is copied from the base, by default the newest version', async () => {
    const agent = await makeAgent(service, { instructions: 'One' });
    await post(agent.id, '{"instructions":"Two","config":{"b":2}}');
    await post(agent.id, '{"config":{"c":3}}');
    const shown = async (version: string) => {
      const { data } = (await send('GET', `/v1/agents/${agent.id}/versions/${version}`)).body;
      return [data.instructions, data.config, data.based_on?.version_label ?? null, data.version_note];
    };
    assert.deepEqual(await shown('v3'), ['Two', { c: 3 }, 'v2', null]);
    await post(agent.id, '{"based_on":"v1","note":"Back"}');
    assert.deepEqual(await shown('v4'), ['One', {}, 'v1', 'Back']);
    await post(agent.id, '{"based_on":"v2","instructions":"Five"}');
    assert.deepEqual(await shown('v5'), ['Five', { b: 2 }, 'v2', null]);
    assert.equal((await post(agent.id)).status, 201);
    assert.deepEqual(await shown('v6'), ['Five', { b: 2 }, 'v5', null]);
    assertInvalid(
      await service.call('POST', `/v1/agents/${agent.id}/versions`, { based_on: 'v99' }),
      'based_on',
    );
    assert.equal((await send('GET', `/v1/agents/${agent.id}`)).body.data.versions.length, 6);
  });

  it('PATCH with instructions copies the config of its base, or else of the newest version', async () => {
    const agent = await makeAgent(service);
    await withConfig(agent.id, CONFIG);
    await service.call('PATCH', `/v1/agents/${agent.id}`, { instructions: 'Three' });
    await service.call('PATCH', `/v1/agents/${agent.id}`, { instructions: 'Four', based_on: 'v1' });
    assert.ok((await send('GET', `/v1/agents/${agent.id}/versions/v3`)).text.includes(`"config":${CONFIG}`));
    assert.deepEqual((await send('GET', `/v1/agents/${agent.id}/versions/v4`)).body.data.config, {});
    assertInvalid(await service.call('PATCH', `/v1/agents/${agent.id}`, { config: {} }), 'config');
    const { data } = (await send('GET', `/v1/agents/${agent.id}`)).body;
    assert.deepEqual(Object.keys(data), [
      'id',
      'name',
      'description',
      'created_at',
      'updated_at',
      'deployed_version',
      'versions',
    ]);
    assert.deepEqual(Object.keys(data.versions[0]), [
      'id',
      'version_label',
      'deployment_status',
      'created_at',
    ]);
  });

  it('A deploy and a rollback keep the config with the version, and a duplicate copies it with its schema', async () => {
    const agent = await makeAgent(service);
    await send('PUT', `/v1/agents/${agent.id}/config-schema`, '{"schema":{"type": "object"}}');
    await withConfig(agent.id, CONFIG);
    await withConfig(agent.id, '{"b":2}');
    const active = () => send('GET', `/v1/agents/${agent.id}/active`);
    assert.equal((await active()).text, '{"success":true,"data":null}');
    const channel = await makeChannel(owner);
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
    const key = channel.secret;
    const hook = (query = '') => service.get(`/hooks/channels/${channel.id}/agent${query}`, { key });
    await deploy(owner, agent.id, 'v2');
    assert.ok((await active()).text.endsWith(`"config":${CONFIG}}}`));
    const live = await hook();
    assert.ok(live.text.endsWith(`"config":${CONFIG}}}`));
    assert.equal(live.body.data.config_sha256, hash('sha256', CANONICAL));
    assert.ok((await hook('?number=+14155550100')).text.endsWith(`"config":${CONFIG}}}`));
    await deploy(owner, agent.id, 'v3');
    assert.deepEqual((await hook()).body.data.config, { b: 2 });
    await owner.request('POST', `/agents/${agent.id}/rollback`, {});
    assert.equal((await hook()).text, live.text);
    assert.equal((await hook()).headers.get('etag'), live.headers.get('etag'));
    const copy = await service.call('POST', `/v1/agents/${agent.id}/duplicate`, { version: 'v2' });
    const copied = copy.body.data.id;
    assert.ok((await send('GET', `/v1/agents/${copied}/versions/v1`)).text.includes(`"config":${CONFIG}`));
    assert.equal(
      (await send('GET', `/v1/agents/${copied}/config-schema`)).text,
      '{"success":true,"data":{"schema":{"type": "object"}}}',
    );
  });

  it('A config that cannot be stored or returned gets 400 and changes nothing', async () => {
    const agent = await makeAgent(service);
    const refused = [
      '[]',
      'null',
      '"{}"',
      '1',
      'true',
      '{"a":"\\u0000"}',
      '{"a":["\\ud800"]}',
      '{"\\ud800":1}',
      '{"a":1e999}',
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      `{"a":"${'x'.repeat(65_536)}"}`,
      `{"a":"${'é'.repeat(32_768)}"}`,
      `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
      `{"a":[${'1,'.repeat(10_001)}1]}`,
      '{"a":}',
      '{"a":01}',
    ];
    for (const config of refused) {
      const reply = await withConfig(agent.id, config);
      assert.deepEqual(
        [reply.status, reply.body.error?.code],
        [400, 'VALIDATION_ERROR'],
        config.slice(0, 50),
      );
    }
    const { data } = (await send('GET', `/v1/agents/${agent.id}`)).body;
    assert.deepEqual([data.versions.length, data.updated_at], [1, agent.updated_at]);
    const largest = `{"a":"${'x'.repeat(65_536 - 8)}"}`;
    assert.equal((await withConfig(agent.id, largest)).status, 201);
    assertInvalid(
      await service.call('POST', `/v1/agents/${agent.id}/versions`, { note: 'x'.repeat(501) }),
      'note',
    );
    assertInvalid(await service.call('POST', `/v1/agents/${agent.id}/versions`, { konfig: {} }), 'konfig');
  });

  it('A value that looks like a credential gets 400 without the value, and a reference is returned as it is', async () => {
    const agent = await makeAgent(service);
    const value = ['sk', 'live', 'q7Xk29LmPz4Rt8VwYb3N'].join('_');
    const reply = await withConfig(agent.id, `{"tools":[{"headers":{"X-Key":"${value}"}}]}`);
    assertError(reply, 400, 'VALIDATION_ERROR');
    assert.equal(reply.body.error.details[0].field, 'config/tools/0/headers/X-Key');
    assert.match(reply.body.error.message, /\$secret:name/);
    assert.ok(!reply.text.includes(value));
    const accepted = await withConfig(agent.id, '{"api_key":"$secret:openai"}');
    assert.equal(accepted.status, 201);
    const { data } = (await send('GET', `/v1/agents/${agent.id}/versions/v2`)).body;
    assert.deepEqual(data.config, { api_key: '$secret:openai' });
  });

  it('A version is created only if the agent has the ETag of If-Match', async () => {
    const agent = await makeAgent(service);
    const read = await send('GET', `/v1/agents/${agent.id}`);
    const headers = { 'If-Match': etagOf(read) };
    const saved = await Promise.all([1, 2].map((at) => post(agent.id, `{"config":{"by":${at}}}`, headers)));
    assert.deepEqual(saved.map(({ status }) => status).sort(), [201, 412]);
    for (const reply of saved.filter(({ status }) => status === 412))
      assertError(reply, 412, 'PRECONDITION_FAILED');
    assertError(await post(agent.id, '{"instructions":"Late"}', headers), 412, 'PRECONDITION_FAILED');
    assertInvalid(await post(agent.id, undefined, { 'If-Match': 'no tag' }), 'If-Match');
    assert.equal((await post(agent.id, '{"note":"Any"}', { 'If-Match': '*' })).status, 201);
    const now = await send('GET', `/v1/agents/${agent.id}`);
    assert.equal(now.body.data.versions.length, 3);
    assert.equal((await post(agent.id, '{"note":"New"}', { 'If-Match': etagOf(now) })).status, 201);
  });

  it('A name that looks like a credential gets 400 without the name', async () => {
    const agent = await makeAgent(service);
    const name = ['sk', 'live', 'q7Xk29LmPz4Rt8VwYb3N'].join('_');
    const reply = await withConfig(agent.id, `{"tools":[{"${name}":{"a":1}}]}`);
    assertError(reply, 400, 'VALIDATION_ERROR');
    assert.equal(reply.body.error.details[0].field, 'config/tools/0');
    assert.ok(!reply.text.includes(name));
  });

  it('A repeated request with an Idempotency-Key gets the same version', async () => {
    const agent = await makeAgent(service);
    const headers = { 'Idempotency-Key': `version-${agent.id}` };
    const first = await post(agent.id, `{"config":${CONFIG}}`, headers);
    const again = await post(agent.id, `{"config":${CONFIG}}`, headers);
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal((await post(agent.id, '{"config":{}}', headers)).status, 422);
    assert.equal((await send('GET', `/v1/agents/${agent.id}`)).body.data.versions.length, 2);
  });

  it('A new version updates its agent, and has one audit entry', async () => {
    const agent = await makeAgent(service);
    const reply = await service.call('POST', `/v1/agents/${agent.id}/versions`, { note: 'n' });
    assert.deepEqual(
      (await entriesOfRequest(service, reply)).map(({ action }) => action),
      ['version.created'],
    );
    assert.ok((await send('GET', `/v1/agents/${agent.id}`)).body.data.updated_at > agent.updated_at);
  });

  it('Two versions are compared by the paths of their configs', async () => {
    const agent = await makeAgent(service);
    await withConfig(agent.id, '{"a":{"b/c":1,"d":[1,2]},"e":"x","n":1}');
    await withConfig(agent.id, '{"n":1.0,"a":{"d":[1,3,4],"b/c":1},"f":null}');
    const diff = async (from: string, to: string) =>
      (await send('GET', `/v1/agents/${agent.id}/versions/${to}/diff?from=${from}`)).body.data;
    const { config, added, from } = await diff('v2', 'v3');
    assert.deepEqual(config, {
      changes: [
        { path: '/a/d/1', change: 'changed', before: 2, after: 3 },
        { path: '/a/d/2', change: 'added', after: 4 },
        { path: '/e', change: 'removed', before: 'x' },
        { path: '/f', change: 'added', after: null },
      ],
    });
    assert.deepEqual(
      [added, Object.keys(from)],
      [0, ['id', 'version_label', 'deployment_status', 'created_at']],
    );
    assert.deepEqual((await diff('v3', 'v3')).config, { changes: [] });
  });
});

onEveryEngine('Schemas of configs', (service) => {
  const put = (id: string, schema: unknown) =>
    service.call('PUT', `/v1/agents/${id}/config-schema`, { schema });
  const create = (id: string, config: unknown) =>
    service.call('POST', `/v1/agents/${id}/versions`, { config });
  const MODEL = {
    type: 'object',
    properties: { model: { type: 'object', properties: { temperature: { type: 'number' } } } },
    required: ['model'],
  };

  it('A config that does not match gets 400 with its path, and existing versions stay', async () => {
    const agent = await makeAgent(service);
    await create(agent.id, { old: true });
    assert.equal((await put(agent.id, MODEL)).status, 200);
    const reply = await create(agent.id, { model: { temperature: 'hot' } });
    assert.equal(reply.status, 400);
    assert.deepEqual(reply.body.error.details, [
      { field: 'config/model/temperature', message: 'must be number.' },
    ]);
    assert.equal((await create(agent.id, { model: { temperature: 1 } })).status, 201);
    assert.equal((await put(agent.id, { additionalProperties: { type: 'number' } })).status, 200);
    const named = await create(agent.id, { 'größe/m #1': 'hot' });
    assert.equal(named.body.error.details[0].field, 'config/größe~1m #1');
    const text = await service.call('POST', `/v1/agents/${agent.id}/versions`, {
      based_on: 'v2',
      instructions: 'x',
    });
    assert.equal(text.status, 201, 'a copied config is not checked again');
    assert.equal((await service.call('DELETE', `/v1/agents/${agent.id}/config-schema`)).status, 200);
    assert.equal((await create(agent.id, {})).status, 201);
  });

  it('A key that cannot read agents learns where a config does not match, but no value of the schema', async () => {
    const agent = await makeAgent(service);
    await put(agent.id, { properties: { model: { enum: ['private'] } } });
    const sent = async (...scopes: KeyScope[]) => {
      const key = await createScopedKey(service.database, ...scopes);
      const config = { model: 'x' };
      const reply = await service.call('POST', `/v1/agents/${agent.id}/versions`, { config }, { key });
      return reply.body.error.details;
    };
    const field = 'config/model';
    assert.deepEqual(await sent('agents:write'), [
      {
        field,
        message:
          'does not match `enum` of the config schema. A key with the scope agents:read can read that schema.',
      },
    ]);
    assert.deepEqual(await sent('agents:write', 'agents:read'), [
      { field, message: 'must be one of "private".' },
    ]);
  });

  it('A schema has an ETag, and a change of it is an update of the agent', async () => {
    const agent = await makeAgent(service);
    const path = `/v1/agents/${agent.id}/config-schema`;
    const none = await service.get(path);
    assert.deepEqual(none.body.data, { schema: null });
    const changed = await put(agent.id, MODEL);
    assert.deepEqual(changed.body.data, { schema: MODEL });
    assert.deepEqual(
      (await entriesOfRequest(service, changed)).map(({ action, fields }) => [action, fields]),
      [['agent.updated', ['config_schema']]],
    );
    assert.deepEqual(await entriesOfRequest(service, await put(agent.id, MODEL)), []);
    assert.notEqual(none.headers.get('etag'), changed.headers.get('etag'));
    assert.equal((await service.get(path)).headers.get('etag'), changed.headers.get('etag'));
  });

  it('A schema that is invalid, unsafe or not local gets 400 with its path', async () => {
    const agent = await makeAgent(service);
    const refused: [unknown, string][] = [
      [true, 'schema'],
      [{ type: 'text' }, 'schema/type'],
      [{ properties: { a: { $ref: 'https://schema.example/a.json' } } }, 'schema/properties/a/$ref'],
      [{ properties: { a: { pattern: '(a' } } }, 'schema/properties/a/pattern'],
      [{ patternProperties: { '(x': {} } }, 'schema/patternProperties/(x'],
      [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'schema/$schema'],
      [{ description: 'x'.repeat(65_536) }, 'schema'],
    ];
    for (const [schema, field] of refused) {
      const reply = await put(agent.id, schema);
      assert.deepEqual([reply.status, reply.body.error.details[0].field], [400, field]);
    }
    assertInvalid(await service.call('PUT', `/v1/agents/${agent.id}/config-schema`, {}), 'schema');
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`name_${at}`, 1]));
    assert.equal((await put(agent.id, { properties: many })).body.error.details.length, 20);
    assert.deepEqual((await service.get(`/v1/agents/${agent.id}/config-schema`)).body.data, { schema: null });
  });

  it('A schema that takes too long to check refuses the config within a second', async () => {
    const agent = await makeAgent(service);
    const twice = (at: number) => ({ allOf: [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }] });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`d${at}`, at === 39 ? {} : twice(at + 1)]),
    );
    assert.equal((await put(agent.id, { $defs, ...twice(0) })).status, 200);
    const reply = await create(agent.id, {});
    assert.equal(reply.status, 400);
    assert.match(reply.body.error.message, /takes longer than 100 ms to check/);
  });
});
