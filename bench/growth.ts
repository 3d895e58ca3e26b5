import { setTimeout as pause } from 'node:timers/promises';
import { getResponse } from './answers.ts';
import type { Filled } from './fill.ts';
import { load, type Sample } from './load.ts';
import { type Contestants, ratioOf, runRounds, spreadOver } from './rounds.ts';
import type { Run } from './run.ts';
import type { Server } from './server.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure, FigureName } from './targets.ts';
import { msText, printFigure } from './texts.ts';
import { deepPage, type Traffic, trafficByName } from './works.ts';

/** A running service and the contents of its database. */
export interface BenchServer {
  readonly server: Server;
  readonly filled: Filled;
}

type Measure = (seconds: number) => Promise<Sample>;

const CREATE_EVERY_MS = 10;

/** Creates a contact every 10 ms during the measurement: a page is cached until a write, and the p99 should be that of
 *  pages that are not cached. */
export const duringCreates = async <T>(
  { server, filled }: { readonly server: Server; readonly filled: Filled },
  work: () => Promise<T>,
): Promise<T> => {
  let isDone = false;
  const create = async () => {
    while (!isDone) {
      await getResponse(server.url, trafficByName.create(filled));
      await pause(CREATE_EVERY_MS);
    }
  };
  const creating = create();
  try {
    return await work();
  } finally {
    isDone = true;
    await creating;
  }
};

export const measuring =
  (served: BenchServer, traffic: Traffic, connections: number): Measure =>
  (seconds) => {
    const measure = () => load(served.server.url, traffic, { connections, seconds });
    return traffic.isList ? duringCreates(served, measure) : measure();
  };

/** The growth of a p99 from one contestant to another. */
export const grown = async <Name extends string>(
  name: FigureName,
  contestants: Contestants<Name>,
  { from, to, run }: { from: Name; to: Name; run: Run },
): Promise<Figure> => {
  const rounds = await runRounds(contestants, run.settings.shortRounds);
  const value = ratioOf(rounds, { of: to, to: from, by: 'p99' });
  printFigure(name, value);
  const p99 = (who: Name) => [`${who} p99`, msText(spreadOver(rounds, who, 'p99').median)];
  return { name, value, facts: Object.fromEntries([p99(from), p99(to)]), bars: { Roster: value.median } };
};

const GROWTH_TRAFFIC = {
  get: trafficByName.get,
  list: trafficByName.list,
  tag: trafficByName.tag,
  search: trafficByName.rare,
  create: trafficByName.create,
};

/** The same requests to a small and to a large workspace, by many concurrent clients. */
export const measureGrowth = async (run: Run, small: BenchServer, large: BenchServer): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const [work, trafficOf] of Object.entries(GROWTH_TRAFFIC)) {
    const name = `growth.${work}` as FigureName;
    if (!run.wants(name)) continue;
    const measure = (served: BenchServer) => measuring(served, trafficOf(served.filled), CONNECTIONS);
    const contestants = { small: measure(small), large: measure(large) };
    figures.push(await grown(name, contestants, { from: 'small', to: 'large', run }));
  }
  return figures;
};

/** Expensive requests compared with the first page, by one client: how long a response takes. */
export const measureExpensive = async (run: Run, served: BenchServer): Promise<Figure[]> => {
  const { filled } = served;
  const expensive = { 'growth.deep': deepPage(run.settings.deepOffset), 'growth.short': trafficByName.short };
  const figures: Figure[] = [];
  for (const [name, trafficOf] of Object.entries(expensive) as [FigureName, typeof trafficByName.list][]) {
    if (!run.wants(name)) continue;
    const measure = (traffic: Traffic) => measuring(served, traffic, 1);
    const contestants = {
      'first page': measure(trafficByName.list(filled)),
      expensive: measure(trafficOf(filled)),
    };
    figures.push(await grown(name, contestants, { from: 'first page', to: 'expensive', run }));
  }
  return figures;
};
