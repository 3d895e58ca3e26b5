import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openPool } from '../../src/db/postgres/pool.ts';
import { Servers } from '../../src/db/postgres/servers.ts';
import { startProxy } from '../kit/faults/tcp-proxy.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { databaseFor } from '../kit/service/scoped-resources.ts';
import { startTestService } from '../kit/service/test-service.ts';

const CLIENTS = 30;
const BLOCKS_MS = [3_000, 3_000, 3_000, 4_200];

/** Blocks the event loop, as a child process that is started synchronously does. */
const blockEventLoop = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const isDoneWithin = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), pause(ms, false, { ref: false })]);

describe('A blocked event loop on PostgreSQL', () => {
  it('A service whose event loop was blocked several times answers again and stops', async (test) => {
    const service = await startTestService(await databaseFor(test, 'postgres'));
    let isActive = true;
    const requests = [
      () => service.post('/v1/contacts', { phone_number: newPhone() }),
      () => service.get('/v1/contacts?search=ab'),
      () => service.get('/v1/contacts?limit=1'),
    ];
    const clients = Array.from({ length: CLIENTS }, async (_, at) => {
      while (isActive) {
        // A request may fail while the loop is blocked.
        await requests[at % requests.length]?.().catch(() => {});
        await pause(Math.random() * 30);
      }
    });
    for (const ms of BLOCKS_MS) {
      await pause(Math.random() * 400);
      blockEventLoop(ms);
      await pause(Math.random() * 30);
      blockEventLoop(2_100);
    }
    isActive = false;
    await Promise.all(clients);
    assert.equal((await service.get('/v1/contacts?limit=1')).status, 200);
    assert.ok(await isDoneWithin(30_000, service.stop()), 'the service did not stop');
  });

  it('A connection that is ready only after its caller gave up returns to the pool', async (test) => {
    const { url } = await databaseFor(test, 'postgres');
    const proxy = await startProxy(url);
    test.after(() => proxy.close());
    const pool = await openPool({ servers: new Servers(proxy.url), onFault: () => {} });
    // The check of a new connection is not answered before the caller gives up.
    pool.once('connect', () => proxy.stall());
    const [first, second] = await Promise.allSettled([pool.connect(), pool.connect()]);
    assert.equal(second.status, 'rejected');
    proxy.resume();
    if (first.status === 'fulfilled') first.value.release();
    assert.ok(await isDoneWithin(10_000, pool.end()), 'a connection was lost');
  });
});
