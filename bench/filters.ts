import { filledFile } from './databases.ts';
import { fill, type Size } from './fill.ts';
import { type BenchServer, grown, measuring } from './growth.ts';
import { TAG } from './people.ts';
import { openDatabase } from './postgres.database.ts';
import { printProgress } from './progress.ts';
import type { Run } from './run.ts';
import { startRoster } from './server.ts';
import type { Figure } from './targets.ts';
import { readTraffic, trafficByName } from './works.ts';

/* Filters that few contacts meet, compared with the first page of all contacts. */

const gold = { attribute: 'fields.plan', op: 'eq', value: 'gold' };
const vip = { attribute: 'tag', op: 'eq', value: TAG };
const soon = { attribute: 'fields.renewal', op: 'within_next', value: 'P30D' };

export const FILTERS = {
  field: gold,
  tag: { all: [gold, vip] },
  days: soon,
  any: { any: [{ all: [gold, vip] }, soon] },
  country: { attribute: 'phone_country', op: 'eq', value: 'GB' },
};
type Work = keyof typeof FILTERS;
const WORKS = Object.keys(FILTERS) as Work[];

const measureEngine = async (
  prefix: 'filters' | 'filters.pg',
  run: Run,
  served: BenchServer,
): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const work of WORKS.filter((each) => run.wants(`${prefix}.${each}`))) {
    const path = `/v1/contacts?filter=${encodeURIComponent(JSON.stringify(FILTERS[work]))}`;
    const contestants = {
      'first page': measuring(served, trafficByName.list(served.filled), 1),
      filtered: measuring(served, readTraffic(path)(served.filled), 1),
    };
    figures.push(await grown(`${prefix}.${work}`, contestants, { from: 'first page', to: 'filtered', run }));
  }
  return figures;
};

/** Selective filters on both engines. */
export const measureFilters = async (run: Run): Promise<Figure[]> => {
  const size: Size = { contacts: run.settings.large, neighbours: 0, hasFields: true };
  const figures: Figure[] = [];
  if (WORKS.some((work) => run.wants(`filters.${work}`))) {
    const filled = await filledFile(size, run.folder);
    const server = await startRoster(`sqlite:${filled.path}`);
    figures.push(...(await measureEngine('filters', run, { server, filled })));
    await server.stop();
  }
  if (WORKS.some((work) => run.wants(`filters.pg.${work}`))) {
    printProgress(`filling PostgreSQL with ${size.contacts.toLocaleString('en')} contacts`);
    const { url, close, query } = await openDatabase();
    const filled = await fill({ engine: 'postgres', url }, size);
    await query('vacuum analyze');
    const server = await startRoster(url);
    figures.push(...(await measureEngine('filters.pg', run, { server, filled })));
    await server.stop();
    await close();
  }
  return figures;
};
