import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from '../kit/database/engines.ts';
import { lockRecords } from '../kit/database/locks.ts';
import { assertError } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes } from '../kit/http/raw-connection.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
/** The initial size of the queue. */
const QUEUE_SIZE = 2_048;

describe('Load shedding', () => {
  for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
    it(`An overloaded service rejects further writes immediately on ${engine} and then recovers`, async (test) => {
      const service = await serviceFor(test, await databaseFor(test, engine));
      const release = await lockRecords(service.database, 'agents in access exclusive mode');
      const connections = await Promise.all(
        Array.from({ length: QUEUE_SIZE }, () => RawConnection.open(service.url)),
      );
      try {
        for (const connection of connections)
          connection.write(requestBytes('DELETE', `/v1/agents/${UNKNOWN_ID}`));
        let rejected = await service.get('/healthz');
        const deadline = Date.now() + 30_000;
        while (rejected.status !== 503) {
          assert.ok(Date.now() < deadline, 'no request was shed although the queue is full');
          rejected = await service.call('PUT', '/v1/agents');
        }
        assertError(rejected, 503, 'UNAVAILABLE');
        assert.equal(rejected.headers.get('retry-after'), '1');
        assert.equal(rejected.headers.get('cache-control'), 'private, no-cache');
        for (const path of ['/healthz', '/metrics']) assert.equal((await service.get(path)).status, 200);
        if (engine === 'sqlite') assert.equal((await service.get('/v1/contacts')).status, 200);

        const other = await RawConnection.open(service.url);
        const body = JSON.stringify({ name: 'Small', instructions: '' });
        other.write(requestBytes('POST', '/v1/agents', { body }));
        other.write(requestBytes('GET', '/healthz'));
        assert.equal((await other.nextResponse())?.status, 503);
        assert.equal(
          (await other.nextResponse())?.status,
          200,
          'the connection stays open, and the body is not read as a request',
        );
        other.write(
          requestBytes('POST', '/v1/agents', {
            headers: { 'content-type': 'application/json', 'content-length': '900000' },
          }),
        );
        const large = await other.nextResponse();
        assert.deepEqual([large?.status, large?.headers.get('connection')], [503, 'close']);
        await other.closed();
        const { text } = await service.get('/metrics');
        const shed = /^roster_requests_shed_total\{queue="write"\} (\d+)$/m.exec(text)?.[1];
        assert.ok(Number(shed) >= 3, `${shed}`);
      } finally {
        await release();
      }
      for (const connection of connections) {
        const status = (await connection.nextResponse())?.status;
        assert.ok(status === 404 || status === 503, `${status}`);
        connection.destroy();
      }
      assert.equal((await service.post('/v1/agents', { name: 'After', instructions: '' })).status, 201);
    });
  }
});
