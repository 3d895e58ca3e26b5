import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checks, versionOf } from './checks.ts';

/** The checklist of a release: what must be true, then the suites that must pass. Prints the commands that publish it. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { quick: { type: 'boolean' } } });

const SUITES = [
  'test',
  'test:system',
  ...['upgrade', 'monitoring', 'release', 'faults', 'attacks', 'pgbouncer'].map(
    (name) => `test:long -- ${name}`,
  ),
];

const seconds = (since: number) => `${Math.round((performance.now() - since) / 1000)} s`;

const runSuite = (name: string): string | undefined => {
  // A skipped test of an artifact would publish it untested.
  const env = { ...process.env, REQUIRE_ALL: '1' };
  const { status } = spawnSync('npm', ['run', ...name.split(' ')], { cwd: root, stdio: 'inherit', env });
  return status === 0 ? undefined : `npm run ${name} exited with status ${status}.`;
};

const steps: [title: string, run: () => string | undefined][] = [
  ...Object.entries(checks).map(([title, check]): [string, () => string | undefined] => [
    title,
    () => check(root),
  ]),
  ...(values.quick ? [] : SUITES).map((name): [string, () => string | undefined] => [
    `npm run ${name} passes`,
    () => runSuite(name),
  ]),
];

let failed = 0;
for (const [title, run] of steps) {
  const began = performance.now();
  const wrong = run();
  console.log(wrong ? `FAILED ${title}\n         ${wrong}` : `ok     ${title} (${seconds(began)})`);
  if (wrong) failed++;
}
const tag = `v${versionOf(root)}`;
if (failed > 0) {
  console.log(`\n${failed} of ${steps.length} steps failed.`);
  process.exitCode = 1;
} else {
  console.log(`\nPublish ${tag}:
  git tag --annotate ${tag} --message "Roster ${tag}" && git push origin ${tag}
  npm run release        # then upload the files in release/`);
}
