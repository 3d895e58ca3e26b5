import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import {
  everyOperation,
  makeRecordSet,
  nameOf,
  type Operation,
  pathOf,
  readAllTables,
} from '../kit/dashboard/operations.ts';
import { PASSWORD, signedInUser } from '../kit/dashboard/users.ts';
import { assertError } from '../kit/http/assertions.ts';
import { onSqlite } from '../kit/service/test-service.ts';

const changes = (operation: Operation) =>
  operation.method !== 'GET' && !/^POST \/session(\/link)?$/.test(nameOf(operation));

onSqlite('CSRF protection of the dashboard', (service) => {
  let owner: CheckedUser;
  let operations: Operation[];
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    operations = everyOperation(await makeRecordSet(service, owner));
  });

  const refusals: [string, () => Record<string, string | null>][] = [
    ['without proof of origin', () => ({ origin: null })],
    ['from another site', () => ({ origin: 'https://evil.example' })],
    ['from another port of this host', () => ({ origin: `${service.url}0` })],
    ['from this host over another scheme', () => ({ origin: service.url.replace('http:', 'https:') })],
    ['from a page without an origin', () => ({ origin: 'null' })],
    ['marked cross-site by the browser', () => ({ 'sec-fetch-site': 'cross-site' })],
    [
      'marked cross-site by the browser, without an origin',
      () => ({ origin: null, 'sec-fetch-site': 'cross-site' }),
    ],
    ['from a sibling domain', () => ({ origin: null, 'sec-fetch-site': 'same-site' })],
    ['typed into the address bar', () => ({ origin: null, 'sec-fetch-site': 'none' })],
    [
      'with a forged X-Forwarded-Host',
      () => ({ origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }),
    ],
  ];
  for (const [title, headers] of refusals) {
    test(`A change ${title} gets 403 and has no effect`, async () => {
      const before = await readAllTables(service);
      for (const operation of operations.filter(changes)) {
        const reply = await owner.call(operation.method, pathOf(operation), operation.body, {
          headers: headers(),
        });
        assertError(reply, 403, 'FORBIDDEN');
      }
      assert.deepEqual(await readAllTables(service), before);
    });
  }

  test('An anonymous change gets 401 before the origin is checked', async () => {
    for (const operation of operations.filter(changes)) {
      const reply = await owner.call(operation.method, pathOf(operation), operation.body, {
        headers: { origin: null, cookie: null },
      });
      assertError(reply, 401, 'UNAUTHORIZED');
    }
  });

  test('Sec-Fetch-Site: same-origin alone proves the origin of a change', async () => {
    const headers = { origin: null, 'sec-fetch-site': 'same-origin' };
    const reply = await owner.call('POST', '/integrations', { name: 'From our pages' }, { headers });
    assert.equal(reply.status, 201);
  });

  test('Read requests need no proof of origin', async () => {
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const variants: Record<string, string | null>[] = [
        { origin: null },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      ];
      for (const headers of variants) {
        const reply = await owner.call('GET', pathOf(operation), undefined, { headers });
        assert.equal(reply.status, 200, nameOf(operation));
        assert.equal(reply.headers.get('access-control-allow-origin'), null);
      }
    }
    const head = await fetch(`${service.url}/dashboard/api/session`, {
      method: 'HEAD',
      headers: { cookie: owner.cookie },
    });
    assert.equal(head.status, 200);
  });

  test('Preflight requests of another site are refused', async () => {
    const reply = await service.call('OPTIONS', '/dashboard/api/contacts', undefined, {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    assertError(reply, 405, 'METHOD_NOT_ALLOWED');
    assert.equal(reply.headers.get('access-control-allow-origin'), null);
  });

  test('Another site cannot sign a visitor in', async () => {
    const signIn = (headers: Record<string, string>) =>
      service.post(
        '/dashboard/api/session',
        { email: 'owner@example.com', password: PASSWORD },
        { headers: { authorization: null, ...headers } },
      );
    const variants: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: service.url, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of variants) {
      const reply = await signIn(headers);
      assertError(reply, 403, 'FORBIDDEN');
      assert.equal(reply.headers.get('set-cookie'), null);
    }
    assert.equal((await signIn({ origin: service.url, 'sec-fetch-site': 'same-origin' })).status, 200);
  });
});
