import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { createKey } from '../../src/features/workspaces/key.service.ts';
import type { KeyScope } from '../../src/lib/scopes.ts';
import { COMMAND_LINE } from '../../src/records/change.ts';
import { describeApi } from '../../src/wiring/documents.ts';
import { raceWhileLocked } from '../kit/database/locks.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type Contract, operationsOf, readContract } from '../kit/http/openapi.ts';
import { type CallOptions, type Json, onSqlite } from '../kit/service/test-service.ts';

const committed = () => readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');

/** Statuses that these tests do not provoke. */
const NOT_PROVOKED = /^(429|500|503)$/;

/** The operations of the specification. Tests of other endpoints check their responses themselves. */
const SPECIFIED = ['contacts', 'agents'].flatMap((name) => [
  `get /v1/${name}`,
  `post /v1/${name}`,
  ...['get', 'patch', 'delete'].map((method) => `${method} /v1/${name}/{id}`),
]);

describe('Committed OpenAPI document', () => {
  const document: Json = JSON.parse(committed());

  it('The OpenAPI document matches the routes; `npm run openapi` updates it', () => {
    assert.equal(committed(), `${JSON.stringify(describeApi({} as never), null, 2)}\n`);
  });

  it('The OpenAPI document has what OpenAPI 3.1 requires', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.deepEqual(Object.keys(document).sort(), [
      'components',
      'info',
      'openapi',
      'paths',
      'security',
      'servers',
      'tags',
      'webhooks',
    ]);
    assert.match(document.info.title, /\S/);
    assert.match(document.info.version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    for (const server of document.servers) assert.match(server.url, /^\//);
    assert.deepEqual(
      document.servers.map(({ url }: Json) => url),
      ['/', '/api'],
    );
    for (const [name] of document.security.flatMap((each: Json) => Object.entries(each))) {
      assert.ok(name in document.components.securitySchemes);
    }
    assert.deepEqual(document.security, [{ key: [] }, { session: [] }]);
    for (const scheme of Object.values<Json>(document.components.securitySchemes)) {
      const isBearer = scheme.type === 'http' && scheme.scheme === 'bearer';
      assert.ok(isBearer || (scheme.type === 'apiKey' && /^(?:header|cookie)$/.test(scheme.in)));
    }
  });

  it('Every operation of the OpenAPI document has its own id', () => {
    const ids = [...operationsOf(document).values()].map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[a-z][A-Za-z]+$/);
  });

  it('The OpenAPI document describes the endpoints of the specification completely', () => {
    const operations = operationsOf(document);
    for (const name of SPECIFIED) {
      const operation = operations.get(name);
      assert.ok(operation, name);
      const path = name.split(' ')[1] as string;
      const parameters: Json[] = operation.parameters ?? [];
      const inPath = parameters.filter((each) => each.in === 'path');
      assert.deepEqual(
        inPath.map((each) => `{${each.name}}`),
        path.match(/\{\w+\}/g) ?? [],
      );
      for (const each of inPath) assert.equal(each.required, true);
      for (const { schema } of parameters) {
        for (const each of schema.anyOf ?? [schema]) assert.equal(typeof each.type, 'string');
      }
      assert.equal(new Set(parameters.map((each) => `${each.in} ${each.name}`)).size, parameters.length);
      assert.equal('requestBody' in operation, /^(post|patch) /.test(name));
      const statuses = Object.keys(operation.responses);
      assert.deepEqual(
        statuses.filter((status) => Number(status) < 400),
        name.startsWith('post ') ? ['201'] : /^get .*\}$/.test(name) ? ['200', '304'] : ['200'],
      );
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        assert.match(response.description, /\S/);
        assert.deepEqual(Object.keys(response.content ?? {}), status === '304' ? [] : ['application/json']);
      }
    }
    const query = (name: string) =>
      operations.get(name).parameters.map((each: Json) => `${each.in} ${each.name}`);
    const specified = ['query limit', 'query offset', 'query search', 'query tag'];
    assert.deepEqual(query('get /v1/contacts').slice(0, 4), specified);
    assert.deepEqual(query('get /v1/agents'), ['query limit', 'query offset']);
    for (const name of ['contacts', 'agents']) {
      const including = name === 'contacts' ? ['query include'] : [];
      assert.deepEqual(query(`post /v1/${name}`), [...including, 'header Idempotency-Key']);
      for (const [method, ...headers] of [
        ['get', 'If-None-Match'],
        ['patch', 'If-Match', 'Idempotency-Key'],
        ['delete', 'If-Match'],
      ]) {
        const extensions = method === 'delete' ? [] : including;
        assert.deepEqual(query(`${method} /v1/${name}/{id}`), [
          'path id',
          ...extensions,
          ...headers.map((header) => `header ${header}`),
        ]);
      }
    }
  });

  it('The OpenAPI document has the hooks with their own credentials and without a second prefix', () => {
    const hooks = [...operationsOf(document)].filter(([name]) => name.includes(' /hooks/'));
    assert.deepEqual(
      hooks.map(([name, { security }]) => [name, security.flatMap((each: Json) => Object.keys(each))]),
      [
        ['get /hooks/channels/{id}/agent', ['channelSecret']],
        ['post /hooks/channels/{id}/events', ['webhookSignature', 'twilioSignature']],
        ['post /hooks/channels/{id}/sessions', ['channelSecret']],
        ['post /hooks/channels/{id}/platform', ['channelSecret', 'platformSignature']],
        ['post /hooks/contacts/{id}', ['integrationSecret']],
      ],
    );
    for (const [, { servers }] of hooks) assert.deepEqual(servers, [{ url: '/' }]);
  });

  it('Every schema reference of the OpenAPI document resolves, and every schema is used', () => {
    const references = [...committed().matchAll(/"\$ref": "([^"]+)"/g)].map(([, target]) => target);
    const names = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    assert.deepEqual([...new Set(references)].sort(), names.sort());
  });

  it('The OpenAPI document contains only JSON Schema 2020-12 schemas', () => {
    const contract = readContract(document);
    contract.compileAll();
    assert.equal(contract.operations.size, operationsOf(document).size);
  });
});

onSqlite('Served OpenAPI document', (service) => {
  let contract: Contract;
  let readOnly: CallOptions;
  let unrelated: CallOptions;
  before(async () => {
    contract = readContract((await service.get('/openapi.json', { headers: { authorization: null } })).body);
    const storage = await openTestStorage(service.database);
    const [workspace] = await service.database.query(`select id from workspaces where name = 'default'`);
    const principal = { workspace: Number(workspace?.id), actor: COMMAND_LINE };
    const withScopes = async (...scopes: KeyScope[]): Promise<CallOptions> => {
      const { key } = await storage.run(createKey, principal, { name: 'scoped', scopes, expires_at: null });
      return { key };
    };
    readOnly = await withScopes('contacts:read', 'agents:read');
    unrelated = await withScopes('calls:read');
    await storage.close();
  });

  it('The OpenAPI document is served as committed', async () => {
    const reply = await service.get('/openapi.json', { headers: { authorization: null } });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(reply.text, committed());
  });

  /** Calls the service and checks the response against the document. */
  const call = async (
    status: number,
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Json> => {
    const reply = await service.call(method.toUpperCase(), path, body, options);
    assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
    contract.check(method, path, reply, body);
    return reply.body;
  };

  const full = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    display_name: 'Countess',
    email: 'ada@example.com',
    company: 'Engine',
    notes: '',
    tags: ['a', 'b'],
  };
  const empty = Object.fromEntries(Object.keys(full).map((field) => [field, field === 'tags' ? [] : null]));

  for (const prefix of ['/v1', '/api/v1']) {
    it(`Responses under ${prefix} match the OpenAPI document`, async () => {
      const contacts = `${prefix}/contacts`;
      const agents = `${prefix}/agents`;
      const phone_number = newPhone();
      const { data: contact } = await call(201, 'post', contacts, { phone_number, ...full });
      const { data: other } = await call(201, 'post', contacts, { phone_number: newPhone(), ...empty });
      const read = await call(200, 'get', `${contacts}/${contact.id}`);
      await call(200, 'get', `${contacts}/${other.id}`);
      await call(200, 'get', `${contacts}?limit=1&search=ada&tag=a`);
      await call(200, 'get', `${contacts}?offset=5000`);
      await call(200, 'patch', `${contacts}/${contact.id}`, read.data);
      await call(200, 'patch', `${contacts}/${contact.id}`, empty);
      await call(200, 'patch', `${contacts}/${contact.id}`, {
        phone_number: newPhone(),
        confirm_phone_change: false,
      });

      const { data: agent } = await call(201, 'post', agents, { name: 'A', instructions: '' });
      await call(200, 'get', `${agents}/${agent.id}`);
      await call(200, 'get', agents);
      await call(200, 'patch', `${agents}/${agent.id}`, { description: 'd', instructions: 'Be kind.' });
      await markDeployed(service.database, agent.id, 1);
      const deployed = await call(200, 'get', `${agents}/${agent.id}`);
      assert.equal(deployed.data.deployed_version.version_label, 'v1');
      assert.equal((await call(200, 'get', agents)).data[0].deployed_version.version_label, 'v1');
      await call(200, 'patch', `${agents}/${agent.id}`, deployed.data);

      for (const [path, id] of [
        [contacts, contact.id],
        [agents, agent.id],
      ]) {
        const right = path === contacts ? { phone_number: newPhone() } : { name: 'A', instructions: '' };
        const unknownId = '01985f1f-7a4d-7a11-8a3c-6f5e4d3c2b1a';
        await call(400, 'get', `${path}?limit=0&offset=-1&other=1`);
        for (const [method, target] of [
          ['post', path],
          ['patch', `${path}/${id}`],
        ] as const) {
          await call(400, method, target, { name: 7, phone_number: 7, first_name: 7, other: 1 });
          await call(400, method, target, undefined, { raw: '{' });
          await call(413, method, target, { notes: 'x'.repeat(1_048_576) });
          await call(415, method, target, right, { headers: { 'content-type': 'text/plain' } });
        }
        const targets = [
          ['get', path],
          ['get', `${path}/${id}`],
          ['post', path, right],
          ['patch', `${path}/${id}`, {}],
          ['delete', `${path}/${id}`],
        ] as const;
        for (const [method, target, body] of targets) {
          await call(401, method, target, body, { key: 'rk_1_unknown' });
          await call(403, method, target, body, method === 'get' ? unrelated : readOnly);
        }
        for (const method of ['get', 'patch', 'delete']) {
          const body = method === 'patch' ? {} : undefined;
          await call(404, method, `${path}/${unknownId}`, body);
          await call(path === agents ? 400 : 404, method, `${path}/no-id`, body);
        }
      }
      await call(400, 'get', `${contacts}/${contact.id}?include=other`);
      await call(404, 'get', `${contacts}?segment=segment_01arz3ndektsv4rrffq69g5fav`);
      for (const target of [`${contacts}/${contact.id}`, `${agents}/${agent.id}`]) {
        const etag = (await service.get(target)).headers.get('etag');
        await call(304, 'get', target, undefined, { headers: { 'if-none-match': etag } });
        for (const [method, body] of [
          ['patch', {}],
          ['delete', undefined],
        ] as const) {
          await call(412, method, target, body, { headers: { 'if-match': '"another"' } });
          await call(400, method, target, body, { headers: { 'if-match': 'no tag' } });
        }
      }
      for (const [method, target, sent, other] of [
        ['post', contacts, { phone_number: newPhone() }, { phone_number: newPhone() }],
        ['patch', `${contacts}/${contact.id}`, { notes: 'one' }, { notes: 'other' }],
        ['post', agents, { name: 'one', instructions: '' }, { name: 'other', instructions: '' }],
        ['patch', `${agents}/${agent.id}`, { name: 'one' }, { name: 'other' }],
      ] as const) {
        const key = withIdempotencyKey(prefix);
        const send = () => service.call(method.toUpperCase(), target, sent, key);
        const [, second] = await raceWhileLocked(service.database, () => [send(), send()]);
        assert.equal(second.status, 409, second.text);
        contract.check(method, target, second, sent);
        await call(method === 'post' ? 201 : 200, method, target, sent, key);
        await call(422, method, target, other, key);
      }
      await call(409, 'post', contacts, { phone_number: other.phone_number });
      await call(409, 'patch', `${contacts}/${contact.id}`, { phone_number: other.phone_number });
      await call(200, 'delete', `${contacts}/${contact.id}`);
      await call(200, 'delete', `${agents}/${agent.id}`);
    });
  }

  it('Every described response was checked against the OpenAPI document', () => {
    const described = SPECIFIED.flatMap((name) =>
      Object.keys(contract.operations.get(name)?.responses ?? {})
        .filter((status) => !NOT_PROVOKED.test(status))
        .map((status) => `${name} ${status}`),
    );
    assert.deepEqual([...contract.seen].sort(), described.sort());
  });
});
