import { spawn } from 'node:child_process';
import { Client } from 'pg';
import { adminUrl } from '../kit/database/citus.ts';

/** Runs the tests on a Citus cluster, whose coordinator CITUS_URL names: those of Citus itself, and the suites of the API, of
 *  imports and jobs, of the model and of the features. In the suites, a request that touches more than one shard fails. */
const { CITUS_URL } = process.env;
if (!CITUS_URL) {
  console.error(`All tables of the database in CITUS_URL are dropped. Use a cluster that is only for tests.

1. Install PostgreSQL and Citus on this machine, and start a coordinator and two workers with
     shared_preload_libraries = 'citus'
     max_prepared_transactions = 200
   They trust connections from this machine, also from each other.
2. On each of the three:
     create role roster login;
     create database roster owner roster;
     \\c roster
     create extension citus;
3. On the coordinator, in that database, with the ports of your servers:
     select citus_set_coordinator_host('127.0.0.1', 5432);
     select citus_add_node('127.0.0.1', 5433);
     select citus_add_node('127.0.0.1', 5434);
4. Run the tests:
     CITUS_URL=postgres://roster@127.0.0.1:5432/roster npm run test:long -- citus

The suites create their own databases as a superuser, by default postgres://postgres@HOST/postgres. CITUS_ADMIN_URL names
another one.`);
  process.exit(1);
}

const SUITES: Readonly<Record<string, readonly string[]>> = {
  contract: ['test/contract/!(transport*|monitoring*|openapi*|load-shedding*|operator*).test.ts'],
  imports: ['test/imports/!(*.long).test.ts', 'test/scenarios/*.test.ts', 'test/model/model.test.ts'],
  features: ['test/features/!(static*|openapi*|*.plans).test.ts'],
};

const SKIPPED = [
  '/on sqlite/i',
  // The pool has one more connection for each node.
  'A scrape answers quickly without PostgreSQL',
  // These start a service with a read replica, which a cluster refuses.
  'The metrics of the server have its connections',
  'The operations guide lists exactly the metrics',
].map((pattern) => `--test-skip-pattern=${pattern}`);

const readNodes = async (): Promise<string[]> => {
  const client = new Client({ connectionString: CITUS_URL });
  await client.connect();
  const { rows } = await client.query(
    `select nodename || ':' || nodeport as node from pg_dist_node where noderole = 'primary' order by groupid`,
  );
  await client.end();
  return rows.map(({ node }) => node);
};

/** The totals and the diagnostics of a run. */
const FIGURES = /^\s*ℹ (?!suites|cancelled|todo|tests)/;

const run = (
  name: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ name: string; isPassed: boolean; figures: string[] }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['test/run.ts', '--test-concurrency=2', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    });
    child.on('close', (code) =>
      resolve({ name, isPassed: code === 0, figures: text.split('\n').filter((line) => FIGURES.test(line)) }),
    );
  });

const named = process.argv.slice(2);
const isWanted = (name: string) => named.length === 0 || named.includes(name);
const results: Awaited<ReturnType<typeof run>>[] = [];
if (isWanted('citus'))
  results.push(
    await run('citus', ['--test-concurrency=1', '--test-timeout=600000', 'test/citus/*.long.test.ts']),
  );
const suiteEnvironment = {
  TEST_DATABASE_URL: adminUrl(CITUS_URL),
  TEST_CITUS_NODES: (await readNodes()).join(','),
};
for (const [name, files] of Object.entries(SUITES))
  if (isWanted(name))
    results.push(await run(name, [...SKIPPED, '--test-timeout=600000', ...files], suiteEnvironment));

console.log('\nSummary');
for (const { name, isPassed, figures } of results)
  console.log(
    `${isPassed ? '✔' : '✖'} ${name}: ${figures.map((line) => line.replace('ℹ', '').trim()).join(', ')}`,
  );
process.exit(results.length > 0 && results.every(({ isPassed }) => isPassed) ? 0 : 1);
