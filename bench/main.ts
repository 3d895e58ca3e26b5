import { parseArgs } from 'node:util';
import { measureEmbedded } from './embedded.ts';
import { measureFilters } from './filters.ts';
import { measureLarge } from './large.ts';
import { generator } from './load.ts';
import { machine } from './machine.ts';
import { measureMachines } from './machines.ts';
import { measurePersonal } from './personal.ts';
import { measurePostgres } from './postgres.ts';
import { printProgress } from './progress.ts';
import { tableOf, writeReport } from './report.ts';
import { startRun } from './run.ts';
import { measureSdk } from './sdk.ts';
import { sectionsOf } from './sections.ts';
import { settings as known } from './settings.ts';
import { measureSteps } from './steps.ts';
import { reachesTarget, targets } from './targets.ts';
import { measureThreads } from './threads.ts';
import { measureWebhooks } from './webhooks.ts';

const HELP = `Compares Roster with the limit of its runtime and with a plain build, and measures it as its data grows.

  npm run bench                       everything; writes docs/benchmarks.md
  npm run bench -- --quick            short rounds and little data: shows that it works
  npm run bench -- --only NAME,…      a part of it, by names or their prefixes

Names: ${Object.keys(targets).join(', ')}
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const isName = (text: string) =>
  Object.keys(targets).some((name) => name === text || name.startsWith(`${text}.`));

const only = values.only?.split(',');
const unknown = only?.filter((name) => !isName(name)) ?? [];
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`Unknown names: ${unknown.join(', ')}.\n`);
  console.log(HELP);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const settings = known[values.quick ? 'quick' : 'whole'];
const run = startRun(settings, only);
printProgress(`load generator: ${generator}`);
const embedded = await measureEmbedded(run);
const postgres = await measurePostgres(run);
const machines = await measureMachines(run);
const personal = await measurePersonal(run);
const filters = await measureFilters(run);
const webhooks = await measureWebhooks(run);
const steps = await measureSteps(run);
const threads = await measureThreads(run);
const large = await measureLarge(run);
const sdk = await measureSdk(run);
const figures = [
  ...embedded,
  ...postgres.figures,
  ...machines,
  ...personal,
  ...filters,
  ...webhooks,
  ...steps.figures,
  ...threads,
  ...large,
  ...sdk,
];

const sections = sectionsOf(figures, settings, steps.table);
for (const { title, figures, table } of sections)
  console.log([title, tableOf(figures), table ?? ''].join('\n\n'));
if (!values.quick && !only) {
  writeReport(sections, { ...machine(), ...(postgres.version && { PostgreSQL: postgres.version }) });
}
printProgress(`${figures.filter(reachesTarget).length} of ${figures.length} targets met`);
process.exit(0);
