import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEnvironment } from '../build/start.ts';
import { filledFile } from './databases.ts';
import { startLimit } from './embedded.ts';
import { load } from './load.ts';
import { startRun } from './run.ts';
import { type Server, startServer } from './server.ts';
import { CONNECTIONS, settings as known } from './settings.ts';
import { type Traffic, trafficByName } from './works.ts';

/** The steps of a request, each with the functions that belong to it. A sample of the profile belongs to the first step that
 *  matches the innermost function with a script; native functions count for their callers. */
const STEPS: readonly (readonly [string, RegExp])[] = [
  ['node:http, sockets and timers', /^node:/],
  ['request id', /#(?:newRequestId|requestIdOf|isFromProxy)$/],
  ['headers', /#(?:responseHead|headOf|#headOf|isSecure|hasChosenEncoding|isWhole|assertValidHeaders|countHosts)$/],
  ['log', /\/lib\/log\.ts#/],
  ['metrics', /\/(?:pipeline\/metrics|lib\/metric)\.ts#/],
  ['authentication', /\/(?:credentials|principal|rate-limit|scopes|api-key[\w.-]*|key[\w.-]*)\.ts#/],
  ['load shedding and connections', /\/http\/server\/|\/db\/admission\.ts#/],
  ['route', /\/(?:router|routes|listener|[\w.-]+\.routes)\.ts#/],
  ['input', /\/(?:request-input|validation|json|text|phone[\w.-]*)\.ts#/],
  ['response', /\/(?:exchange|route|response|preconditions|compression|content-encoding|etag)\.ts#/],
  ['statement', /\/(?:db|features|lib|operations)\b/],
];
const COLLECTION = 'garbage collection';
const REST = 'parser and rest of the runtime';

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

type Shares = Map<string, number>;

/** The share of each step in the samples between two moments, without idle ones. */
const sharesOf = ({ nodes, samples, timeDeltas, startTime }: Profile, from: number, to: number): Shares => {
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stepOf = (id: number | undefined): string => {
    const frame = id === undefined ? undefined : byId.get(id)?.callFrame;
    if (!frame || frame.functionName === '(root)') return REST;
    if (frame.functionName === '(garbage collector)') return COLLECTION;
    if (frame.url === '') return stepOf(parents.get(id as number));
    const name = `${frame.url}#${frame.functionName}`;
    return STEPS.find(([, pattern]) => pattern.test(name))?.[0] ?? REST;
  };
  const steps = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName === '(idle)' ? '' : stepOf(id)]));
  const shares: Shares = new Map();
  let at = startTime;
  let total = 0;
  samples.forEach((id, index) => {
    const delta = timeDeltas[index] as number;
    at += delta;
    const step = steps.get(id);
    if (!step || at < from || at > to) return;
    shares.set(step, (shares.get(step) ?? 0) + delta);
    total += delta;
  });
  return new Map([...shares].map(([step, time]) => [step, time / total]));
};

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

/** The processor time of each thread in microseconds, by thread id. */
const threadTimes = (pid: number) =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
      return [Number(thread), Number(text.split(' ')[0]) / 1_000];
    }),
  );

const SECONDS = 6;
const WARM_UP = 4;

/** The processor time per request of the serving thread and of the busiest other thread. */
const measureTimes = async ({ url, pid }: Server, traffic: Traffic) => {
  await load(url, traffic, { connections: CONNECTIONS, seconds: WARM_UP });
  const before = threadTimes(pid);
  const from = nowUs();
  const { requests } = await load(url, traffic, { connections: CONNECTIONS, seconds: SECONDS });
  const to = nowUs();
  const times = [...threadTimes(pid)].map(([thread, time]) => ({
    isFirst: thread === pid,
    time: (time - (before.get(thread) ?? 0)) / requests,
  }));
  const others = times.filter(({ isFirst }) => !isFirst).map(({ time }) => time);
  return { serving: times.find(({ isFirst }) => isFirst)?.time ?? 0, writer: Math.max(0, ...others), from, to };
};

const run = startRun(known.whole, undefined);
const filled = await filledFile({ contacts: known.whole.contacts, neighbours: 0 }, run.folder);
const environment = {
  ...startEnvironment,
  DATABASE_URL: `sqlite:${filled.path}`,
  ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  SERVE_THREADS: '1',
};

const names = (process.argv[2]?.split(',') ?? ['get', 'list', 'create']) as ('get' | 'list' | 'create')[];
for (const name of names) {
  const traffic = trafficByName[name](filled);
  const folder = mkdtempSync(join(run.folder, 'profile-'));
  const flags = `--max-semi-space-size=8 --cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=300`;
  const profiled = await startServer('../src/main.ts', { ...environment, NODE_OPTIONS: flags });
  const { from, to } = await measureTimes(profiled, traffic);
  await profiled.stop();
  // The profiler takes processor time itself, so times come from a run without it.
  const roster = await startServer('../src/main.ts', { ...environment, NODE_OPTIONS: '--max-semi-space-size=8' });
  const times = await measureTimes(roster, traffic);
  const limit = await startLimit(roster, traffic, run.folder);
  const bare = await measureTimes(limit, traffic);
  await Promise.all([roster.stop(), limit.stop()]);
  console.log(`\n${name}: ${times.serving.toFixed(1)} µs, bare ${bare.serving.toFixed(1)} µs, writer ${times.writer.toFixed(1)} µs`);
  const profiles = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile);
  for (const profile of profiles) {
    const isServing = profile.nodes.some(({ callFrame }) => callFrame.url.endsWith('/pipeline/listener.ts'));
    const isWriter = !isServing && profile.nodes.some(({ callFrame }) => callFrame.url.endsWith('/sqlite/writer.ts'));
    if (!isServing && !(isWriter && name === 'create')) continue;
    const total = isServing ? times.serving : times.writer;
    for (const [step, share] of [...sharesOf(profile, from, to)].sort((one, other) => other[1] - one[1]))
      console.log(`  ${isServing ? 'serving' : 'writer '} ${(share * total).toFixed(1).padStart(6)} µs  ${step}`);
    if (process.env.DETAIL) {
      const self = new Map<string, number>();
      let at = profile.startTime, sum = 0;
      const byId = new Map(profile.nodes.map((n) => [n.id, n]));
      profile.samples.forEach((id, i) => { at += profile.timeDeltas[i]!; const f = byId.get(id)!.callFrame; if (at < from || at > to || f.functionName === '(idle)') return; const k = `${f.functionName} ${f.url.split('/').slice(-2).join('/')}`; self.set(k, (self.get(k) ?? 0) + profile.timeDeltas[i]!); sum += profile.timeDeltas[i]!; });
      for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 60)) console.log('    ', (v / sum * total).toFixed(2), k);
    }
  }
  rmSync(folder, { recursive: true });
}
process.exit(0);
