import type { Spread } from './rounds.ts';

/** The targets of the figures. The names are those of `--only`. */
export interface Target {
  readonly title: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** A higher goal than the target. */
  readonly goal?: number;
  readonly unit?: 'MB' | 'ms' | 'µs';
}

const ofLimit = (title: string, atLeast: number, goal: number) => ({ title, atLeast, goal });
const ofPlain = (title: string) => ({ title: `${title}, of plain`, atLeast: 1.5 });
const ofPgbench = (title: string) => ({ title: `${title}, of pgbench`, atLeast: 0.5 });
const growing = (title: string, atMost = 1.5) => ({ title, atMost });

const filtering = (title: string) => ({ title, atMost: 3 });

export const targets = {
  get: ofLimit('get one contact', 0.55, 0.7),
  list: ofLimit('first page of 20', 0.4, 0.6),
  tag: ofLimit('page of 20 with a tag', 0.35, 0.5),
  search: ofLimit('search, page of 20 with exact total', 0.2, 0.4),
  'search.again': ofLimit('repeated search, no writes', 0.2, 0.4),
  agent: ofLimit('get one agent with 20 versions', 0.5, 0.7),
  create: ofLimit('create, durable', 0.3, 0.5),

  'pg.get': ofPlain('get one contact'),
  'pg.list': ofPlain('first page of 20'),
  'pg.search': ofPlain('search, page of 20 with exact total'),
  'pg.create': ofPlain('create'),
  'pg.get.pgbench': ofPgbench('get one contact'),
  'pg.list.pgbench': ofPgbench('first page of 20'),
  'pg.search.pgbench': ofPgbench('search, page of 20 with exact total'),
  'pg.create.pgbench': ofPgbench('create'),

  'growth.get': growing('get one contact'),
  'growth.list': growing('first page of 20'),
  'growth.tag': growing('page of 20 with a tag'),
  'growth.search': growing('search of three letters or more'),
  'growth.create': growing('create'),
  'growth.deep': growing('deep page, compared with the first page', 5),
  'growth.short': growing('search of two letters, compared with the first page', 20),

  'machines.upsert': { title: 'upsert of a new contact, of a create', atLeast: 0.8 },
  'machines.batch': {
    title: 'contacts per second of one client in batches of 1,000, of single creates',
    atLeast: 5,
  },
  'machines.cursor': { title: 'first page of a cursor, of a page at nine tenths of the list', atMost: 1.2 },
  'machines.feed': { title: 'first page of the events, of a page at nine tenths of them', atMost: 1.2 },
  'machines.pg.upsert': { title: 'PostgreSQL: upsert of a new contact, of a create', atLeast: 0.8 },
  'machines.pg.batch': {
    title: 'PostgreSQL: contacts per second of one client in batches of 1,000, of single creates',
    atLeast: 5,
  },
  'machines.pg.cursor': {
    title: 'PostgreSQL: first page of a cursor, of a page at nine tenths of the list',
    atMost: 1.2,
  },
  'machines.pg.feed': {
    title: 'PostgreSQL: first page of the events, of a page at nine tenths of them',
    atMost: 1.2,
  },

  'personal.create': { title: 'cost of a create with five fields, of one without', atMost: 1.3 },
  'personal.render': { title: 'rendered instructions, of a get', atLeast: 0.5 },
  'personal.claim': { title: 'claims of ten contacts with rendering, of claims without', atLeast: 0.7 },
  'personal.pg.create': {
    title: 'PostgreSQL: cost of a create with five fields, of one without',
    atMost: 1.3,
  },
  'personal.pg.render': { title: 'PostgreSQL: rendered instructions, of a get', atLeast: 0.5 },
  'personal.pg.claim': {
    title: 'PostgreSQL: claims of ten contacts with rendering, of claims without',
    atLeast: 0.7,
  },

  'personal.session': { title: 'session, of a get', atLeast: 0.5 },
  'personal.session.p99': { title: 'p99 of a session', atMost: 10, unit: 'ms' },
  'personal.pg.session': { title: 'PostgreSQL: session, of a get', atLeast: 0.5 },
  'personal.pg.session.p99': { title: 'PostgreSQL: p99 of a session', atMost: 10, unit: 'ms' },
  'filters.field': filtering('a value of a field'),
  'filters.tag': filtering('a value of a field and a tag'),
  'filters.days': filtering('the next 30 days'),
  'filters.any': filtering('one of two selective conditions'),
  'filters.country': filtering('a rare country'),
  'filters.pg.field': filtering('PostgreSQL: a value of a field'),
  'filters.pg.tag': filtering('PostgreSQL: a value of a field and a tag'),
  'filters.pg.days': filtering('PostgreSQL: the next 30 days'),
  'filters.pg.any': filtering('PostgreSQL: one of two selective conditions'),
  'filters.pg.country': filtering('PostgreSQL: a rare country'),

  'webhooks.rate': { title: 'deliveries per second, of bare requests', atLeast: 0.3 },
  'webhooks.level': { title: 'deliveries of the long backlog, of the short one', atLeast: 0.8 },
  'webhooks.pg.rate': { title: 'PostgreSQL: deliveries per second, of bare requests', atLeast: 0.3 },
  'webhooks.pg.level': {
    title: 'PostgreSQL: deliveries of the long backlog, of the short one',
    atLeast: 0.8,
  },

  'storm.rate': { title: 'get during a burst of searches: share of its rate', atLeast: 0.7 },
  'storm.p99': { title: 'get during a burst of searches: growth of its p99', atMost: 3 },
  'flush.rate': { title: 'get while every flush takes 10 ms: share of its rate', atLeast: 0.7 },
  'flush.p99': { title: 'get while every flush takes 10 ms: growth of its p99', atMost: 3 },

  'steps.get': { title: 'Roster without SQLite, per get', atMost: 18, unit: 'µs' },
  'steps.writer': { title: 'the writer, per create', atMost: 100, unit: 'µs' },

  'threads.get': { title: 'get with two serving threads, of one', atLeast: 1.35 },
  'threads.cpu': { title: 'processor time of a get with two serving threads, of one', atMost: 1.05 },
  'threads.storm.rate': { title: 'get during a burst of searches: share of its rate', atLeast: 0.7 },
  'threads.storm.p99': { title: 'get during a burst of searches: growth of its p99', atMost: 2 },
  'threads.memory': { title: 'memory of each further serving thread', atMost: 40, unit: 'MB' },

  'sdk.get': { title: 'get one contact with the SDK, of bare fetch', atMost: 1.1 },
  'sdk.list': { title: 'page of 100 with the SDK, of bare fetch', atMost: 1.1 },

  'memory.rest': { title: 'memory at rest, a minute after the last request', atMost: 150, unit: 'MB' },
  'memory.load': { title: 'memory under load, at most', atMost: 250, unit: 'MB' },
  start: { title: 'from start to first response', atMost: 500, unit: 'ms' },
} satisfies Record<string, Target>;

export type FigureName = keyof typeof targets;

export const targetOf = (name: FigureName): Target => targets[name];

/** A measured value. */
export interface Figure {
  readonly name: FigureName;
  readonly value: Spread;
  /** Further facts, by the headings of the table's columns. */
  readonly facts: Readonly<Record<string, string>>;
  /** The values that a chart shows. */
  readonly bars?: Readonly<Record<string, number>>;
}

/** Whether a figure meets its target, by its median. */
export const reachesTarget = ({ name, value: { median } }: Figure): boolean => {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = targetOf(name);
  return median >= atLeast && median <= atMost;
};
