import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/db/database.ts';
import { createSessionCookie } from '../test/kit/dashboard/users.ts';
import { filledFile } from './databases.ts';
import { type Filled, fill } from './fill.ts';
import type { Sample } from './load.ts';
import { openDatabase } from './postgres.database.ts';
import { printProgress } from './progress.ts';
import { ratioOf, runRounds, type Spread, spreadOf, spreadOver } from './rounds.ts';
import type { Run } from './run.ts';
import { type Server, startRoster, startServer } from './server.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure, FigureName } from './targets.ts';
import { printFigure, rateText } from './texts.ts';
import { fillLog, startBacklog } from './webhooks.fill.ts';

/* How fast a backlog of events is delivered, compared with bare requests to the same receiver. */

/** The shorter backlog. No round delivers all of it. */
const SHORT_BACKLOG = 10_000;
const environment = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
const TICKS_PER_SECOND = 100;

const sampleOf = (requests: number, ms: number): Sample => ({
  requests,
  rate: (requests * 1_000) / ms,
  p50: 0,
  p99: 0,
  errors: 0,
});

/** Requests of the size of an event, without a signature and without a database. */
const sendBare = async (url: string, body: string, seconds: number): Promise<Sample> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const send = () =>
    new Promise<void>((resolve, reject) => {
      request(url, { method: 'POST', agent, headers }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end(body);
    });
  const began = performance.now();
  let count = 0;
  const work = async () => {
    while (performance.now() - began < seconds * 1_000) {
      await send();
      count++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  agent.destroy();
  return sampleOf(count, performance.now() - began);
};

/** The processor time of a process in microseconds. */
const processorTime = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000_000;
};

interface Served {
  readonly database: Database;
  readonly filled: Filled;
  readonly server: Server;
  readonly receiver: Server;
}

/** Creates a paused webhook. Returns a function that delivers a backlog for some seconds. */
const createDelivery = async ({ database, filled: { workspace }, server, receiver }: Served) => {
  const cookie = await createSessionCookie({ database }, 'bench@example.com', 'owner', workspace);
  const call = async (method: string, path: string, body: object) => {
    const response = await fetch(`${server.url}/v1/webhooks${path}`, {
      method,
      headers: { cookie, origin: server.url, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { data: { id: string } }).data;
  };
  const settings = { url: receiver.url, max_concurrency: CONNECTIONS, status: 'paused' };
  const { id } = await call('POST', '', settings);
  const arrived = async () => Number(await (await fetch(receiver.url)).text());
  /** Processor time of the service per delivery in microseconds, by the backlog. */
  const times = new Map<number, number[]>();
  const deliver = async (backlog: number, seconds: number): Promise<Sample> => {
    await startBacklog(database, { workspace, backlog });
    const before = await arrived();
    await call('PATCH', `/${id}`, { status: 'active' });
    while ((await arrived()) < before + CONNECTIONS) await sleep(5);
    const [began, first, time] = [performance.now(), await arrived(), processorTime(server.pid)];
    await sleep(seconds * 1_000);
    const count = (await arrived()) - first;
    const sample = sampleOf(count, performance.now() - began);
    times.set(backlog, [...(times.get(backlog) ?? []), (processorTime(server.pid) - time) / count]);
    await call('PATCH', `/${id}`, { status: 'paused' });
    for (let last = -1, now = await arrived(); last !== now; now = await arrived()) {
      last = now;
      await sleep(200);
    }
    return sample;
  };
  return { deliver, times };
};

const measureEngine = async (
  prefix: 'webhooks' | 'webhooks.pg',
  run: Run,
  served: Served,
): Promise<Figure[]> => {
  const { server, receiver, filled } = served;
  const headers = { authorization: `Bearer ${filled.key}` };
  const feed = await fetch(`${server.url}/v1/events?limit=1`, { headers });
  const { data } = (await feed.json()) as { data: { events: unknown[] } };
  const body = JSON.stringify(data.events[0]);
  const { deliver, times } = await createDelivery(served);
  const contestants = {
    bare: (seconds: number) => sendBare(receiver.url, body, seconds),
    short: (seconds: number) => deliver(SHORT_BACKLOG, seconds),
    long: (seconds: number) => deliver(run.settings.large, seconds),
  };
  const rounds = await runRounds(contestants, run.settings.shortRounds);
  const rate = (who: keyof typeof contestants) => rateText(spreadOver(rounds, who, 'rate').median);
  const figure = (name: FigureName, value: Spread, of: 'short' | 'long', to: 'bare' | 'short'): Figure => {
    printFigure(name, value);
    const backlog = of === 'short' ? SHORT_BACKLOG : run.settings.large;
    const processor = `${spreadOf(times.get(backlog) ?? []).median.toFixed(0)} µs`;
    const facts = { 'measured /s': rate(of), 'compared with /s': rate(to), 'processor time': processor };
    return { name, value, facts };
  };
  return [
    figure(`${prefix}.rate`, ratioOf(rounds, { of: 'short', to: 'bare', by: 'rate' }), 'short', 'bare'),
    figure(`${prefix}.level`, ratioOf(rounds, { of: 'long', to: 'short', by: 'rate' }), 'long', 'short'),
  ];
};

/** The delivery of events to a receiver on the same machine, on both engines. */
export const measureWebhooks = async (run: Run): Promise<Figure[]> => {
  const size = { contacts: SHORT_BACKLOG, neighbours: 0 };
  const figures: Figure[] = [];
  const measure = async (
    prefix: 'webhooks' | 'webhooks.pg',
    {
      database,
      url,
      filled,
      afterFilling = async () => {},
    }: { database: Database; url: string; filled: Filled; afterFilling?: () => Promise<unknown> },
  ) => {
    printProgress(`filling ${run.settings.large.toLocaleString('en')} events`);
    await fillLog(database, { workspace: filled.workspace, count: run.settings.large });
    await afterFilling();
    const receiver = await startServer('contestants/receiver.ts', {});
    const server = await startRoster(url, { environment });
    figures.push(...(await measureEngine(prefix, run, { database, filled, server, receiver })));
    await server.stop();
    await receiver.stop();
  };
  const wants = (prefix: 'webhooks' | 'webhooks.pg') =>
    run.wants(`${prefix}.rate`) || run.wants(`${prefix}.level`);
  if (wants('webhooks')) {
    const filled = await filledFile(size, run.folder);
    const database = { engine: 'sqlite', path: filled.path } as const;
    await measure('webhooks', { database, url: `sqlite:${filled.path}`, filled });
  }
  if (wants('webhooks.pg')) {
    const { url, query, close } = await openDatabase();
    const database = { engine: 'postgres', url } as const;
    // Otherwise the server does it in the background during the measurement.
    const afterFilling = () => query('vacuum analyze');
    await measure('webhooks.pg', { database, url, filled: await fill(database, size), afterFilling });
    await close();
  }
  return figures;
};
