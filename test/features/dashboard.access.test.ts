import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import {
  everyOperation,
  makeRecordSet,
  nameOf,
  type Operation,
  pathOf,
  type RecordSet,
  readAllTables,
} from '../kit/dashboard/operations.ts';
import { userPath } from '../kit/dashboard/user-path.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { KEY, onSqlite } from '../kit/service/test-service.ts';

/** Operations for owners only: keys, users, integrations, webhooks, events, the audit log, and changes of settings and fields. */
const isForOwners = (operation: Operation) =>
  /^\/(keys|users|integrations|webhooks|events|audit|sample-data)(\/|$)/.test(operation.path) ||
  /^(PATCH \/settings|PUT \/call-settings|(PUT|DELETE) \/chat-model|(POST|PATCH|DELETE) \/fields)(\/|$)/.test(
    nameOf(operation),
  );
/** Whether only the dashboard has it. */
const isOwn = ({ method, path }: Operation) => userPath(method, path).startsWith('/dashboard/api/');
const isSignIn = (operation: Operation) => /^POST \/session(\/link)?$/.test(nameOf(operation));

onSqlite('Access to the dashboard API', (service) => {
  let owner: CheckedUser;
  let member: CheckedUser;
  let records: RecordSet;
  let operations: Operation[];
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    member = await checkedUser(service, await signedInUser(service, 'member@example.com', 'member'));
    records = await makeRecordSet(service, owner);
    operations = everyOperation(records);
  });

  test('Anonymous requests get 401 for every operation, and learn nothing from it', async () => {
    const before = await readAllTables(service);
    const refusals = new Set<string>();
    for (const operation of operations.filter((each) => !isSignIn(each))) {
      const reply = await owner.call(operation.method, pathOf(operation), operation.body, {
        headers: { cookie: null },
      });
      assertError(reply, 401, 'UNAUTHORIZED');
      refusals.add(comparableReply(reply).text);
    }
    assert.equal(refusals.size, 2, 'one of /v1, one of the dashboard');
    for (const path of ['/contacts?limit=0', '/agents/no-uuid', '/contacts/nothing', '/calls/nothing']) {
      assertError(
        await owner.call('GET', path, undefined, { headers: { cookie: null } }),
        401,
        'UNAUTHORIZED',
      );
    }
    assert.deepEqual(await readAllTables(service), before);
  });

  test('The dashboard API rejects every API key', async () => {
    const before = await readAllTables(service);
    for (const key of [KEY, records.key.key]) {
      for (const operation of operations.filter((each) => isOwn(each) && !isSignIn(each))) {
        const headers = { cookie: null, authorization: `Bearer ${key}` };
        const reply = await owner.call(operation.method, pathOf(operation), operation.body, { headers });
        assertError(reply, 401, 'UNAUTHORIZED');
      }
      const asCookie = { cookie: `roster_session=${key}` };
      assertError(
        await owner.call('GET', '/contacts', undefined, { headers: asCookie }),
        401,
        'UNAUTHORIZED',
      );
    }
    assert.deepEqual(await readAllTables(service), before);
  });

  test('A session with a key is refused, its token is no key, and it opens no hook', async () => {
    const before = await readAllTables(service);
    const { cookie } = owner;
    const token = cookie.slice('roster_session='.length);
    for (const prefix of ['/v1', '/api/v1']) {
      for (const [method, path, body] of [
        ['GET', '/contacts', undefined],
        ['POST', '/contacts', { phone_number: '+12025550199' }],
        ['DELETE', `/agents/${records.agent.id}`, undefined],
      ] as const) {
        const send = (headers: Record<string, string | null>) =>
          service.call(method, prefix + path, body, { headers: { origin: service.url, ...headers } });
        assertError(await send({ cookie, authorization: `Bearer ${KEY}` }), 400, 'VALIDATION_ERROR');
        const asKey = await send({ cookie: null, authorization: `Bearer ${token}` });
        assertError(asKey, 401, 'UNAUTHORIZED');
        assert.equal(asKey.headers.get('www-authenticate'), 'Bearer');
      }
    }
    const hook = await service.get(`/hooks/channels/${records.channel.id}/agent`, {
      headers: { authorization: null, cookie },
    });
    assertError(hook, 401, 'UNAUTHORIZED');
    assert.deepEqual(await readAllTables(service), before);
  });

  test('Members cannot access keys, users, integrations, webhooks, events and the audit log', async () => {
    const before = await readAllTables(service);
    const forOwners = operations.filter(isForOwners);
    assert.equal(forOwners.length, 45);
    for (const operation of forOwners) {
      const reply = await member.call(operation.method, pathOf(operation), operation.body);
      assertError(reply, 403, 'FORBIDDEN');
      assert.doesNotMatch(reply.text, /Origin/, 'it is the role that is missing, not the proof of origin');
    }
    for (const [method, path, body] of [
      ['POST', '/keys', {}],
      ['DELETE', '/users/nobody', undefined],
      ['PATCH', '/users/nobody', { role: 'king' }],
    ] as const) {
      assertError(await member.call(method, path, body), 403, 'FORBIDDEN');
    }
    assert.deepEqual(await readAllTables(service), before);
  });

  test('Members can access everything else in the dashboard API', async () => {
    const maker = await member.request('GET', '/session');
    const view = await member.request(
      'POST',
      '/views',
      { list: 'campaigns', name: 'Mine', query: 'sort=name' },
      201,
    );
    const segment = await member.request('POST', '/segments', { name: 'Mine', filter: { all: [] } }, 201);
    const own = everyOperation({ ...records, maker, segment, view });
    for (const operation of own.filter((each) => !isForOwners(each))) {
      const reply = await member.call(operation.method, pathOf(operation), operation.body);
      assert.ok([200, 201].includes(reply.status), `${nameOf(operation)}: ${reply.text}`);
    }
  });
});
