import assert from 'node:assert/strict';
import { before, describe, it, test } from 'node:test';
import { tools } from '../../src/features/mcp/tools/index.ts';
import type { AnyRoute } from '../../src/http/pipeline/route.ts';
import type { BoundRoute } from '../../src/http/pipeline/router.ts';
import { type KeyScope, keyScopes, memberScopes, presets } from '../../src/lib/scopes.ts';
import { routeTables } from '../../src/wiring/routes.ts';
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
import {
  DOCUMENTED,
  HANDED_OUT,
  HANDED_OUT_TO_USERS,
  type HandedOut,
  PROTECTED,
} from '../kit/service/handed-out.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

/** A sign-in link gives access to the dashboard, so these need the scopes of a member, too. */
const GIVES_ACCESS = new Set(['POST /users', 'POST /users/{id}/link']);

/** Texts of stored records, with the entries of the table that may show them. */
type Marks = readonly (readonly [string, readonly HandedOut[]])[];

const markRecords = async (
  owner: CheckedUser,
  { agent, contact, user, maker }: RecordSet,
): Promise<Marks> => {
  const person = { email: 'marked@person.example', notes: 'Marked notes', last_name: 'Markedname' };
  await owner.request('PATCH', `/contacts/${contact.id}`, person);
  // A rollback returns to the first version.
  await owner.request('PATCH', `/agents/${agent.id}`, { instructions: 'Marked words.' });
  await owner.request('POST', `/agents/${agent.id}/versions/v2/deploy`);
  const isNamed = ['contacts', 'enrolled contacts', 'calls', 'events'] as const;
  return [
    [person.email, ['contacts', 'events']],
    [person.notes, ['contacts', 'events']],
    [person.last_name, isNamed],
    [contact.phone_number, [...isNamed, 'imports']],
    ['Marked words.', ['instructions', 'events']],
    [user.email, ['emails of users', 'a sign-in link']],
    [maker.email, ['emails of users']],
  ];
};

const nameIn = ({ method, path }: BoundRoute) =>
  `${method} ${path.replace(/^\/(v1|dashboard\/api)/, '').replace(/:(\w+)/g, '{$1}')}`;

describe('What every operation hands out', () => {
  const { api, dashboard } = routeTables({} as never);
  const operations = new Map<string, AnyRoute>(api.map((bound) => [nameIn(bound), bound.route]));
  const own = new Map<string, AnyRoute>(dashboard.map((bound) => [nameIn(bound), bound.route]));
  const scopesOf = ({ access }: AnyRoute) => (access.extensions?.['x-required-scopes'] ?? []) as string[];

  it('is in the table, for every operation of the API, of MCP and of the dashboard', () => {
    const names = [...operations.keys(), ...tools.map(({ name }) => `MCP ${name}`)];
    assert.deepEqual(Object.keys(HANDED_OUT).sort(), names.sort());
    assert.deepEqual(Object.keys(HANDED_OUT_TO_USERS).sort(), [...own.keys()].sort());
  });

  it('is protected by scopes that the operation requires, or named in the documentation', () => {
    const required = new Map<string, readonly string[]>([
      ...[...operations].map(([name, route]) => [name, scopesOf(route)] as const),
      ...tools.map(
        ({ name, scope, alsoNeeds = [] }) => [`MCP ${name}`, [scope ?? '', ...alsoNeeds]] as const,
      ),
    ]);
    for (const [name, kinds] of Object.entries(HANDED_OUT)) {
      for (const kind of kinds.filter((each) => !DOCUMENTED[name]?.includes(each))) {
        const missing = PROTECTED[kind].filter((scope) => !required.get(name)?.includes(scope));
        assert.deepEqual(missing, [], `${name} hands out: ${kind}`);
      }
    }
  });

  it('is for members what their scopes protect, and everything else for owners', () => {
    // Members see who did what, and the settings that apply to them.
    const open: readonly HandedOut[] = ['emails of users', 'settings'];
    const rows = [
      ...[...operations].map(([name, route]) => [name, route, HANDED_OUT[name]] as const),
      ...[...own].map(([name, route]) => [name, route, HANDED_OUT_TO_USERS[name]] as const),
    ];
    for (const [name, { access }, kinds] of rows) {
      if (access.kind !== 'member' && access.extensions?.['x-required-role'] !== 'member') continue;
      for (const kind of kinds ?? []) {
        const missing = PROTECTED[kind].filter((scope) => !memberScopes.includes(scope));
        assert.ok(missing.length === 0 || open.includes(kind), `${name} hands out: ${kind}`);
      }
    }
  });

  it('is a credential in the table if the response is shown only once', () => {
    for (const [name, { returnsSecret }] of operations) {
      if (!returnsSecret) continue;
      assert.ok(
        HANDED_OUT[name]?.some((kind) => /^secret of|^events of|^an? /.test(kind)),
        name,
      );
    }
  });
});

onSqlite('Scopes of every endpoint', (service) => {
  let owner: CheckedUser;
  let document: Json;
  /** Each operation as `GET /contacts/{id}`, with the scopes it requires. */
  let required: Map<string, KeyScope[]>;
  const keys = new Map<string, string>();
  before(async () => {
    owner = await signedInOwner(service);
    document = (await service.get('/openapi.json')).body;
    required = new Map(
      [...operationsOf(document)].flatMap(([name, { 'x-required-scopes': scopes, security }]) => {
        const [method = '', path = ''] = name.split(' ');
        if (!path.startsWith('/v1/')) return [];
        assert.ok(scopes.length > 0 && security === undefined, name);
        return [[`${method.toUpperCase()} ${path.replace('/v1', '')}`, scopes]];
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

  const send = (operation: Operation, key: string, prefix = '/v1') =>
    service.call(operation.method, `${prefix}${pathOf(operation)}`, operation.body, { key });

  test('A key with all other scopes gets a 403 that names the missing one', async () => {
    for (const [name, scope] of [...required].flatMap(([name, all]) =>
      all.map((one) => [name, one] as const),
    )) {
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

  test('The description of every operation names its scopes', () => {
    for (const [name, operation] of operationsOf(document)) {
      const scopes: string[] = operation['x-required-scopes'] ?? [];
      const last =
        operation.description?.slice(operation.description.lastIndexOf('Requires the scope')) ?? '';
      assert.deepEqual(
        [...last.matchAll(/`(.*?)`/g)].map(([, scope]) => scope),
        scopes,
        name,
      );
    }
  });

  test('A key with only the scopes of an operation can call it, and sees only what they protect', async () => {
    const check = templateResponseCheck(document);
    const records: RecordSet = await makeRecordSet(service, owner);
    const marks = await markRecords(owner, records);
    const operations = everyApiOperation(records).filter((each) => required.has(nameOf(each)));
    assert.deepEqual(
      operations.map(nameOf).sort(),
      [...required.keys()].sort(),
      'test/kit/service/api-operations.ts has every operation',
    );
    for (const operation of operations) {
      const name = nameOf(operation);
      const scopes = required.get(name) as KeyScope[];
      const key = await keyWith(GIVES_ACCESS.has(name) ? [...scopes, ...memberScopes] : scopes);
      const sent = pathOf(operation) + JSON.stringify(operation.body ?? {});
      const { responses } = document.paths[`/v1${operation.path}`][operation.method.toLowerCase()];
      const success = Object.keys(responses).filter((status) => status.startsWith('2'));
      const reply = await send(operation, key, '/api/v1');
      assert.ok(success.includes(String(reply.status)), `${name}: ${reply.text}`);
      check(operation.method, `/v1${operation.path}`, reply);
      for (const [mark, kinds] of marks) {
        if (!reply.text.includes(mark) || sent.includes(mark)) continue;
        assert.ok(
          HANDED_OUT[name]?.some((kind) => kinds.includes(kind)),
          `${name} shows ${mark}`,
        );
      }
    }
  });

  test('A HEAD request has the status of the GET, and another method gets a 405, under both prefixes', async () => {
    const records = await makeRecordSet(service, owner);
    const operations = everyApiOperation(records).filter((each) => required.has(nameOf(each)));
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const key = await keyWith(required.get(nameOf(operation)) as KeyScope[]);
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
