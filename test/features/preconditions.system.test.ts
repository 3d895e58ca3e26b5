import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type ETagResource, etagOf, etagResources, locationOf } from '../kit/http/etags.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('ETags', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  const suite = (kind: ETagResource) => {
    const { call, change } = kind;
    let number = 0;
    const fresh = async () => locationOf(await kind.make());
    const get = (path: string, headers = {}) => call('GET', path, undefined, { headers });
    const patch = (path: string, match: string | null, body = change(++number)) =>
      call('PATCH', path, body, { headers: { 'if-match': match } });
    const remove = (path: string, match: string) =>
      call('DELETE', path, undefined, { headers: { 'if-match': match } });

    test('Create, get and update return the ETag of the current state', async () => {
      const made = await kind.make();
      const path = locationOf(made);
      assert.equal(etagOf(made), etagOf(await get(path)));
      const changed = await patch(path, null);
      assert.notEqual(etagOf(changed), etagOf(made));
      const read = await get(path);
      assert.equal(etagOf(read), etagOf(changed));
      assert.equal(etagOf(await get(path)), etagOf(read));
      const empty = await patch(path, null, {});
      assert.notEqual(etagOf(empty), etagOf(read), 'updated_at moves, so that the record is another');
      assert.equal(etagOf(await get(path)), etagOf(empty));
    });

    test('A get with a matching If-None-Match returns 304 without a body', async () => {
      const path = await fresh();
      const first = await get(path);
      const etag = etagOf(first);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `"a,b" ,, W/${etag},`, '*', ' * ']) {
        for (const method of ['GET', 'HEAD']) {
          const reply = await call(method, path, undefined, { headers: { 'if-none-match': known } });
          assert.equal(reply.status, 304, known);
          assert.equal(reply.text, '');
          assert.equal(reply.headers.get('etag'), etag);
          assert.equal(reply.headers.get('cache-control'), first.headers.get('cache-control'));
          assert.equal(reply.headers.get('content-type'), null);
          assert.match(reply.headers.get('x-request-id') ?? '', /^req_/);
        }
      }
      for (const other of ['"other"', etag.slice(1, -1), `${etag}x`, `w/${etag}`, '""', '"', ',', '"*"']) {
        const reply = await get(path, { 'if-none-match': other });
        assert.equal(reply.status, 200, other);
        assert.equal(reply.text, first.text);
      }
      await patch(path, null);
      assert.equal((await get(path, { 'if-none-match': etag })).status, 200);
    });

    test('An update with If-Match succeeds only for the current state', async () => {
      const path = await fresh();
      const seen = etagOf(await get(path));
      const first = await patch(path, seen);
      assert.equal(first.status, 200, first.text);
      const before = await get(path);
      const error = assertError(await patch(path, seen), 412, 'PRECONDITION_FAILED');
      assert.match(error.message, /changed since you read it. Read it again/);
      assert.equal((await get(path)).text, before.text);
      const second = await patch(path, etagOf(first));
      assert.equal(second.status, 200, 'the tag of an update is good for the next');
      assert.equal((await patch(path, `"other", ${etagOf(second)}`)).status, 200);
      assert.equal((await patch(path, '*')).status, 200);
      assert.equal((await patch(path, null)).status, 200, 'without a tag nothing is asked');
    });

    test('A weak ETag never matches in If-Match, and an invalid one is rejected by name', async () => {
      const path = await fresh();
      const before = await get(path);
      const etag = etagOf(before);
      for (const match of [`W/${etag}`, `W/${etag}, "other"`, '""', '"*"']) {
        assertError(await patch(path, match), 412, 'PRECONDITION_FAILED');
        if (kind.canDelete) assertError(await remove(path, match), 412, 'PRECONDITION_FAILED');
      }
      for (const match of ['', 'x', etag.slice(1, -1), etag.slice(1), `w/${etag}`, `${etag}, *`, '**', ',']) {
        assertInvalid(await patch(path, match), 'If-Match');
        if (kind.canDelete) assertInvalid(await remove(path, match), 'If-Match');
      }
      assert.equal((await get(path)).text, before.text);
    });

    test('If-Match is checked after authentication, validation and existence', async () => {
      const path = await fresh();
      const nowhere = path.replace(/.{12}$/, '000000000000');
      for (const match of ['"other"', '*']) {
        assertError(await patch(nowhere, match), 404, 'NOT_FOUND');
        if (kind.canDelete) assertError(await remove(nowhere, match), 404, 'NOT_FOUND');
        const unknown = { 'if-match': match, authorization: null, cookie: null };
        assertError(await call('PATCH', path, {}, { headers: unknown }), 401, 'UNAUTHORIZED');
      }
      for (const known of ['"other"', '*']) {
        assertError(await get(nowhere, { 'if-none-match': known }), 404, 'NOT_FOUND');
        const unknown = { 'if-none-match': known, authorization: null, cookie: null };
        assertError(await get(path, unknown), 401, 'UNAUTHORIZED');
      }
      assertInvalid(await patch(path, '"other"', { nonsense: 1 }), 'nonsense');
    });

    test('Of a hundred concurrent updates with the same ETag, one succeeds', async () => {
      const path = await fresh();
      const etag = etagOf(await get(path));
      const replies = await Promise.all(Array.from({ length: 100 }, () => patch(path, etag)));
      const accepted = replies.filter(({ status }) => status === 200);
      assert.equal(accepted.length, 1);
      for (const reply of replies.filter(({ status }) => status !== 200)) {
        assertError(reply, 412, 'PRECONDITION_FAILED');
      }
      const now = await get(path);
      assert.equal(etagOf(now), etagOf(accepted[0] as (typeof replies)[0]));
      assert.equal(now.body.data.updated_at, accepted[0]?.body.data.updated_at);
      if (now.body.data.versions) assert.equal(now.body.data.versions.length, 2);
    });

    if (!kind.canDelete) return;

    test('A delete with an outdated ETag is rejected', async () => {
      const path = await fresh();
      const seen = etagOf(await get(path));
      const changed = etagOf(await patch(path, null));
      assertError(await remove(path, seen), 412, 'PRECONDITION_FAILED');
      assert.equal((await get(path)).status, 200);
      const removed = await remove(path, changed);
      assert.equal(removed.status, 200, removed.text);
      assert.equal(removed.headers.get('etag'), null);
      assertError(await get(path), 404, 'NOT_FOUND');
      assert.equal((await remove(await fresh(), '*')).status, 200);
    });

    test('Of a concurrent delete and update with the same ETag, one succeeds', async () => {
      for (let round = 0; round < 5; round++) {
        const path = await fresh();
        const etag = etagOf(await get(path));
        const replies = await Promise.all([
          ...Array.from({ length: 5 }, () => patch(path, etag)),
          ...Array.from({ length: 5 }, () => remove(path, etag)),
        ]);
        const statuses = replies.map(({ status }) => status);
        assert.equal(statuses.filter((status) => status === 200).length, 1, `${statuses}`);
        assert.ok(statuses.every((status) => [200, 404, 412].includes(status)));
      }
    });
  };

  for (const kind of etagResources(service, () => owner)) describe(`of ${kind.name}`, () => suite(kind));

  test('All APIs return the same ETag', async () => {
    const { id } = await makeContact(service);
    const replies = await Promise.all([
      owner.call('GET', `/contacts/${id}`),
      service.get(`/v1/contacts/${id}`),
      service.get(`/api/v1/contacts/${id}`),
    ]);
    assert.equal(new Set(replies.map(etagOf)).size, 1);
  });
});
