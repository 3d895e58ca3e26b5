import { filledFile } from './databases.ts';
import { type Filled, fill } from './fill.ts';
import { duringCreates } from './growth.ts';
import { load, type Sample } from './load.ts';
import { openDatabase } from './postgres.database.ts';
import { printProgress } from './progress.ts';
import { type Contestants, ratioOf, runRounds, spreadOver } from './rounds.ts';
import type { Run } from './run.ts';
import { type Server, startRoster } from './server.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure, FigureName } from './targets.ts';
import { printFigure, rateText } from './texts.ts';
import { BATCH_ROWS, deepCursor, deepFeed, readTraffic, type Traffic, trafficByName } from './works.ts';

/* What programs use to synchronize contacts, compared with the requests that they replace. */

/** Many clients that create contacts share transactions already, so batches are compared by what one program achieves. */
const ONE_CLIENT = 1;

interface Comparison<Name extends string> {
  readonly contestants: Contestants<Name>;
  /** The ratio of the rates of `of` and `to`. */
  readonly of: Name;
  readonly to: Name;
}

/** Measures two contestants in turns. */
export const compare = async <Name extends string>(
  name: FigureName,
  { contestants, of, to }: Comparison<Name>,
  run: Run,
): Promise<Figure> => {
  const rounds = await runRounds(contestants, run.settings.shortRounds);
  const value = ratioOf(rounds, { of, to, by: 'rate' });
  printFigure(name, value);
  const rate = (who: Name) => rateText(spreadOver(rounds, who, 'rate').median);
  return { name, value, facts: { 'measured /s': rate(of), 'compared with /s': rate(to) } };
};

/** A batch counts as the rows that it has. */
const inRows = (sample: Sample): Sample => ({ ...sample, rate: sample.rate * BATCH_ROWS });

const measureEngine = async (
  prefix: 'machines' | 'machines.pg',
  run: Run,
  served: { readonly server: Server; readonly filled: Filled },
): Promise<Figure[]> => {
  const { server, filled } = served;
  const sending = (traffic: Traffic, connections: number) => (seconds: number) =>
    load(server.url, traffic, { connections, seconds });
  const create = sending(trafficByName.create(filled), CONNECTIONS);
  const figures: Figure[] = [];
  if (run.wants(`${prefix}.cursor`)) {
    // A page is cached until the next write.
    const reading = (path: string) => (seconds: number) =>
      duringCreates(served, () => sending(readTraffic(path)(filled), CONNECTIONS)(seconds));
    const deep = await deepCursor(server.url, filled.key);
    const contestants = { 'first page': reading('/v1/contacts?cursor='), 'deep page': reading(deep) };
    // The time of a page is the inverse of its rate.
    const pages = { contestants, of: 'first page', to: 'deep page' } as const;
    figures.push(await compare(`${prefix}.cursor`, pages, run));
  }
  if (run.wants(`${prefix}.feed`)) {
    const reading = (path: string) => sending(readTraffic(path)(filled), CONNECTIONS);
    const deep = await deepFeed(server.url, filled);
    const contestants = { 'first page': reading('/v1/events?limit=20'), 'deep page': reading(deep) };
    const pages = { contestants, of: 'first page', to: 'deep page' } as const;
    figures.push(await compare(`${prefix}.feed`, pages, run));
  }
  if (run.wants(`${prefix}.upsert`)) {
    const contestants = { upsert: sending(trafficByName.upsert(filled), CONNECTIONS), create };
    figures.push(await compare(`${prefix}.upsert`, { contestants, of: 'upsert', to: 'create' }, run));
  }
  if (run.wants(`${prefix}.batch`)) {
    const batch = sending(trafficByName.batch(filled), ONE_CLIENT);
    const contestants = {
      batch: async (seconds: number) => inRows(await batch(seconds)),
      create: sending(trafficByName.create(filled), ONE_CLIENT),
    };
    figures.push(await compare(`${prefix}.batch`, { contestants, of: 'batch', to: 'create' }, run));
  }
  return figures;
};

const WORKS = ['upsert', 'batch', 'cursor', 'feed'] as const;

/** Upserts, batches, cursors and the feed of events on both engines. */
export const measureMachines = async (run: Run): Promise<Figure[]> => {
  const size = { contacts: run.settings.contacts, neighbours: 0 };
  const figures: Figure[] = [];
  if (WORKS.some((work) => run.wants(`machines.${work}`))) {
    const filled = await filledFile(size, run.folder);
    const server = await startRoster(`sqlite:${filled.path}`);
    figures.push(...(await measureEngine('machines', run, { server, filled })));
    await server.stop();
  }
  if (WORKS.some((work) => run.wants(`machines.pg.${work}`))) {
    printProgress(`filling PostgreSQL with ${size.contacts.toLocaleString('en')} contacts`);
    const { url, close } = await openDatabase();
    const filled = await fill({ engine: 'postgres', url }, size);
    const server = await startRoster(url);
    figures.push(...(await measureEngine('machines.pg', run, { server, filled })));
    await server.stop();
    await close();
  }
  return figures;
};
