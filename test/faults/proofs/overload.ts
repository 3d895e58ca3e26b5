import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { engines, TestDatabase } from '../../kit/database/engines.ts';
import { fillContacts } from '../../kit/fixtures/large-workspace.ts';
import { type LoadResult, requestText, runLoad } from '../../kit/load/load.ts';
import { report } from '../../kit/load/measurements.ts';
import { withPrograms } from '../../kit/process/program.ts';
import { databaseFor } from '../../kit/service/scoped-resources.ts';

const KEY = 'a-key-of-my-own-0123456789';

type Engine = keyof typeof engines;

/** The requests of a load: a two-letter search, which has no index, a write, and a short read. */
const kinds = {
  // Each finds all contacts and is different, so that no page is cached.
  searches: Array.from({ length: 2_000 }, (_, at) =>
    requestText('GET', `/v1/contacts?search=%40example&offset=${at}`, KEY),
  ),
  writes: [requestText('POST', '/v1/agents', KEY, { name: 'Load', instructions: 'x'.repeat(200) })],
  reads: [requestText('GET', '/v1/contacts?limit=20', KEY)],
} as const;

export type Kind = keyof typeof kinds;

/** The real program with its own database, for the duration of a test. */
const withService = async (
  test: TestContext,
  engine: Engine,
  work: (url: string, database: TestDatabase) => Promise<void>,
): Promise<void> => {
  const database = await databaseFor(test, engine);
  await withPrograms(async (start) => {
    const program = start({ DATABASE_URL: database.url, ROSTER_API_KEY: KEY, LOG_LEVEL: 'error' });
    await work((await program.ready()).url, database);
  });
};

/** The number of shed requests so far, according to the metrics. */
const shedSoFar = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = [...text.matchAll(/^roster_requests_shed_total\{[^}]+\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
};

const failedStatuses = ({ responses }: LoadResult) =>
  Object.keys(responses).filter((status) => Number(status) >= 300);

/** Sends health checks during the work and returns the slowest response. */
const whileProbing = async <T>(
  url: string,
  work: () => Promise<T>,
): Promise<{ result: T; slowest: number }> => {
  let isDone = false;
  let slowest = 0;
  const watch = async () => {
    while (!isDone) {
      const began = performance.now();
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      slowest = Math.max(slowest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const watched = watch();
  const result = await work().finally(() => {
    isDone = true;
  });
  await watched;
  return { result, slowest };
};

export interface Overload {
  readonly engine: Engine;
  readonly kind: Kind;
  readonly seconds: number;
  readonly connections: number;
  /** The number of contacts to search. */
  readonly contacts: number;
  /** The required share of the peak rate. Some requests must succeed in any case. */
  readonly minShare?: number;
}

/** Measures the peak rate, sends five times as much from many connections, and compares the successful responses. */
export const overload = (
  test: TestContext,
  { engine, kind, seconds, connections, contacts, minShare = 0 }: Overload,
) =>
  withService(test, engine, async (url, database) => {
    await fillContacts(database, 1, contacts);
    const requests = kinds[kind];
    await runLoad({ url, requests, connections: 16, seconds: Math.min(seconds, 2) });
    const peak = await runLoad({ url, requests, connections: 16, seconds: Math.min(seconds, 10) });
    assert.deepEqual(failedStatuses(peak), []);
    const rate = peak.goodput * 5;
    const { result, slowest } = await whileProbing(url, () =>
      runLoad({ url, requests, connections, seconds, rate }),
    );
    const share = result.goodput / peak.goodput;
    report(test, `overload-${kind}-${engine}`, {
      peak: Math.round(peak.goodput),
      goodput: Math.round(result.goodput),
      share: Math.round(share * 100) / 100,
      shed: result.responses['503'] ?? 0,
      unsent: result.unsent,
      p99_good_ms: Math.round(result.p99.good),
      p99_shed_ms: Math.round(result.p99.shed),
      slowest_healthz_ms: Math.round(slowest),
    });
    assert.deepEqual(
      failedStatuses(result).filter((status) => status !== '503'),
      [],
    );
    assert.ok(result.goodput > 0, 'no request was answered');
    assert.ok(share >= minShare, `${share} of the best rate is left`);
    assert.ok(slowest < 10_000, `healthz took ${slowest} ms`);
  });

/** Keeps this many connections busy with short requests. This is not an overload: no request is shed. */
export const manyConnections = (
  test: TestContext,
  { engine, connections, seconds }: Pick<Overload, 'engine' | 'connections' | 'seconds'>,
) =>
  withService(test, engine, async (url) => {
    for (const kind of ['reads', 'writes'] as const) {
      const result = await runLoad({ url, requests: kinds[kind], connections, seconds });
      assert.deepEqual(
        [failedStatuses(result), result.broken],
        [[], 0],
        `${kind} of ${connections} connections`,
      );
    }
    assert.equal(await shedSoFar(url), 0);
  });
