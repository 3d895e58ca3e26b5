import { spawnSync } from 'node:child_process';

const isInstalled = spawnSync('promtool', ['--version']).status === 0;

/** Why tests with promtool are skipped. `npm run test:long -- monitoring` does not skip them. */
export const withoutPromtool: string | false =
  isInstalled || process.env.REQUIRE_PROMTOOL ? false : 'promtool, a part of Prometheus, is not installed';

/** Runs promtool and returns its exit status and everything it printed. */
export const promtool = (args: readonly string[], input = ''): { status: number | null; output: string } => {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error) throw error;
  return { status, output: `${stdout}${stderr}` };
};
