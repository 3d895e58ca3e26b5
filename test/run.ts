import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isFresh } from '../src/entry/built.js';
import { bundle } from './bundle.ts';
import { findChromium } from './kit/browser/chromium.ts';
import { installFirefox } from './kit/browser/firefox.ts';
import { poolConnections } from './kit/database/pgbouncer.ts';
import { startPostgres } from './kit/database/postgres-server.ts';
import { prepareTemplates } from './kit/database/templates.ts';
import type { Finding } from './kit/failed-and-skipped.ts';
import { quickTests, systemTests } from './suites.ts';

/** Runs the test files that the arguments name, by default the quick tier, or with `--system` the system tier. Both engines are
 *  available to them: SQLite, and a PostgreSQL server that lives as long as the run, unless TEST_DATABASE_URL names one. */
const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isSystem = process.argv.includes('--system');
const options = process.argv
  .slice(2)
  .filter((argument) => argument.startsWith('--') && argument !== '--system');

/** The folders with the slowest files come first, so that none of these is still running when all others are done. */
const SLOWEST = [
  'test/browser/',
  'test/attacks/',
  'test/faults/',
  'test/bench/',
  'test/process/',
  'test/upgrade/',
  'test/readme/',
];
const rank = (file: string) => {
  const at = SLOWEST.findIndex((folder) => file.startsWith(folder));
  return at === -1 ? SLOWEST.length : at;
};
const files = (patterns.length > 0 ? globSync(patterns) : isSystem ? systemTests() : quickTests()).sort(
  (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
);

// Without files, node --test would run everything.
if (files.length === 0) {
  console.error(`No test file matches ${patterns.join(' ')}.`);
  process.exit(1);
}

/** Bundling takes two seconds and saves one per file. A few files run from the sources, with plain stack traces. */
const BUNDLED_FROM = 10;

/** Two files per core: much of a test is waiting for a disk or a time-out. */
const concurrency = `--test-concurrency=${availableParallelism() * 2}`;

/** Tests that start the program start it as it is built, which takes half the time, and those of the pages need the dashboard.
 *  Both are built before any file starts: a build under a running service would replace the pages of its tests. */
const needsDashboard = files.some((file) => file.startsWith('test/browser/'));
if ((isSystem || patterns.length > 0) && !(isFresh('service') && (isFresh('dashboard') || !needsDashboard))) {
  const script = needsDashboard ? 'dashboard/prepare.js' : 'build/service.ts';
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(1);
}

if (isSystem) findChromium();
if (files.includes('test/browser/firefox.test.ts')) installFirefox();

const bundled = files.length < BUNDLED_FROM ? undefined : await bundle(files);
const own = process.env.TEST_DATABASE_URL ? undefined : await startPostgres({ flushes: false });
const url = process.env.TEST_DATABASE_URL ?? own?.url ?? '';
const templates = await prepareTemplates(url);
// Long suites run the same tests behind a connection pooler.
const pooler = process.env.TEST_BEHIND_PGBOUNCER ? await poolConnections(url) : undefined;
const scripts = bundled?.scripts ?? files;
let child: ChildProcess | undefined;
let isInterrupted = false;
// An interrupted run cleans up as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isInterrupted = true;
    child?.kill(signal);
  });

const skipped = new Set<string>();

/** Runs scripts and returns those with a failed test. */
const run = async (list: readonly string[], more: readonly string[] = []) => {
  const report = join(tmpdir(), `roster-tests-${process.pid}`);
  child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--import=./test/kit/left-open.ts',
      ...(bundled && !isSystem ? ['--import=./test/kit/cheap-async-hooks.ts'] : []),
      '--test',
      `--test-timeout=${isSystem ? 300_000 : 120_000}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./test/kit/failed-and-skipped.ts',
      `--test-reporter-destination=${report}`,
      concurrency,
      ...options,
      ...more,
      ...list,
    ],
    {
      stdio: 'inherit',
      // Each file is a process, and most start threads. They share what one of them has compiled.
      env: {
        NODE_COMPILE_CACHE: join(bundled?.folder ?? tmpdir(), 'roster-compile-cache'),
        ...process.env,
        ...templates.environment,
        TEST_DATABASE_URL: pooler?.url ?? url,
      },
    },
  );
  const [code] = await once(child, 'exit');
  const findings = readFileSync(report, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Finding => JSON.parse(line));
  rmSync(report);
  const failed = findings.flatMap((each) => ('failedFile' in each ? [each.failedFile] : []));
  for (const each of findings) if ('skippedTest' in each) skipped.add(each.skippedTest);
  return { code: code ?? 1, failed: failed.map((file) => relative(process.cwd(), file)) };
};

/** Compares CPU times, so nothing else may use the caches of the cores. */
const isTimed = (script: string) => script.includes('test/bench/');
const timed = scripts.filter(isTimed);
const first = await run(timed.length < scripts.length ? scripts.filter((each) => !isTimed(each)) : scripts);
if (timed.length > 0 && timed.length < scripts.length && !isInterrupted) {
  const alone = await run(timed, ['--test-concurrency=1']);
  first.code ||= alone.code;
  first.failed.push(...alone.failed);
}
let { code } = first;
const [repeated] = first.failed;
/** Programs and browsers that share the cores can be delayed past a time-out. So the system tier repeats one failed file alone
 *  and names it if it passes then: it has a bug, in the test or in the product. */
if (repeated && isSystem && first.failed.length === 1 && !isInterrupted) {
  console.log(`\nRepeating ${repeated} alone.\n`);
  ({ code } = await run([repeated], ['--test-concurrency=1']));
  if (code === 0) console.log(`\nUnstable, failed in the whole run and passed alone: ${repeated}`);
}
if (skipped.size > 0) console.log(`\nSkipped ${skipped.size}: ${[...skipped].join('; ')}`);
bundled?.remove();
await pooler?.stop();
await templates.remove();
await own?.stop();
process.exit(code);
