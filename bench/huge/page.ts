import { markdownTable, reasonsOf, tableOf } from '../report.ts';
import type { Figure } from '../targets.ts';
import type { Durations } from './durations.ts';

/** What was measured with one and with ten million contacts. */
export interface Pair<T> {
  readonly small: T;
  readonly large: T;
}

export interface Results {
  readonly machine?: Readonly<Record<string, string>>;
  readonly requests?: {
    readonly growth: readonly Figure[];
    readonly expensive: readonly Figure[];
    /** In MB. */
    readonly memory: Pair<number>;
  };
  /** In milliseconds. */
  readonly starts?: Pair<number>;
  readonly durations?: Pair<Partial<Durations>>;
  /** What could not be measured, and why. */
  readonly left?: string;
}

interface Sizes {
  readonly small: number;
  readonly large: number;
  readonly deepOffset: number;
  readonly rows: number;
}

const many = (count: number) => count.toLocaleString('en');
const seconds = (value: number) => `${value < 10 ? value.toFixed(1) : many(Math.round(value))} s`;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

const pairRow = (
  title: string,
  pair: Pair<number | undefined> | undefined,
  text: (value: number) => string,
) => {
  const cell = (value: number | undefined) => (value === undefined ? '' : text(value));
  return pair ? [[title, cell(pair.small), cell(pair.large)]] : [];
};

const requestSections = ({ growth, expensive }: NonNullable<Results['requests']>, sizes: Sizes) => [
  '## Requests',
  `The p99 with ${many(sizes.large)} contacts as a multiple of that with ${many(sizes.small)}, measured as in
[the benchmarks](../benchmarks.md#as-the-data-grows).`,
  tableOf(growth),
  reasonsOf(growth),
  '## Expensive queries',
  `With ${many(sizes.large)} contacts: the p99 of one client that requests offset ${many(sizes.deepOffset)}, or searches for two
letters, as a multiple of the first page.`,
  tableOf(expensive),
  reasonsOf(expensive),
];

const operationSection = ({ requests, starts, durations, left = '' }: Results, sizes: Sizes) => {
  const duration = (name: keyof Durations) =>
    durations && { small: durations.small[name], large: durations.large[name] };
  const rows = [
    ...pairRow('file', duration('bytes'), gigabytes),
    ...pairRow('start, up to the first page', starts, (value) => `${Math.round(value)} ms`),
    ...pairRow('memory under load, at most', requests?.memory, (value) => `${Math.round(value)} MB`),
    ...pairRow(`import of ${many(sizes.rows)} new contacts`, duration('importing'), seconds),
    ...pairRow('backup, with its verification', duration('backup'), seconds),
    ...pairRow('verify', duration('verify'), seconds),
    ...pairRow('migration that adds the indexes by name and email', duration('migration'), seconds),
  ];
  return [
    '## Operation',
    'Import, backup and verify are the commands. The start is the median of five.',
    markdownTable(['', `${many(sizes.small)} contacts`, `${many(sizes.large)} contacts`], rows),
    left,
  ];
};

export const pageOf = (results: Results, sizes: Sizes): string => {
  const { requests, machine = {} } = results;
  const parts = [
    `# ${many(sizes.large)} contacts`,
    '`npm run bench:huge` writes this page. All of it is measured on SQLite with one serving thread, whose caches and those of\nthe database threads take 48 MB at most. The rest of the file is in the cache of the operating system, or on disk. Copies of both files\nprecede the first rounds, so their gets wait for the disk.',
    ...(requests ? requestSections(requests, sizes) : []),
    ...operationSection(results, sizes),
    '## Measured on',
    markdownTable(['', ''], Object.entries(machine)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
};
