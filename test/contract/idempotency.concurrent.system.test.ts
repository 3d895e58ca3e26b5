import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { engines } from '../kit/database/engines.ts';
import { raceWhileLocked } from '../kit/database/locks.ts';
import { makeAgent, newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';
import type { Reply, TestService } from '../kit/service/test-service.ts';

const assertRunning = (reply: Reply) => {
  assertError(reply, 409, 'CONFLICT');
  assert.match(reply.body.error.message, /still in progress/);
  assert.equal(reply.headers.get('retry-after'), '1');
  assert.equal(isReplay(reply), false);
};

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(`Concurrent requests with one idempotency key on ${engine}`, () => {
    it('A retry during the first request is rejected immediately and later gets its response', async (test) => {
      const database = await databaseFor(test, engine);
      const service = await serviceFor(test, database);
      const body = { phone_number: newPhone() };
      const create = () => service.post('/v1/contacts', body, withIdempotencyKey('one'));
      const [first, second] = await raceWhileLocked(database, () => [create(), create()]);
      assertRunning(second);
      assert.deepEqual([first.status, isReplay(first)], [201, false]);
      const third = await create();
      assert.deepEqual([third.status, third.text, isReplay(third)], [201, first.text, true]);
    });

    it('A hundred concurrent requests with one idempotency key have one effect', async (test) => {
      const database = await databaseFor(test, engine);
      const service = await serviceFor(test, database);
      // On PostgreSQL, all instances share the idempotency keys.
      const services = [service, engine === 'postgres' ? await serviceFor(test, database) : service];
      const agent = await makeAgent(service);
      const calls: readonly ((each: TestService, key: string) => Promise<Reply>)[] = [
        (each, key) => each.post('/v1/contacts', { phone_number: '+12025550101' }, withIdempotencyKey(key)),
        (each, key) => each.post('/v1/agents', { name: 'B', instructions: '' }, withIdempotencyKey(key)),
        (each, key) =>
          each.patch(`/v1/agents/${agent.id}`, { instructions: 'more' }, withIdempotencyKey(key)),
      ];
      for (const call of calls) {
        const key = randomUUID();
        const replies = await Promise.all(
          Array.from({ length: 100 }, (_, at) => call(services[at % 2] as TestService, key)),
        );
        const done = replies.filter(({ status }) => status < 300);
        const running = replies.filter(({ status }) => status === 409);
        assert.equal(done.length + running.length, 100);
        assert.equal(done.filter((reply) => !isReplay(reply)).length, 1);
        assert.equal(new Set(done.map(({ text }) => text)).size, 1);
        for (const reply of running) assertRunning(reply);
      }
      assert.equal((await service.get('/v1/contacts')).body.pagination.total, 1);
      assert.equal((await service.get('/v1/agents')).body.pagination.total, 2);
      assert.equal((await service.get(`/v1/agents/${agent.id}`)).body.data.versions.length, 2);
    });

    it('Many concurrent retries of a completed request all get its response', async (test) => {
      const service = await serviceFor(test, await databaseFor(test, engine));
      const create = () =>
        service.post('/v1/contacts', { phone_number: '+12025550102' }, withIdempotencyKey('one'));
      const first = await create();
      const replies = await Promise.all(Array.from({ length: 30 }, create));
      assert.deepEqual(new Set(replies.map(({ text }) => text)), new Set([first.text]));
      assert.ok(replies.every(isReplay));
    });
  });
}

describe('Concurrent requests with one idempotency key on two instances', () => {
  it('A retry on another instance is rejected immediately and later gets the response', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const [one, two] = [await serviceFor(test, database), await serviceFor(test, database)];
    const create = (service: TestService) =>
      service.post('/v1/agents', { name: 'A', instructions: '' }, withIdempotencyKey('one'));
    const [first, second] = await raceWhileLocked(database, () => [create(one), create(two)]);
    assertRunning(second);
    assert.deepEqual([first.status, isReplay(first)], [201, false]);
    for (const service of [one, two]) {
      const again = await create(service);
      assert.deepEqual([again.status, again.text, isReplay(again)], [201, first.text, true]);
    }
    assert.equal((await one.get('/v1/agents')).body.pagination.total, 1);
  });
});
