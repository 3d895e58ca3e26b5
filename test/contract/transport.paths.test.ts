import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { assertUnaffected } from '../kit/service/health.ts';
import { onSqlite } from '../kit/service/test-service.ts';

const get = (path: string) => requestBytes('GET', path);

onSqlite('Request paths and queries', (service) => {
  for (const path of [
    '/v1/contacts?search=%',
    '/v1/contacts?search=%zz',
    '/v1/contacts?search=%ff',
    '/v1/contacts?%c3=1',
  ]) {
    it(`The query of ${path} is rejected`, async () => {
      const error = assertError(await sendBytes(service.url, get(path)), 400, 'VALIDATION_ERROR');
      assert.match(error.message, /percent/);
    });
  }

  for (const id of ['%', '%zz', '%ff', '%c3%28', '%ed%a0%80']) {
    it(`The id ${id} matches no record`, async () => {
      for (const method of ['GET', 'DELETE']) {
        const contact = await sendBytes(service.url, requestBytes(method, `/v1/contacts/${id}`));
        assertError(contact, 404, 'NOT_FOUND');
        const agent = await sendBytes(service.url, requestBytes(method, `/v1/agents/${id}`));
        assertInvalid(agent, 'id');
      }
      const anonymous = { headers: { authorization: null } };
      const unknown = await sendBytes(service.url, requestBytes('GET', `/v1/contacts/${id}`, anonymous));
      assertError(unknown, 401, 'UNAUTHORIZED');
    });
  }

  for (const [query, field] of [
    ['limit=5&limit=5', 'limit'],
    ['limit=5&offset=1&limit=6', 'limit'],
    ['search=a&search=b', 'search'],
    ['limit=5&%6cimit=6', 'limit'],
    ['tag=a&tag=', 'tag'],
    ['__proto__=1&__proto__=2', '__proto__'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['limit%5B%5D=5', 'limit[]'],
    ['=5', ''],
  ] as const) {
    it(`The query ${query} is rejected with the name of the parameter`, async () => {
      assertInvalid(await service.get(`/v1/contacts?${query}`), field);
    });
  }

  it('An empty query and empty query parts are accepted', async () => {
    for (const query of ['', '&', '&&limit=3&', 'search=&tag=', 'search&tag']) {
      assert.equal((await service.get(`/v1/contacts?${query}`)).status, 200, query);
    }
  });

  it('The service still works after malformed paths and queries', () => assertUnaffected(service));
});
