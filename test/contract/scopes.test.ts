import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type KeyScope, keyScopes, memberScopes, presets } from '../../src/lib/scopes.ts';
import { type CheckedUser, templateResponseCheck } from '../kit/dashboard/checked-client.ts';
import {
  makeRecordSet,
  nameOf,
  type Operation,
  pathOf,
  type RecordSet,
} from '../kit/dashboard/operations.ts';
import { makeAgentWithVersions, signedInOwner } from '../kit/fixtures/agents.ts';
import { assertError } from '../kit/http/assertions.ts';
import { operationsOf } from '../kit/http/openapi.ts';
import { everyApiOperation } from '../kit/service/api-operations.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

/** A sign-in link gives access to the dashboard, so these need the scopes of a member, too. */
const GIVES_ACCESS = new Set(['POST /users', 'POST /users/{id}/link']);

onEveryEngine('Scopes of every endpoint', (service) => {
  let owner: CheckedUser;
  let document: Json;
  /** Each operation as `GET /contacts/{id}`, with the scope it requires. */
  let required: Map<string, KeyScope>;
  const keys = new Map<string, string>();
  before(async () => {
    owner = await signedInOwner(service);
    document = (await service.get('/openapi.json')).body;
    required = new Map(
      [...operationsOf(document)].flatMap(([name, { 'x-required-scopes': scopes, security }]) => {
        const [method = '', path = ''] = name.split(' ');
        if (!path.startsWith('/v1/')) return [];
        assert.deepEqual([scopes.length, security], [1, undefined], name);
        return [[`${method.toUpperCase()} ${path.replace('/v1', '')}`, scopes[0]]];
      }),
    );
  });

  /** A key with exactly these scopes. */
  const keyWith = async (scopes: readonly KeyScope[]): Promise<string> => {
    const name = scopes.join(' ');
    const key = keys.get(name) ?? (await owner.request('POST', '/keys', { name: 'scoped', scopes }, 201)).key;
    keys.set(name, key);
    return key;
  };

  const send = (operation: Operation, key: string, prefix = '/v1') => {
    const query = operation.query === undefined ? '' : `?${operation.query}`;
    return service.call(operation.method, `${prefix}${pathOf(operation)}${query}`, operation.body, { key });
  };

  test('A key with all other scopes gets a 403 that names the missing one', async () => {
    for (const [name, scope] of required) {
      const [method = '', path = ''] = name.split(' ');
      const key = await keyWith(keyScopes.filter((each) => each !== scope));
      for (const prefix of ['/v1', '/api/v1']) {
        const params = path.replace(/\{\w+\}/g, 'unknown');
        const reply = await service.call(method, prefix + params, method === 'GET' ? undefined : {}, { key });
        const error = assertError(reply, 403, 'FORBIDDEN');
        assert.deepEqual(error.details, { required_scope: scope }, name);
        assert.ok(error.message.includes(scope), error.message);
      }
    }
  });

  test('The description of every operation names its scope', () => {
    for (const [name, operation] of operationsOf(document)) {
      const scope = operation['x-required-scopes']?.[0];
      if (scope) assert.ok(operation.description.endsWith(`Requires the scope \`${scope}\`.`), name);
    }
  });

  test('A key with only the scope of an operation can call it, and each response matches the document', async () => {
    const check = templateResponseCheck(document);
    const records: RecordSet = await makeRecordSet(service, owner);
    const operations = everyApiOperation(records).filter((each) => required.has(nameOf(each)));
    assert.deepEqual(
      operations.map(nameOf).sort(),
      [...required.keys()].sort(),
      'test/kit/service/api-operations.ts has every operation',
    );
    // The version that a rollback returns to.
    const { id } = records.agent;
    await owner.request('PATCH', `/agents/${id}`, { instructions: 'Second.' });
    await owner.request('POST', `/agents/${id}/versions/v2/deploy`);
    for (const operation of operations) {
      const name = nameOf(operation);
      const scope = required.get(name) as KeyScope;
      const key = await keyWith(GIVES_ACCESS.has(name) ? [scope, ...memberScopes] : [scope]);
      const { responses } = document.paths[`/v1${operation.path}`][operation.method.toLowerCase()];
      const success = Object.keys(responses).filter((status) => status.startsWith('2'));
      const reply = await send(operation, key, '/api/v1');
      assert.ok(success.includes(String(reply.status)), `${name}: ${reply.text}`);
      check(operation.method, `/v1${operation.path}`, reply);
    }
  });

  test('A HEAD request has the status of the GET, and another method gets a 405, under both prefixes', async () => {
    const records = await makeRecordSet(service, owner);
    const operations = everyApiOperation(records).filter((each) => required.has(nameOf(each)));
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const key = await keyWith([required.get(nameOf(operation)) as KeyScope]);
      const replies = [];
      for (const prefix of ['/v1', '/api/v1'])
        replies.push(await send({ ...operation, method: 'HEAD' }, key, prefix));
      assert.deepEqual(
        replies.map(({ status, text }) => [status, text]),
        [
          [200, ''],
          [200, ''],
        ],
        nameOf(operation),
      );
      const refused = await send({ ...operation, method: 'OPTIONS' }, key);
      assertError(refused, 405, 'METHOD_NOT_ALLOWED');
      assert.match(refused.headers.get('allow') ?? '', /GET, HEAD/);
    }
  });

  test('Keys with the scope read or read_write cannot deploy or roll back', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const deployer = await keyWith(['agents:deploy']);
    for (const version of versions) {
      const reply = await service.post(`/v1/agents/${id}/versions/${version}/deploy`, {}, { key: deployer });
      assert.equal(reply.status, 200, reply.text);
    }
    for (const scope of Object.keys(presets)) {
      const { key } = await owner.request('POST', '/keys', { name: scope, scope }, 201);
      for (const prefix of ['/v1', '/api/v1']) {
        for (const path of [`/agents/${id}/versions/${versions[0]}/deploy`, `/agents/${id}/rollback`]) {
          const error = assertError(await service.post(prefix + path, {}, { key }), 403, 'FORBIDDEN');
          assert.deepEqual(error.details, { required_scope: 'agents:deploy' });
        }
      }
    }
    // The key of the environment is a read_write key.
    assertError(await service.post(`/v1/agents/${id}/rollback`, {}), 403, 'FORBIDDEN');
    const { body } = await service.get(`/v1/agents/${id}`);
    assert.equal(body.data.deployed_version.version_label, 'v2');
  });
});
