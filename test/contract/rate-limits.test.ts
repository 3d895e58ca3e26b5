import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKey } from '../../src/features/workspaces/key.service.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import {
  KEY,
  onEveryEngine,
  type Reply,
  startTestService,
  type TestService,
} from '../kit/service/test-service.ts';

/** The item of a header field as the draft writes it: `"key";r=3;t=42`. */
const fieldOf = (reply: Reply, name: string): Record<string, number> | undefined => {
  const text = reply.headers.get(name);
  if (text === null) return undefined;
  assert.match(text, /^"key"(;[a-z]=\d+)+$/);
  return Object.fromEntries(
    [...text.matchAll(/;([a-z])=(\d+)/g)].map(([, key, value]) => [key, Number(value)]),
  );
};

const makeLimitedKey = async (database: TestDatabase, rate_limit: string | null): Promise<string> => {
  const storage = await openTestStorage(database);
  const { principal } = await makeWorkspace(storage);
  const wanted = { name: 'limited', scope: 'read' as const, expires_at: null, rate_limit };
  const { key } = await storage.run(createKey, principal, wanted);
  await storage.close();
  return key;
};

const repeatCalls = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();

onEveryEngine('API key without a rate limit', (service) => {
  it('A key without a rate limit gets no rate limit headers', async () => {
    const replies = await repeatCalls(50, () => service.get('/v1/contacts'));
    for (const reply of replies) {
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('ratelimit'), null);
      assert.equal(reply.headers.get('ratelimit-policy'), null);
    }
  });
});

onEveryEngine('API key with a rate limit', (service) => {
  it('Every response shows the remaining quota, and requests beyond it return 429', async () => {
    const key = await makeLimitedKey(service.database, '5/1h');
    const paths = ['/v1/contacts', '/v1/contacts/nobody', '/v1/contacts?limit=0', '/api/v1/agents'];
    for (const [at, path] of paths.entries()) {
      const reply = await service.get(path, { key });
      assert.equal(reply.status, [200, 404, 400, 200][at]);
      assert.deepEqual(fieldOf(reply, 'ratelimit-policy'), { q: 5, w: 3600 });
      const { r, t } = fieldOf(reply, 'ratelimit') as Record<'r' | 't', number>;
      assert.equal(r, 4 - at);
      assert.ok(t <= 720 * (at + 1) && t > 720 * (at + 1) - 60, `${t} s after ${at + 1}`);
    }
    const forbidden = await service.post('/v1/agents', { name: 'A', instructions: '' }, { key });
    assertError(forbidden, 403, 'FORBIDDEN');
    assert.equal(fieldOf(forbidden, 'ratelimit')?.r, 0);
    const refused = await service.get('/v1/contacts', { key });
    const { message } = assertError(refused, 429, 'RATE_LIMITED');
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 660 && wait <= 720, `${wait} s`);
    assert.equal(message, `This key is limited to 5 requests in 3600 seconds. Retry in ${wait} seconds.`);
    assert.deepEqual(fieldOf(refused, 'ratelimit-policy'), { q: 5, w: 3600 });
    assert.equal(fieldOf(refused, 'ratelimit')?.r, 0);
  });

  it('A key gets exactly its quota when all requests are concurrent', async () => {
    const key = await makeLimitedKey(service.database, '20/1h');
    const replies = await repeatCalls(60, () => service.get('/v1/contacts', { key }));
    assert.deepEqual(statuses(replies), [...Array(20).fill(200), ...Array(40).fill(429)]);
    const left = replies
      .filter(({ status }) => status === 200)
      .map((reply) => fieldOf(reply, 'ratelimit')?.r);
    assert.deepEqual(
      left.sort((one, other) => Number(one) - Number(other)),
      Array.from({ length: 20 }, (_, at) => at),
    );
  });

  it('A key can continue after the announced wait', async () => {
    const key = await makeLimitedKey(service.database, '1/1s');
    assert.equal((await service.get('/v1/contacts', { key })).status, 200);
    for (;;) {
      const reply = await service.get('/v1/contacts', { key });
      if (reply.status === 429) {
        assert.equal(reply.headers.get('retry-after'), '1');
        break;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    assert.equal((await service.get('/v1/contacts', { key })).status, 200);
  });

  it('A rate limit does not affect other keys', async () => {
    const [one, other] = [
      await makeLimitedKey(service.database, '1/1h'),
      await makeLimitedKey(service.database, '1/1h'),
    ];
    assert.equal((await service.get('/v1/contacts', { key: one })).status, 200);
    assert.equal((await service.get('/v1/contacts', { key: one })).status, 429);
    assert.equal((await service.get('/v1/contacts', { key: other })).status, 200);
    assert.equal((await service.get('/v1/contacts')).status, 200);
  });

  it('Requests to routes without a key do not count against the rate limit', async () => {
    const key = await makeLimitedKey(service.database, '2/1h');
    for (const path of ['/healthz', '/nowhere', '/openapi.json']) {
      assert.equal((await service.get(path, { key })).headers.get('ratelimit'), null);
    }
    assert.equal(fieldOf(await service.get('/v1/contacts', { key }), 'ratelimit')?.r, 1);
  });

  it('The dashboard sets and shows the rate limit of a key', async () => {
    const owner = await signedInUser(service);
    const made = await owner.call('POST', '/keys', { name: 'Limited', rate_limit: '3/1h' });
    assert.equal(made.status, 201);
    assert.equal(made.body.data.rate_limit, '3/1h');
    const seen = await owner.call('GET', `/keys/${made.body.data.id}`);
    assert.equal(seen.body.data.rate_limit, '3/1h');
    const reply = await service.get('/v1/contacts', { key: made.body.data.key });
    assert.deepEqual(fieldOf(reply, 'ratelimit-policy'), { q: 3, w: 3600 });
    for (const rate_limit of ['3', '0/1h', '3/1d', '', 3, '3/1h '])
      assertInvalid(await owner.call('POST', '/keys', { name: 'Limited', rate_limit }), 'rate_limit');
    assert.equal((await owner.call('POST', '/keys', { name: 'Free', rate_limit: null })).status, 201);
  });
});

for (const [name, create] of Object.entries(engines)) {
  describe(`RATE_LIMIT on ${name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(await create(), { rateLimit: { quota: 3, windowMs: 3_600_000 } });
    });
    after(async () => {
      await service.stop();
      await service.database.drop();
    });

    it('RATE_LIMIT applies to the key from the environment', async () => {
      const replies = await repeatCalls(5, () => service.get('/v1/contacts', { key: KEY }));
      assert.deepEqual(statuses(replies), [200, 200, 200, 429, 429]);
    });

    it('RATE_LIMIT applies to every key without its own limit', async () => {
      const plain = await makeLimitedKey(service.database, null);
      const own = await makeLimitedKey(service.database, '7/1m');
      assert.deepEqual(fieldOf(await service.get('/v1/contacts', { key: plain }), 'ratelimit-policy'), {
        q: 3,
        w: 3600,
      });
      assert.deepEqual(fieldOf(await service.get('/v1/contacts', { key: own }), 'ratelimit-policy'), {
        q: 7,
        w: 60,
      });
    });
  });
}

describe('Rate limit of two instances on one PostgreSQL', () => {
  it('Two instances share a rate limit exactly', async () => {
    const database = await engines.postgres();
    const services = [await startTestService(database), await startTestService(database)] as const;
    try {
      const key = await makeLimitedKey(database, '30/1h');
      let turn = 0;
      const replies = await repeatCalls(90, () =>
        (services[turn++ % 2] as TestService).get('/v1/contacts', { key }),
      );
      assert.deepEqual(statuses(replies), [...Array(30).fill(200), ...Array(60).fill(429)]);
      for (const service of services) {
        const reply = await service.get('/v1/contacts', { key });
        assert.equal(reply.status, 429);
        assert.ok(Number(reply.headers.get('retry-after')) <= 120);
      }
    } finally {
      for (const service of services) await service.stop();
      await database.drop();
    }
  });
});
