import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Copy, filledFile } from '../databases.ts';
import { measureExpensive, measureGrowth } from '../growth.ts';
import { startTimes } from '../large.ts';
import { machine } from '../machine.ts';
import { printProgress } from '../progress.ts';
import { spreadOf } from '../rounds.ts';
import { startRun } from '../run.ts';
import { residentMb, startRoster } from '../server.ts';
import { settings as known } from '../settings.ts';
import { measureDurations } from './durations.ts';
import { type Pair, pageOf, type Results } from './page.ts';

const HELP = `Compares ten million contacts with one million: requests, and what grows with the file. The first run fills the
databases, which takes an hour and 25 GB of disk; each run needs 50 GB more.

  npm run bench:huge                     everything; writes docs/benchmarks/ten-million.md
  npm run bench:huge -- --only requests  requests, or operation; the other results stay on the page
  npm run bench:huge -- --quick          little data: shows that it works
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const PARTS = ['requests', 'operation'];
const isUnknown = values.only !== undefined && !PARTS.includes(values.only);
if (values.help || isUnknown) {
  if (isUnknown) console.error(`Unknown part: ${values.only}. Use requests or operation.\n`);
  console.log(HELP);
  process.exit(isUnknown ? 2 : 0);
}
const wants = (part: string) => values.only === undefined || values.only === part;

const sizes = values.quick
  ? { small: 10_000, large: 50_000, deepOffset: 45_000, neighbours: 20, rows: 1_000 }
  : { small: 1_000_000, large: 10_000_000, deepOffset: 9_000_000, neighbours: 1_000, rows: 50_000 };
const run = startRun({ ...known[values.quick ? 'quick' : 'whole'], deepOffset: sizes.deepOffset }, undefined);

const RESULTS = new URL('../../docs/benchmarks/ten-million.json', import.meta.url);
const PAGE = new URL('../../docs/benchmarks/ten-million.md', import.meta.url);

const forBoth = async <T>({ small, large }: Pair<Copy>, measure: (file: Copy) => Promise<T>) => ({
  small: await measure(small),
  large: await measure(large),
});

const measureRequests = async (files: Pair<Copy>): Promise<NonNullable<Results['requests']>> => {
  const { small, large } = await forBoth(files, async (filled) => ({
    filled,
    server: await startRoster(`sqlite:${filled.path}`),
  }));
  const growth = await measureGrowth(run, small, large);
  const expensive = await measureExpensive(run, large);
  const memory = {
    small: residentMb(small.server.pid, 'VmHWM'),
    large: residentMb(large.server.pid, 'VmHWM'),
  };
  await Promise.all([small.server.stop(), large.server.stop()]);
  return { growth, expensive, memory };
};

const files: Pair<Copy> = {
  small: await filledFile({ contacts: sizes.small, neighbours: sizes.neighbours }, run.folder),
  // Few neighbours: a file of this size fills faster.
  large: await filledFile({ contacts: sizes.large, neighbours: 10 }, run.folder),
};
const stored: Results = !values.quick && existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
const results: Results = {
  ...stored,
  machine: { Day: new Date().toISOString().slice(0, 10), ...machine() },
  ...(wants('requests') && { requests: await measureRequests(files) }),
  ...(wants('operation') && {
    left: '',
    starts: await forBoth(files, async (file) => spreadOf(await startTimes(file)).median),
    durations: await forBoth(files, (file) => measureDurations(file, sizes.rows, run.folder)),
  }),
};
const page = pageOf(results, sizes);
console.log(page);
if (!values.quick) {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, page);
  printProgress('wrote docs/benchmarks/ten-million.md');
}
process.exit(0);
