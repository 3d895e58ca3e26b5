import { globSync } from 'node:fs';

/** Tests of these folders run in their own process, or call a service in it over HTTP. */
const QUICK = /^(?:src|test\/(?:contract|dashboard|db|features|imports|model|sdk|structure))\//;

/** A file in one of these folders that starts programs or several instances, judges races and times, or damages or searches the
 *  files of a database, is a `*.system.test.ts`. */
const isQuick = (file: string) => QUICK.test(file) && !file.endsWith('.system.test.ts');

const inTiers = () =>
  globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter((file) => !file.endsWith('.long.test.ts'));

/** What `npm test` runs after the linter and the type check. */
export const quickTests = () => inTiers().filter(isQuick);

/** What `npm run test:system` runs: all other tests that are not long. */
export const systemTests = () => inTiers().filter((file) => !isQuick(file));

export interface LongSuite {
  readonly about: string;
  /** What `node` runs: test/run.ts with these options and files, or another script. */
  readonly run: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const HOUR = 3_600_000;
const inTurn = (milliseconds: number) => [
  'test/run.ts',
  '--test-concurrency=1',
  `--test-timeout=${milliseconds}`,
];
const within = (milliseconds: number) => ['test/run.ts', `--test-timeout=${milliseconds}`];

/** What `npm run test:long -- NAME` runs. */
export const LONG: Readonly<Record<string, LongSuite>> = {
  attacks: {
    about: 'the long form of the attacks; takes hours',
    run: [...inTurn(4 * HOUR), 'test/attacks/*.long.test.ts', 'test/attacks/isolation.test.ts'],
  },
  backups: {
    about: 'every command of backups, to folders and S3, on both databases',
    run: [...within(HOUR / 4), 'test/backups/*.test.ts'],
  },
  browser: {
    about: 'every page in every state, with screenshots to look at',
    run: ['test/run.ts', 'test/browser/*.test.ts'],
    environment: { SHOTS: '1' },
  },
  citus: {
    about: 'the tests of Citus and the suites on the cluster whose coordinator CITUS_URL names',
    run: ['test/citus/main.ts'],
  },
  duplicates: {
    about:
      'the duplicates among a million contacts (DUPLICATE_CONTACTS) against a plain comparison, on each database',
    run: [...within(HOUR), 'test/features/duplicates.size.system.test.ts'],
    environment: { DUPLICATE_CONTACTS: '1000000' },
  },
  events: {
    about: 'kills instances under writers while a reader follows the events and webhooks are sent',
    run: [
      ...inTurn(HOUR),
      'test/faults/events.long.test.ts',
      'test/faults/webhooks.long.test.ts',
      'test/model/events.mirror.long.test.ts',
    ],
  },
  faults: {
    about: 'the long form of kills, failing disks, lost servers and overload; takes an hour',
    run: [...inTurn(2 * HOUR), 'test/faults/!(soak).long.test.ts', 'test/imports/resume.long.test.ts'],
    environment: { RESUME_POINTS: '20' },
  },
  filters: {
    about: '100,000 random filters of contacts (RANDOM_FILTERS) against a plain evaluation, on each database',
    run: [...within(4 * HOUR), 'test/features/filters.property.test.ts'],
    environment: { RANDOM_FILTERS: '100000' },
  },
  ha: {
    about: 'the fail-over drill on a Patroni cluster that it starts: needs Patroni 4, etcd and HAProxy',
    run: ['test/ha/main.ts'],
  },
  mcp: {
    about: 'the official conformance suite and the inspector against /mcp; npm downloads both',
    run: [...inTurn(HOUR / 4), 'test/mcp/*.long.test.ts'],
  },
  merges: {
    about: '100,000 random merges, undos and changes (MERGE_STEPS) against a model, on each database',
    run: [...within(4 * HOUR), 'test/features/merges.model.system.test.ts'],
    environment: { MERGE_STEPS: '100000' },
  },
  monitoring: {
    about: 'the metrics, the dashboard and the alert rules with promtool, which must be installed',
    run: ['test/run.ts', 'test/contract/metrics*.test.ts', 'test/contract/monitoring-files*.test.ts'],
    environment: { REQUIRE_PROMTOOL: '1' },
  },
  move: {
    about: 'moves a million contacts (MOVE_CONTACTS) to PostgreSQL and back, and kills the move ten times',
    run: [...within(4 * HOUR), 'test/move/million.long.test.ts'],
  },
  n8n: {
    about: "builds the n8n package with n8n's own tools and runs it on n8n's engine; npm downloads both",
    run: [...inTurn(HOUR / 4), 'test/sdk/n8n*.test.ts'],
  },
  pgbouncer: {
    about: 'the suites of the API behind PgBouncer 1.21 or newer: the installed one, or what PGBOUNCER names',
    run: ['test/pgbouncer/main.ts'],
  },
  platforms: {
    about:
      'the fixtures of voice platforms against the types and verifiers of their own packages, which npm downloads',
    run: ['test/platforms/main.ts'],
  },
  proxies: {
    about: 'the configurations in docs/reverse-proxy.md: needs nginx and Caddy; what is missing is skipped',
    run: ['test/run.ts', 'test/process/reverse-proxy.long.test.ts'],
  },
  release: {
    about: 'makes a release and runs every artifact; skips those whose programs are missing',
    run: [...inTurn(HOUR / 4), 'test/release/*.long.test.ts'],
  },
  resume: {
    about: 'kills the service twenty times during an import, on each database',
    run: ['test/run.ts', 'test/imports/resume.long.test.ts', 'test/imports/latency.long.test.ts'],
    environment: { RESUME_POINTS: '20' },
  },
  sdk: {
    about: "the SDK's tests and the long form of its scenario, with ten thousand people",
    run: [
      'test/run.ts',
      'test/sdk/!(*.long).test.ts',
      'test/contract/contacts.cursor.test.ts',
      'test/scenarios/sdk.long.test.ts',
    ],
    environment: { WALKED_CONTACTS: '1000' },
  },
  soak: {
    about: 'an hour of mixed load (SOAK_MINUTES)',
    run: [...within(6 * HOUR), 'test/faults/soak.long.test.ts'],
  },
  threads: {
    about: 'the suites of the API and of the features with two serving threads',
    run: [
      'test/run.ts',
      '--test-concurrency=2',
      '--test-timeout=400000',
      'test/contract/!(transport*|openapi*|monitoring*|load-shedding*|*.long).test.ts',
      'test/features/!(*.plans|*.long|openapi*).test.ts',
    ],
    environment: { TEST_SERVE_THREADS: '2' },
  },
  upgrade: {
    about:
      'upgrades every earlier database and replaces the previous release under load; needs the git history',
    run: [...inTurn(HOUR / 4), 'test/upgrade/*.test.ts'],
    environment: { UPGRADE_ALL: '1' },
  },
};
