import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { filledFile } from '../databases.ts';
import { measureExpensive, measureGrowth } from '../growth.ts';
import { generator } from '../load.ts';
import { machine } from '../machine.ts';
import { printProgress } from '../progress.ts';
import { markdownTable, reasonsOf, tableOf } from '../report.ts';
import { startRun } from '../run.ts';
import { residentMb, startRoster } from '../server.ts';
import { settings as known } from '../settings.ts';
import { type Durations, measureDurations, measureStart } from './durations.ts';

/** Compares ten million contacts with one million: requests, and what grows with the file. Filling takes about an hour. */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const sizes = values.quick
  ? ({ small: 10_000, large: 50_000, deepOffset: 45_000, neighbours: 20, rows: 1_000 } as const)
  : ({
      small: 1_000_000,
      large: 10_000_000,
      deepOffset: 9_000_000,
      neighbours: 1_000,
      rows: 50_000,
    } as const);
const settings = { ...known[values.quick ? 'quick' : 'whole'], deepOffset: sizes.deepOffset };
const many = (count: number) => count.toLocaleString('en');

const run = startRun(settings as never, undefined);
const [smallFile, largeFile] = [
  await filledFile({ contacts: sizes.small, neighbours: sizes.neighbours }, run.folder),
  // Neighbours make no difference here, and the file is used by nothing else.
  await filledFile({ contacts: sizes.large, neighbours: 10 }, run.folder),
];
const starts = { small: await measureStart(smallFile), large: await measureStart(largeFile) };
const [small, large] = [
  { filled: smallFile, server: await startRoster(`sqlite:${smallFile.path}`) },
  { filled: largeFile, server: await startRoster(`sqlite:${largeFile.path}`) },
];
const growth = await measureGrowth(run, small, large);
const expensive = await measureExpensive(run, large);
const memory = [small, large].map(({ server }) => `${Math.round(residentMb(server.pid, 'VmHWM'))} MB`);
await Promise.all([small.server.stop(), large.server.stop()]);
const durations = {
  small: await measureDurations(smallFile, sizes.rows, run.folder),
  large: await measureDurations(largeFile, sizes.rows, run.folder),
};

const seconds = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;
const durationRow = (title: string, name: keyof Durations) => [
  title,
  seconds(durations.small[name]),
  seconds(durations.large[name]),
];
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
const heads = ['', `${many(sizes.small)} contacts`, `${many(sizes.large)} contacts`];
const page = `# ${many(sizes.large)} contacts

\`npm run bench:huge\` writes this page. The first run fills the databases, which takes about an hour and 50 GB of disk. All of it
is measured on SQLite, with one serving thread; each service has caches of 48 MB in all.

## Requests

The p99 with ${many(sizes.large)} contacts as a multiple of that with ${many(sizes.small)}, measured as in [the benchmarks](../benchmarks.md#as-the-data-grows).

${tableOf(growth)}

${reasonsOf(growth)}

## Expensive queries

With ${many(sizes.large)} contacts: the p99 of one client that requests offset ${many(sizes.deepOffset)}, or searches for two letters, as a multiple
of the first page.

${tableOf(expensive)}

${reasonsOf(expensive)}

## Operation

The start is the median of three, up to the first page. The import is a file of ${many(sizes.rows)} new contacts, planned and applied with the
command. The migration is one that adds the indexes by name and email. Backup and verify are the commands.

${markdownTable(heads, [
  ['file', gigabytes(durations.small.bytes), gigabytes(durations.large.bytes)],
  ['start', `${Math.round(starts.small)} ms`, `${Math.round(starts.large)} ms`],
  ['memory under load, at most', ...memory],
  durationRow('import', 'importing'),
  durationRow('backup', 'backup'),
  durationRow('verify', 'verify'),
  durationRow('migration', 'migration'),
])}

## Measured on

${markdownTable(['', ''], Object.entries({ Day: new Date().toISOString().slice(0, 10), ...machine(), 'Load generator': generator }))}
`.replace(/\n{3,}/g, '\n\n');
console.log(page);
if (!values.quick) {
  writeFileSync(new URL('../../docs/benchmarks/ten-million.md', import.meta.url), page);
  printProgress('wrote docs/benchmarks/ten-million.md');
}
process.exit(0);
