import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { type Json, onSqlite, type Reply } from '../kit/service/test-service.ts';

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const assertSuccess = (reply: Reply, status: number, keys = ['success', 'data']) => {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(reply.headers.get('x-request-id') ?? '', /^req_\w{10,}$/);
  assert.deepEqual(Object.keys(reply.body), keys);
  assert.equal(reply.body.success, true);
};

onSqlite('Response envelope', (service) => {
  const records: Record<string, Json> = {};
  before(async () => {
    records.contacts = await makeContact(service);
    records.agents = await makeAgent(service);
  });
  const newBody = (resource: string) =>
    resource === 'contacts' ? { phone_number: newPhone() } : { name: 'A', instructions: '' };

  for (const resource of ['contacts', 'agents']) {
    for (const prefix of ['/v1', '/api/v1']) {
      const collection = `${prefix}/${resource}`;

      it(`Every success of ${collection} has the response envelope`, async () => {
        const created = await service.post(collection, newBody(resource));
        assertSuccess(created, 201);
        const at = `${collection}/${created.body.data.id}`;
        assert.equal(created.headers.get('location'), at);
        assertSuccess(await service.get(at), 200);
        assertSuccess(await service.patch(at, {}), 200);
        assertSuccess(await service.get(collection), 200, ['success', 'data', 'pagination']);
        const removed = await service.delete(at);
        assertSuccess(removed, 200);
        assert.deepEqual(removed.body.data, { deleted: true });
        assertError(await service.get(at), 404, 'NOT_FOUND');
      });

      it(`Every error of ${collection} has the response envelope`, async () => {
        const at = `${collection}/${UNKNOWN_ID}`;
        const anonymous = { headers: { authorization: null } };
        const all: [method: string, path: string, body?: unknown][] = [
          ['GET', collection],
          ['POST', collection, {}],
          ['GET', at],
          ['PATCH', at, {}],
          ['DELETE', at],
        ];
        for (const [method, path, body] of all) {
          assertError(await service.call(method, path, body, anonymous), 401, 'UNAUTHORIZED');
        }
        assertInvalid(await service.get(`${collection}?limit=0`), 'limit');
        assertInvalid(await service.get(`${collection}?lmit=5`), 'lmit');
        assertError(await service.post(collection, {}), 400, 'VALIDATION_ERROR');
        for (const [method, path, body] of all.slice(2)) {
          assertError(await service.call(method, path, body), 404, 'NOT_FOUND');
        }
      });

      it(`A wrong method on ${collection} returns 405 with the allowed methods`, async () => {
        const at = `${collection}/${records[resource].id}`;
        for (const [path, methods, allow] of [
          [collection, ['PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, HEAD, POST'],
          [at, ['PUT', 'POST', 'OPTIONS'], 'GET, HEAD, PATCH, DELETE'],
        ] as const) {
          for (const method of methods) {
            const reply = await service.call(method, path);
            assertError(reply, 405, 'METHOD_NOT_ALLOWED');
            assert.equal(reply.headers.get('allow'), allow);
          }
        }
        for (const method of ['TRACE', 'PROPFIND', 'M-SEARCH']) {
          assertError(
            await sendBytes(service.url, requestBytes(method, collection)),
            405,
            'METHOD_NOT_ALLOWED',
          );
        }
        assert.equal((await service.get(at)).status, 200);
      });

      it(`HEAD on ${collection} returns the response of GET without its body`, async () => {
        for (const path of [
          collection,
          `${collection}/${records[resource].id}`,
          `${collection}/${UNKNOWN_ID}`,
        ]) {
          const [head, get] = [await service.call('HEAD', path), await service.get(path)];
          assert.equal(head.status, get.status);
          assert.equal(head.text, '');
          assert.equal(head.headers.get('content-length'), `${Buffer.byteLength(get.text)}`);
          assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
          assert.match(head.headers.get('x-request-id') ?? '', /^req_/);
        }
        assert.equal((await service.call('HEAD', collection, undefined, { key: 'wrong' })).status, 401);
      });
    }
  }

  it('A conflict names the conflicting record', async () => {
    const { id, phone_number } = records.contacts;
    const error = assertError(await service.post('/v1/contacts', { phone_number }), 409, 'CONFLICT');
    assert.deepEqual(error.details, { existing_contact_id: id });
  });

  for (const path of [
    '/v1',
    '/v1/',
    '/api',
    '/api/v1',
    '/api/v2/contacts',
    '/v2/contacts',
    '/contacts',
    '/api/contacts',
    '/v1/api/v1/contacts',
    '/V1/contacts',
    '/v1/Contacts',
    '/v1/contacts/',
    '/v1/agents/',
    '//v1/contacts',
    '/v1//contacts',
    '/v1/contact%73',
    `/v1/contacts/${UNKNOWN_ID}/`,
    `/v1/agents/${UNKNOWN_ID}/drafts`,
    '/v1/constructor',
    '/__proto__',
    '/healthz/',
    '/favicon.ico',
    '/../etc/passwd',
    '/v1/./contacts',
  ]) {
    it(`The path ${path} returns 404`, async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await sendBytes(service.url, requestBytes(method, path));
        const error = assertError(reply, 404, 'NOT_FOUND');
        assert.equal('details' in error, false);
        assert.doesNotMatch(error.message, /in this workspace/);
      }
    });
  }

  it('Every request gets its own id, and the id of the caller is ignored', async () => {
    const given = { headers: { 'x-request-id': 'chosen-by-the-caller' } };
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        service.get(['/v1/contacts', '/nowhere', '/healthz', '/docs', '/metrics'][at % 5] as string, given),
      ),
    );
    const ids = replies.map((reply) => reply.headers.get('x-request-id') ?? '');
    for (const id of ids) assert.match(id, /^req_\w{10,}$/);
    assert.equal(new Set(ids).size, 50);
  });

  it('A request target in absolute form is accepted', async () => {
    const reply = await sendBytes(service.url, requestBytes('GET', 'http://roster.test/v1/contacts?limit=1'));
    assertSuccess(reply, 200, ['success', 'data', 'pagination']);
  });

  for (const [what, bytes] of [
    ['is not HTTP', 'hello\r\n\r\n'],
    ['has no Host header', 'GET /v1/contacts HTTP/1.1\r\n\r\n'],
    ['has an unknown method', 'FETCH /v1/contacts HTTP/1.1\r\nhost: x\r\n\r\n'],
    [
      'has two Content-Length headers',
      'POST /v1/contacts HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    ],
    ['has a header without a colon', 'GET /v1/contacts HTTP/1.1\r\nhost: x\r\nnonsense\r\n\r\n'],
  ] as const) {
    it(`A request that ${what} gets an error in the response envelope`, async () => {
      assertError(await sendBytes(service.url, bytes), 400, 'VALIDATION_ERROR');
    });
  }

  it('An unsupported expectation gets an error in the response envelope', async () => {
    const bytes = requestBytes('POST', '/v1/contacts', { headers: { expect: 'a-miracle' }, body: '{}' });
    assertError(await sendBytes(service.url, bytes), 400, 'VALIDATION_ERROR');
  });
});
