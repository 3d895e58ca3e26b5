import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEnvironment } from '../build/start.ts';
import { filledFile } from './databases.ts';
import { startLimit } from './embedded.ts';
import { load } from './load.ts';
import { threadTimes } from './processor-time.ts';
import { spreadOf } from './rounds.ts';
import type { Run } from './run.ts';
import { type Server, startServer } from './server.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure } from './targets.ts';
import { printFigure } from './texts.ts';
import { type Traffic, trafficByName } from './works.ts';

/** The steps of a request, with the functions that belong to each, as `script#function`. A sample of the profile belongs to the
 *  first step that matches the innermost function with a script; native functions belong to their callers. */
const STEPS: Readonly<Record<string, RegExp>> = {
  'node:http, sockets, timers': /^node:/,
  'request id': /#(?:newRequestId|requestIdOf|isFromProxy)$/,
  headers: /#(?:responseHead|#headOf|isSecure|hasChosenEncoding|isWhole|assertValidHeaders|countHosts)$/,
  log: /\/lib\/log\.ts#/,
  metrics: /\/(?:pipeline\/metrics|lib\/metric)\.ts#/,
  authentication:
    /\/(?:pipeline\/(?:credentials|rate-limit)|workspaces\/[\w.-]+|lib\/(?:scopes|rate-limit))\.ts#/,
  'load shedding, connections': /\/http\/server\/|\/db\/admission\.ts#/,
  route: /\/(?:pipeline\/router|pipeline\/listener|\w[\w.-]*\.routes)\.ts#/,
  input: /\/(?:pipeline\/request-input|lib\/(?:validation|json|text|phone)[\w.-]*)\.ts#/,
  response: /\/http\/pipeline\//,
  'SQLite, with its bindings': /\/db\/sqlite\/(?:connection|read-cache|search\/\w+)\.ts#/,
  'messages to the writer': /\/db\/sqlite\//,
  operation: /\/src\//,
};
const COLLECTION = 'garbage collection';
const RUNTIME = 'parser, rest of the runtime';
const NOT_OURS: readonly string[] = [
  'node:http, sockets, timers',
  'SQLite, with its bindings',
  COLLECTION,
  RUNTIME,
];

interface Profile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The step of each node of a profile; undefined for idle time. */
const stepsOf = ({ nodes }: Profile): Map<number, string | undefined> => {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const stepOf = (id: number): string | undefined => {
    const { functionName = '(root)', url = '' } = frames.get(id) ?? {};
    if (functionName === '(idle)') return undefined;
    if (functionName === '(garbage collector)') return COLLECTION;
    const parent = parents.get(id);
    if (url === '') return parent === undefined ? RUNTIME : stepOf(parent);
    const name = `${url}#${functionName}`;
    return Object.entries(STEPS).find(([, functions]) => functions.test(name))?.[0] ?? RUNTIME;
  };
  return new Map(nodes.map(({ id }) => [id, stepOf(id)]));
};

type Steps = Readonly<Record<string, number>>;

/** The share of each step in the time between two moments, in microseconds of the system's clock. */
const sharesOf = (profile: Profile, { from, to }: { from: number; to: number }): Steps => {
  const steps = stepsOf(profile);
  const times: Record<string, number> = {};
  let [at, total] = [profile.startTime, 0];
  for (const [index, id] of profile.samples.entries()) {
    const time = profile.timeDeltas[index] ?? 0;
    at += time;
    const step = steps.get(id);
    if (step === undefined || at < from || at > to) continue;
    times[step] = (times[step] ?? 0) + time;
    total += time;
  }
  return Object.fromEntries(Object.entries(times).map(([step, time]) => [step, time / total]));
};

const now = () => Number(process.hrtime.bigint() / 1_000n);

const SECONDS = { warmUp: 4, measured: 6 };

/** The processor time per request of the first thread and of the busiest other one, and when it was measured. */
const measureTimes = async ({ url, pid }: Server, traffic: Traffic) => {
  await load(url, traffic, { connections: CONNECTIONS, seconds: SECONDS.warmUp });
  const [before, from] = [threadTimes(pid), now()];
  const { requests } = await load(url, traffic, { connections: CONNECTIONS, seconds: SECONDS.measured });
  const to = now();
  const timeOf = ([thread, time]: readonly [number, number]) => (time - (before.get(thread) ?? 0)) / requests;
  const times = [...threadTimes(pid)];
  const others = times.filter(([thread]) => thread !== pid).map(timeOf);
  const first = times.filter(([thread]) => thread === pid).map(timeOf);
  return { serving: Math.max(...first), writer: Math.max(0, ...others), from, to };
};

const profileOf = (folder: string, script: string): Profile | undefined =>
  readdirSync(folder)
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile)
    .find(({ nodes }) => nodes.some(({ callFrame: { url } }) => url.endsWith(script)));

const scaled = (shares: Steps, total: number): Steps =>
  Object.fromEntries(Object.entries(shares).map(([step, share]) => [step, share * total]));

/** The microseconds of each step of a request. */
interface Measured {
  readonly steps: Steps;
  readonly serving: number;
  readonly writer: number;
  readonly bare: number;
}

const measureWork = async (
  traffic: Traffic,
  environment: Record<string, string>,
  folder: string,
): Promise<Measured> => {
  const profiles = mkdtempSync(join(folder, 'profile-'));
  const start = (flags: string) =>
    startServer('../src/entry/main.ts', { ...environment, NODE_OPTIONS: `--max-semi-space-size=8 ${flags}` });
  const profiled = await start(`--cpu-prof --cpu-prof-dir=${profiles} --cpu-prof-interval=300`);
  const moments = await measureTimes(profiled, traffic);
  await profiled.stop();
  const profile = profileOf(profiles, '/pipeline/listener.ts');
  rmSync(profiles, { recursive: true });
  // The profiler takes processor time itself, so the times are those of a service without it.
  const roster = await start('');
  const { serving, writer } = await measureTimes(roster, traffic);
  const limit = await startLimit(roster, traffic, folder);
  const { serving: bare } = await measureTimes(limit, traffic);
  await Promise.all([roster.stop(), limit.stop()]);
  if (!profile) throw new Error('the profile of the serving thread is missing');
  return { steps: scaled(sharesOf(profile, moments), serving), serving, writer, bare };
};

/** The figures of an earlier version, measured on the same machine. */
const BEFORE = new URL('../docs/benchmarks/steps.before.json', import.meta.url);
const WORKS = { get: 'get', list: 'page', create: 'create' } as const;
type Work = keyof typeof WORKS;
type All = Readonly<Record<Work, Measured>>;

const tableOf = (all: All, before: All | undefined): string => {
  const works = Object.keys(WORKS) as Work[];
  const columns = works.flatMap((work) => [...(before ? [before[work]] : []), all[work]]);
  const titles = works.flatMap((work) => [...(before ? [`${WORKS[work]} before`] : []), WORKS[work]]);
  const row = (title: string, value: (measured: Measured) => number | undefined) =>
    `| ${[title, ...columns.map((each) => value(each)?.toFixed(1) ?? '')].join(' | ')} |`;
  const steps = [...Object.keys(STEPS), COLLECTION, RUNTIME];
  return [
    `| µs of processor time | ${titles.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(titles.length)}`,
    ...steps.map((step) => row(step, (measured) => measured.steps[step] ?? 0)),
    row('**serving thread**', ({ serving }) => serving),
    row('of which Roster without SQLite', oursOf),
    row('bare `node:http`, same bytes and body parsed', ({ bare }) => bare),
    row('**writer**', ({ writer }) => writer),
  ].join('\n');
};

const oursOf = ({ steps }: Measured): number =>
  Object.entries(steps).reduce((sum, [step, time]) => (NOT_OURS.includes(step) ? sum : sum + time), 0);

/** The processor time of each step of a get, a page and a create. */
export const measureSteps = async ({
  settings,
  folder,
  wants,
}: Run): Promise<{ figures: Figure[]; table?: string }> => {
  if (!wants('steps.get')) return { figures: [] };
  const all: Partial<Record<Work, Measured>> = {};
  for (const work of Object.keys(WORKS) as Work[]) {
    const filled = await filledFile({ contacts: settings.contacts, neighbours: 0 }, folder, `steps-${work}`);
    const environment = {
      ...startEnvironment,
      DATABASE_URL: `sqlite:${filled.path}`,
      ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVE_THREADS: '1',
    };
    all[work] = await measureWork(trafficByName[work](filled), environment, folder);
  }
  const { get, create } = all as All;
  const figures: Figure[] = [
    { name: 'steps.get', value: spreadOf([oursOf(get)]), facts: {} },
    { name: 'steps.writer', value: spreadOf([create.writer]), facts: {} },
  ];
  for (const { name, value } of figures) printFigure(name, value);
  const before = existsSync(BEFORE) ? (JSON.parse(readFileSync(BEFORE, 'utf8')) as All) : undefined;
  return { figures, table: tableOf(all as All, before) };
};
