import { setTimeout as sleep } from 'node:timers/promises';
import { getResponse } from './answers.ts';
import { type Copy, filledFile } from './databases.ts';
import { measureFlush, measureStorm } from './disturbed.ts';
import { measureExpensive, measureGrowth } from './growth.ts';
import { findProgram } from './machine.ts';
import { printProgress } from './progress.ts';
import { spreadOf } from './rounds.ts';
import type { Run } from './run.ts';
import { residentMb, startRoster } from './server.ts';
import type { Figure, FigureName } from './targets.ts';
import { printFigure } from './texts.ts';
import { trafficByName } from './works.ts';

/** strace traces only flushes, and delays each by 10 ms. */
const SLOW_FLUSH = ['-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'trace=fdatasync,fsync'];
const INJECTED = ['-e', 'inject=fdatasync,fsync:delay_exit=10000'];
const strace = findProgram('strace');

const IDLE_MS = 65_000;
const STARTS = 5;

const figure = (name: FigureName, values: readonly number[]): Figure => {
  const value = spreadOf(values);
  printFigure(name, value);
  return { name, value, facts: {} };
};

/** The milliseconds of each of several starts, up to the first page. */
export const startTimes = async ({ path, key }: Copy, starts = STARTS): Promise<number[]> => {
  const times: number[] = [];
  const headers = { authorization: `Bearer ${key}` };
  const isReady = async (url: string) => (await fetch(`${url}/v1/contacts`, { headers })).ok;
  for (let start = 0; start < starts; start++) {
    const began = performance.now();
    const server = await startRoster(`sqlite:${path}`, { isReady });
    times.push(performance.now() - began);
    await server.stop();
  }
  return times;
};

/** As the data grows: a small and a large workspace next to many others, each with its own file and service. */
export const measureLarge = async (run: Run): Promise<Figure[]> => {
  const { settings, folder, wants } = run;
  const wantsAny = (...names: FigureName[]) => names.some(wants);
  const growth = ['get', 'list', 'tag', 'search', 'create'].map((work) => `growth.${work}` as FigureName);
  const sharedServiceFigures = [
    'growth.deep',
    'growth.short',
    'storm.rate',
    'storm.p99',
    'memory.rest',
    'memory.load',
  ] as const;
  const flush = ['flush.rate', 'flush.p99'] as const;
  if (!wantsAny(...growth, ...sharedServiceFigures, ...flush, 'start')) return [];

  const { neighbours } = settings;
  const filled = await filledFile({ contacts: settings.large, neighbours }, folder);
  const figures: Figure[] = [];
  if (wants('start')) figures.push(figure('start', await startTimes(filled)));

  if (wantsAny(...growth, ...sharedServiceFigures)) {
    const server = await startRoster(`sqlite:${filled.path}`);
    const large = { server, filled };
    for (const work of ['get', 'list', 'search', 'create'] as const)
      await getResponse(server.url, trafficByName[work](filled));
    await sleep(IDLE_MS);
    if (wants('memory.rest')) figures.push(figure('memory.rest', [residentMb(server.pid, 'VmRSS')]));
    if (wantsAny(...growth)) {
      const other = await filledFile({ contacts: settings.small, neighbours }, folder);
      const small = { filled: other, server: await startRoster(`sqlite:${other.path}`) };
      figures.push(...(await measureGrowth(run, small, large)));
      await small.server.stop();
    }
    figures.push(...(await measureExpensive(run, large)));
    if (wantsAny('storm.rate', 'storm.p99')) figures.push(...(await measureStorm(run, large)));
    if (wants('memory.load')) figures.push(figure('memory.load', [residentMb(server.pid, 'VmHWM')]));
    await server.stop();
  }
  if (wantsAny(...flush) && strace) {
    const server = await startRoster(`sqlite:${filled.path}`, {
      wrapper: [strace, ...SLOW_FLUSH, ...INJECTED],
    });
    figures.push(...(await measureFlush(run, { server, filled })));
    await server.stop();
  } else if (wantsAny(...flush)) printProgress('skipped: strace is not installed, which delays flushes');
  return figures;
};
