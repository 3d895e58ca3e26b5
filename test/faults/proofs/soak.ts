import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { engines } from '../../kit/database/engines.ts';
import { type RestartableService, withRestartableService } from '../../kit/faults/restartable-service.ts';
import { numberedRows } from '../../kit/imports/imports.ts';
import { assertConsistent } from '../../kit/load/acknowledged-writes.ts';
import { quantile, report, roundedMax } from '../../kit/load/measurements.ts';
import { createClient } from '../../kit/load/writers.ts';
import { seededRandom } from '../../kit/random.ts';
import { KEY } from '../../kit/service/test-service.ts';

export interface SoakOptions {
  readonly engine: keyof typeof engines;
  readonly minutes: number;
  /** Requests per second. */
  readonly rate: number;
  readonly sampleMs: number;
}

const PAGE = 4_096;
const MB = 1_024 * 1_024;
/** The maximum growth from the second to the last quarter that counts as constant. */
const LEVEL = 1.15;
const MAX_WAL_MB = 64;
/** The maximum number of logged bytes per request. */
const MAX_LOG_BYTES = 400;
const MAX_CONTACTS = 5_000;

const rssOf = (pid: number) => (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE) / MB;
const walOf = ({ database }: RestartableService) =>
  database.database.engine === 'sqlite'
    ? (statSync(`${database.database.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) / MB
    : 0;

/** A random request: mostly reads, some writes, and sometimes a deploy or an import. */
const mixedRequests = (service: RestartableService, random: () => number) => {
  const requestOnce = createClient(service.url);
  let stale = 0;
  /** Retries once after an idle connection was closed. */
  const request: typeof requestOnce = async (...asked) => {
    const answered = await requestOnce(...asked);
    if (!answered.wasStale) return answered;
    stale++;
    return requestOnce(...asked);
  };
  const contacts: { id: string; phone: string }[] = [];
  const agents: string[] = [];
  const free = Array.from(
    { length: MAX_CONTACTS },
    (_, at) => `+1${300 + Math.floor(at / 100)}5550${100 + (at % 100)}`,
  );
  const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const create = async (): Promise<number> => {
    const phone = free.pop();
    if (!phone) return remove();
    const fields = {
      phone_number: phone,
      first_name: `Soak ${phone.slice(-4)}`,
      tags: [`tag ${phone.at(-1)}`],
    };
    const { status, body } = await request('POST', '/v1/contacts', fields);
    if (status === 201) contacts.push({ id: body.data.id, phone });
    return status;
  };
  const remove = async (): Promise<number> => {
    const [one] = contacts.splice(Math.floor(random() * contacts.length), 1);
    if (!one) return create();
    const { status } = await request('DELETE', `/v1/contacts/${one.id}`);
    free.unshift(one.phone);
    return status;
  };
  const get = async (path: string) => (await request('GET', path)).status;
  const deploy = async (): Promise<number> => {
    const id = any(agents);
    if (!id || (agents.length < 10 && random() < 0.5)) {
      const { status, body } = await request('POST', '/v1/agents', {
        name: 'Soak',
        instructions: 'Be kind.',
      });
      if (status === 201) agents.push(body.data.id);
      return status;
    }
    await request('PATCH', `/v1/agents/${id}`, { instructions: `Text ${random()}` });
    const versions = await service.call('GET', `/agents/${id}/versions?limit=1`);
    if (versions.status !== 200) return versions.status;
    return (await service.call('POST', `/agents/${id}/versions/${versions.body.data[0].id}/deploy`)).status;
  };
  /** Plans, applies and undoes an import. */
  const importFile = async (): Promise<number> => {
    const headers = { 'content-type': 'text/csv' };
    const raw = `Phone,First Name,Notes\n${numberedRows(200).join('')}`;
    const planned = await service.call('POST', '/imports?country=US', undefined, { raw, headers });
    if (planned.status !== 201) return planned.status;
    const { id } = planned.body.data;
    for (const action of ['apply', 'undo']) {
      const started = await service.call('POST', `/imports/${id}/${action}`);
      if (started.status !== 200) return started.status;
      for (let state = ''; !['applied', 'undone'].includes(state); await pause(100))
        ({ state } = (await service.call('GET', `/imports/${id}`)).body.data);
    }
    return (await service.call('DELETE', `/imports/${id}`)).status;
  };
  return {
    next: (): Promise<number> => {
      const dice = random();
      const one = any(contacts);
      if (dice < 0.4 && one) return get(`/v1/contacts/${one.id}`);
      if (dice < 0.6) return get(`/v1/contacts?limit=20&offset=${Math.floor(random() * 100)}`);
      if (dice < 0.7) return get(`/v1/contacts?search=soak%20${Math.floor(random() * 10)}`);
      if (dice < 0.85) return create();
      if (dice < 0.92 && one)
        return request('PATCH', `/v1/contacts/${one.id}`, { notes: `${random()}` }).then(
          ({ status }) => status,
        );
      if (dice < 0.99) return remove();
      return deploy();
    },
    importFile,
    stale: () => stale,
  };
};

/** Mixed load at a constant rate. Samples the memory and the files every few seconds. */
export const soak = (test: TestContext, { engine, minutes, rate, sampleMs }: SoakOptions): Promise<void> =>
  withRestartableService(
    engine,
    async (service) => {
      const { next, importFile, stale } = mixedRequests(service, seededRandom(1));
      const statuses: Record<number, number> = {};
      const count = (status: number) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
      };
      const until = performance.now() + minutes * 60_000;
      const [rss, wal]: [number[], number[]] = [[], []];
      let logged = 0;
      const sample = setInterval(() => {
        rss.push(rssOf(service.pid()));
        wal.push(walOf(service));
        logged += service.takeLoggedBytes();
      }, sampleMs);
      const importing = (async () => {
        while (performance.now() < until) {
          count(await importFile());
          await pause(sampleMs);
        }
      })();
      const running = new Set<Promise<void>>();
      const began = performance.now();
      for (let sent = 0; performance.now() < until; sent++) {
        const asked: Promise<void> = next().then((status) => {
          count(status);
          running.delete(asked);
        });
        running.add(asked);
        await pause(Math.max(0, began + ((sent + 1) * 1_000) / rate - performance.now()));
      }
      clearInterval(sample);
      await Promise.all([...running, importing]);
      await assertConsistent(service.database);
      const quarter = (at: number) =>
        quantile(rss.slice((rss.length * at) / 4, (rss.length * (at + 1)) / 4), 0.5);
      const requests = Object.values(statuses).reduce((sum, each) => sum + each, 0);
      const figures = {
        engine,
        minutes,
        requests,
        per_second: Math.round(requests / (minutes * 60)),
        statuses: JSON.stringify(statuses),
        stale_connections: stale(),
        rss_second_quarter_mb: quarter(1),
        rss_last_quarter_mb: quarter(3),
        rss_most_mb: roundedMax(rss),
        wal_most_mb: roundedMax(wal),
        log_bytes_each: Math.round(logged / requests),
      };
      report(test, `soak-${engine}`, figures);
      assert.deepEqual(
        Object.keys(statuses).filter((status) => Number(status) >= 500 || status === '0'),
        [],
      );
      assert.ok(stale() <= requests / 10_000, 'connections end while they rest, and seldom then');
      assert.ok(figures.rss_last_quarter_mb <= figures.rss_second_quarter_mb * LEVEL, 'memory is level');
      assert.ok(figures.wal_most_mb <= MAX_WAL_MB, 'the log of the database is bounded');
      assert.ok(figures.log_bytes_each <= MAX_LOG_BYTES, 'a request is one short line of the log');
    },
    { ROSTER_API_KEY: KEY, LOG_LEVEL: 'info' },
  );
