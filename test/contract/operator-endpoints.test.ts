import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { engines } from '../kit/database/engines.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes } from '../kit/http/raw-connection.ts';
import { parseMetrics, type Sample } from '../kit/service/metrics.ts';
import { onEveryEngine, startTestService } from '../kit/service/test-service.ts';

onEveryEngine('Operator endpoints', (service) => {
  const anonymous = { headers: { authorization: null } };
  const read = async () => parseMetrics((await service.get('/metrics', anonymous)).text);
  const count = (samples: Sample[], method: string, route: string, status: number) =>
    samples.find(
      ({ name, labels }) =>
        name === 'roster_request_duration_seconds_count' &&
        labels.method === method &&
        labels.route === route &&
        labels.status === `${status}`,
    )?.value ?? 0;

  it('Liveness and readiness need no key', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const reply = await service.get(path, anonymous);
      assert.equal(reply.status, 200);
      assert.equal(reply.text, '{"status":"ok"}');
      assert.match(reply.headers.get('x-request-id') ?? '', /^req_/);
      const wrong = await service.post(path, {}, anonymous);
      assertError(wrong, 405, 'METHOD_NOT_ALLOWED');
      assert.equal(wrong.headers.get('allow'), 'GET, HEAD');
    }
  });

  it('The metrics count every request by method, route and status', async () => {
    const before = await read();
    const { id } = await makeAgent(service);
    for (let times = 0; times < 3; times++) await service.get(`/v1/agents/${id}`);
    await service.get('/api/v1/agents/no-uuid');
    await service.get('/v1/agents', anonymous);
    const after = await read();
    const grown = (...series: [string, string, number]) => count(after, ...series) - count(before, ...series);
    assert.equal(grown('POST', '/v1/agents', 201), 1);
    assert.equal(grown('GET', '/v1/agents/:id', 200), 3);
    assert.equal(grown('GET', '/api/v1/agents/:id', 400), 1);
    assert.equal(grown('GET', '/v1/agents', 401), 1);
    assert.equal(grown('GET', '/metrics', 200), 1);
  });

  it('Histogram buckets are cumulative and agree with the count and the sum', async () => {
    const samples = await read();
    const buckets = Map.groupBy(
      samples.filter(({ name }) => name === 'roster_request_duration_seconds_bucket'),
      ({ labels }) => `${labels.method} ${labels.route} ${labels.status}`,
    );
    assert.ok(buckets.size > 3);
    for (const [series, of] of buckets) {
      const [method = '', route = '', status] = series.split(' ');
      const values = of.map(({ value }) => value);
      assert.deepEqual(
        values,
        values.toSorted((a, b) => a - b),
      );
      assert.equal(of.at(-1)?.labels.le, '+Inf');
      assert.equal(values.at(-1), count(samples, method, route, Number(status)));
      const bounds = of.slice(0, -1).map(({ labels }) => Number(labels.le));
      assert.deepEqual(
        bounds,
        bounds.toSorted((a, b) => a - b),
      );
    }
  });

  it('Unknown paths and methods create no metric series', async () => {
    const routes = async () =>
      new Set((await read()).map(({ labels }) => `${labels.method} ${labels.route}`));
    await service.get('/nowhere/0');
    await service.call('PROPFIND', '/v1/agents');
    const before = await routes();
    for (let at = 1; at < 20; at++) await service.get(`/nowhere/${at}?x="}\n`);
    await service.call('SEARCH', '/v1/agents');
    assert.deepEqual(await routes(), before);
  });

  it('The OpenAPI document is served without a key', async () => {
    const document = await service.get('/openapi.json', anonymous);
    assert.equal(document.status, 200);
    assert.equal(document.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(document.body.openapi, '3.1.0');
    for (const path of ['/v1/agents', '/v1/agents/{id}', '/v1/contacts', '/v1/contacts/{id}'])
      assert.ok(document.body.paths[path], path);
  });
});

describe('Service without a reachable database', () => {
  it('Without PostgreSQL the service is alive but not ready, and every request says so', async () => {
    const service = await startTestService(await engines.postgres());
    try {
      assert.equal((await service.get('/readyz')).status, 200);
      assert.equal((await service.get('/v1/contacts')).status, 200);
      await service.database.drop();
      const ready = await service.get('/readyz');
      assertError(ready, 503, 'UNAVAILABLE');
      assert.match(ready.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal((await service.get('/healthz')).status, 200);
      assertError(await service.get('/readyz'), 503, 'UNAVAILABLE');
      for (const reply of [
        await service.get('/v1/contacts'),
        await service.get('/v1/contacts?search=ada'),
        await service.post('/v1/agents', { name: 'A', instructions: '' }),
        await service.delete('/v1/agents/01890a5d-ac96-774b-bcce-b302099a8057'),
      ]) {
        assertError(reply, 503, 'UNAVAILABLE');
        assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/);
      }
      assert.equal((await service.get('/metrics')).status, 200);
    } finally {
      await service.stop();
    }
  });

  it('The service is not ready while another program locks the SQLite file, and recovers', async () => {
    const service = await startTestService(await engines.sqlite());
    const { database } = service.database;
    assert.ok(database.engine === 'sqlite');
    const holder = new DatabaseSync(database.path);
    try {
      holder.exec('begin immediate');
      assertError(await service.get('/readyz'), 503, 'UNAVAILABLE');
      assert.equal((await service.get('/healthz')).status, 200);
      assert.equal((await service.get('/v1/contacts')).status, 200);
      const late = service.post('/v1/agents', { name: 'Waits', instructions: '' });
      holder.exec('rollback');
      assert.equal((await late).status, 201);
      assert.equal((await service.get('/readyz')).status, 200);
    } finally {
      holder.close();
      await service.stop();
      await service.database.drop();
    }
  });
});

describe('Graceful shutdown', () => {
  it('A stopping service is alive but not ready, answers open connections and closes them', async () => {
    for (const create of Object.values(engines)) {
      // One thread: another one closes connections some milliseconds later.
      const service = await startTestService(await create(), { serveThreads: 1 });
      const connections = await Promise.all(
        ['/healthz', '/readyz', '/v1/agents'].map(() => RawConnection.open(service.url)),
      );
      for (const connection of connections) {
        connection.write(requestBytes('GET', '/healthz'));
        assert.equal((await connection.nextResponse())?.headers.get('connection'), 'keep-alive');
      }
      const stopped = service.stop();
      const [alive, ready, agents] = connections;
      alive?.write(requestBytes('GET', '/healthz'));
      ready?.write(requestBytes('GET', '/readyz'));
      agents?.write(requestBytes('POST', '/v1/agents', { body: '{"name":"Late","instructions":""}' }));
      const replies = await Promise.all(connections.map((connection) => connection.nextResponse()));
      assert.deepEqual(
        replies.map((reply) => [reply?.status, reply?.headers.get('connection')]),
        [
          [200, 'close'],
          [503, 'close'],
          [201, 'close'],
        ],
      );
      await assert.rejects(fetch(`${service.url}/healthz`));
      await stopped;
      const rows = await service.database.query('select id from agents');
      assert.deepEqual(
        rows.map((row) => row.id),
        [replies[2]?.body.data.id],
      );
      await service.database.drop();
    }
  });
});
