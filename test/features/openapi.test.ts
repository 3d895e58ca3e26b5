import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser, responseCheck } from '../kit/dashboard/checked-client.ts';
import {
  everyOperation,
  makeRecordSet,
  nameOf,
  type Operation,
  pathOf,
} from '../kit/dashboard/operations.ts';
import { userPath } from '../kit/dashboard/user-path.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { createAjv } from '../kit/http/openapi.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

const committed = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** Operations of the API that the dashboard does not use. */
const KEYS_ONLY = new Set([
  'GET /v1/contacts',
  'GET /v1/contacts/by-phone/{phone}',
  'PUT /v1/contacts/by-phone/{phone}',
  'POST /v1/contacts/batch',
  'POST /v1/agents/{id}/rollback',
  'GET /v1/agents/{id}/versions/{version}/diff',
  'POST /v1/campaigns/{id}/claims',
]);

onSqlite('OpenAPI documents', (service) => {
  let document: Json;
  let api: Json;
  let owner: CheckedUser;
  before(async () => {
    document = (await service.get('/dashboard/openapi.json')).body;
    api = (await service.get('/openapi.json')).body;
    owner = await checkedUser(service, await signedInUser(service));
  });

  test('The OpenAPI documents equal the committed files', async () => {
    const dashboard = await service.get('/dashboard/openapi.json', { headers: { authorization: null } });
    assert.equal(dashboard.status, 200);
    assert.equal(dashboard.text, committed('openapi.dashboard.json'), 'run `npm run openapi`');
    assert.equal(
      (await service.get('/openapi.json')).text,
      committed('openapi.json'),
      'run `npm run openapi`',
    );
  });

  test('The documents are OpenAPI 3.1 with valid references and unique operation names', () => {
    assert.equal(document.openapi, '3.1.0');
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      assert.ok(document.components.schemas[name as string], `there is a schema ${name}`);
    }
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path as Json));
    const ids = operations.map(({ operationId }: Json) => operationId);
    assert.deepEqual([...new Set(ids)], ids);
    for (const id of ids) assert.match(id, /^[a-z][a-zA-Z]+$/);
    for (const path of Object.keys(document.paths)) assert.match(path, /^\/dashboard\/api\//);
    const ajv = createAjv({ strict: false });
    ajv.addSchema(document, 'document');
    for (const name of Object.keys(document.components.schemas)) {
      assert.equal(typeof ajv.compile({ $ref: `document#/components/schemas/${name}` }), 'function');
    }
  });

  test('Every operation but signing in requires the session cookie', () => {
    assert.deepEqual(document.security, [{ session: [] }]);
    const { session } = document.components.securitySchemes;
    assert.deepEqual([session.type, session.in, session.name], ['apiKey', 'cookie', 'roster_session']);
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      for (const [method, { security }] of Object.entries<Json>(methods)) {
        const open = /^\/dashboard\/api\/session(\/link)?$/.test(path) && method === 'post';
        assert.deepEqual(security, open ? [] : undefined, `${method} ${path}`);
      }
    }
  });

  test('Every operation is documented, and each response matches its schema', async () => {
    const records = await makeRecordSet(service, owner);
    const operations = everyOperation(records);
    const named = [...Object.entries<Json>(document.paths), ...Object.entries<Json>(api.paths)]
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .filter((name) => !name.includes(' /hooks/') && !KEYS_ONLY.has(name));
    const addressOf = ({ method, path }: Operation) => userPath(method, path);
    assert.deepEqual(operations.map((each) => `${each.method} ${addressOf(each)}`).sort(), named.sort());
    for (const operation of operations) {
      const { method, body } = operation;
      const address = addressOf(operation);
      const { responses } = (document.paths[address] ?? api.paths[address])[method.toLowerCase()];
      const success = Object.keys(responses).filter((status) => status.startsWith('2'));
      const reply = await owner.call(method, pathOf(operation), body);
      assert.ok(success.includes(String(reply.status)), `${nameOf(operation)}: ${reply.text}`);
    }
  });

  test('The schemas are strict: an extra field, a missing field or a wrong type is detected', async () => {
    const describe = responseCheck(document);
    const reply = await service.get('/dashboard/api/session', { headers: { authorization: null } });
    describe('GET', '/dashboard/api/session', reply);
    const { error, success } = reply.body;
    const fits = (body: Json, status = reply.status) =>
      describe('GET', '/dashboard/api/session', { ...reply, body, status });
    assert.throws(() => fits({ success, error, more: 1 }));
    assert.throws(() => fits({ success }));
    assert.throws(() => fits({ success, error: { ...error, code: 'OTHER' } }));
    assert.throws(() => fits({ success: true, error }));
    assert.throws(() => fits(reply.body, 200));
    assert.throws(() => fits(reply.body, 418));
  });
});
