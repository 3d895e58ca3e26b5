import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { CREATED_KEYS, FULL_KEYS, keysOf, LISTED_KEYS } from '../kit/fixtures/contacts.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, comparableReply } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Contacts and agents through the dashboard', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  test('A contact created in the dashboard has the source manual', async () => {
    const phone_number = newPhone();
    const reply = await owner.call('POST', '/contacts', {
      phone_number,
      source: 'api',
      tags: ['a', 'a', 'b'],
    });
    assert.equal(reply.status, 201);
    const { data } = reply.body;
    assert.deepEqual(keysOf(data), CREATED_KEYS);
    assert.deepEqual([data.source, data.phone_number, data.tags], ['manual', phone_number, ['a', 'b']]);
    assert.equal(reply.headers.get('location'), `/v1/contacts/${data.id}`);
    const seen = (await service.get(`/v1/contacts/${data.id}`)).body.data;
    assert.deepEqual(keysOf(seen), FULL_KEYS);
    assert.deepEqual(seen, await owner.request('GET', `/contacts/${data.id}`));
    const changed = await owner.request('PATCH', `/contacts/${data.id}`, { ...seen, first_name: 'Ada' });
    assert.deepEqual(keysOf(changed), LISTED_KEYS);
    assert.deepEqual([changed.first_name, changed.source], ['Ada', 'manual']);
    assert.ok(changed.updated_at > data.updated_at);
  });

  test('/v1 and the dashboard API list the same contacts on the same pages', async () => {
    for (let at = 0; at < 3; at++) await makeContact(service, { tags: ['both'], last_name: `Door ${at}` });
    for (const query of ['', '?limit=2&offset=1', '?tag=both', '?search=door', '?tag=both&search=2']) {
      const [api, dashboard] = [
        await service.get(`/v1/contacts${query}`),
        await owner.call('GET', `/contacts${query}`),
      ];
      const { total_is_capped, ...pagination } = dashboard.body.pagination;
      assert.equal(total_is_capped, false);
      assert.deepEqual({ ...dashboard.body, pagination }, api.body, query);
    }
    assert.equal((await owner.call('GET', '/contacts?tag=both')).body.pagination.total, 3);
  });

  test('/v1 and the dashboard API apply the same rules and return the same errors', async () => {
    const taken = await makeContact(service);
    const other = await makeContact(service);
    const agent = await makeAgent(service);
    const calls: [string, string, object?][] = [
      ['POST', '/contacts', { phone_number: taken.phone_number }],
      ['POST', '/contacts', { phone_number: '(415) 555-0100' }],
      ['POST', '/contacts', { phone_number: '+1 415 555 0100' }],
      ['POST', '/contacts', {}],
      ['POST', '/contacts', { phone_number: '+14155550100', frist_name: 'Ada' }],
      ['POST', '/contacts', { phone_number: '+14155550100', first_name: 'n'.repeat(101), email: 'nobody' }],
      ['PATCH', `/contacts/${other.id}`, { phone_number: taken.phone_number }],
      ['PATCH', `/contacts/${other.id}`, { phone_number: null, tags: null }],
      ['PATCH', `/contacts/${other.id}`, { tags: [''] }],
      ['GET', '/contacts?limit=0'],
      ['GET', '/contacts?limit=101'],
      ['GET', '/contacts?offset=-1'],
      ['GET', '/contacts?order=asc&order=desc'],
      ['GET', '/contacts/contact_nothing'],
      ['DELETE', '/contacts/contact_nothing'],
      ['POST', '/agents', { name: '', instructions: null }],
      ['POST', '/agents', { name: 'n'.repeat(101), description: 'd'.repeat(501), instructions: '' }],
      ['PATCH', `/agents/${agent.id}`, { name: null }],
      ['GET', '/agents/no-uuid'],
      ['GET', '/agents?limit=x'],
      ['DELETE', '/agents/01890a5d-ac96-774b-bcce-b302099a8057'],
    ];
    for (const [method, path, body] of calls) {
      const [api, dashboard] = [
        await service.call(method, `/v1${path}`, body),
        await owner.call(method, path, body),
      ];
      assert.ok(api.status >= 400, `${method} ${path}`);
      assert.deepEqual(comparableReply(dashboard), comparableReply(api), `${method} ${path}`);
    }
  });

  test('The dashboard API rejects a body that is not a JSON object', async () => {
    const send = (raw: string, headers = {}) => owner.call('POST', '/contacts', undefined, { raw, headers });
    assertError(await send('{'), 400, 'VALIDATION_ERROR');
    assertError(await send('[]'), 400, 'VALIDATION_ERROR');
    assertError(await send('{}', { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    assertError(await send(`"${'x'.repeat(1_048_577)}"`), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('Of concurrent creates of one number through both APIs, one succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const phone_number = newPhone();
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          at % 2
            ? service.post('/v1/contacts', { phone_number })
            : owner.call('POST', '/contacts', { phone_number }),
        ),
      );
      const winners = replies.filter(({ status }) => status === 201);
      assert.equal(winners.length, 1);
      const { id } = winners[0]?.body.data ?? {};
      for (const { status, body } of replies.filter((reply) => reply !== winners[0])) {
        assert.deepEqual([status, body.error.details], [409, { existing_contact_id: id }]);
      }
    }
  });

  test('An agent can be created, read, updated and deleted in the dashboard API as at /v1', async () => {
    const made = await owner.request('POST', '/agents', { name: 'Desk', instructions: 'One.' }, 201);
    assert.deepEqual(Object.keys(made), ['id', 'name', 'description', 'created_at', 'updated_at']);
    await owner.request('PATCH', `/agents/${made.id}`, { instructions: 'Two.', description: 'Front' });
    const [api, dashboard] = [
      await service.get(`/v1/agents/${made.id}`),
      await owner.call('GET', `/agents/${made.id}`),
    ];
    assert.equal(dashboard.text, api.text);
    assert.equal(dashboard.body.data.versions.length, 2);
    assert.equal((await owner.call('GET', '/agents')).text, (await service.get('/v1/agents')).text);
    assert.deepEqual(await owner.request('DELETE', `/agents/${made.id}`), { deleted: true });
    assertError(await service.get(`/v1/agents/${made.id}`), 404, 'NOT_FOUND');
    assertError(await owner.call('GET', `/agents/${made.id}`), 404, 'NOT_FOUND');
    assertInvalid(await owner.call('GET', '/agents/no-uuid'), 'id');
  });
});
