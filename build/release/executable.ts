import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Threads run as CommonJS, since a worker whose script is a text cannot be an ES module. */
const SCRIPTS = [
  { name: 'roster.mjs', input: 'src/cli/run.ts', format: 'esm' },
  { name: 'sqlite-thread.cjs', input: 'src/wiring/sqlite-thread.ts', format: 'cjs' },
  { name: 'serving-thread.cjs', input: 'src/wiring/serving-thread.ts', format: 'cjs' },
  { name: 'watchdog.cjs', input: 'src/entry/watchdog.ts', format: 'cjs' },
  { name: 'import-worker.cjs', input: 'src/features/imports/worker/import-worker.ts', format: 'cjs' },
] as const;

/** Builds the single executable: Node with the service, its threads, the CLI and the dashboard as assets (see
 *  src/lib/executable.ts). It runs on the platform on which it is built. The dashboard must be built. */
export const buildExecutable = async (target: string, workFolder: string): Promise<void> => {
  mkdirSync(workFolder, { recursive: true });
  for (const { name, input, format } of SCRIPTS) {
    await build({
      input: join(root, input),
      platform: 'node',
      resolve: { mainFields: ['module', 'main'] },
      // Optional native dependencies of pg.
      external: ['pg-native', 'pg-cloudflare'],
      output: { file: join(workFolder, name), format, codeSplitting: false },
      logLevel: 'warn',
    });
  }
  const dist = join(root, 'dashboard/dist');
  const dashboard = globSync('**/*.*', { cwd: dist }).map((file) => [`dashboard/${file}`, join(dist, file)]);
  const threads = SCRIPTS.slice(1).map(({ name }) => [name, join(workFolder, name)]);
  writeFileSync(
    join(workFolder, 'executable.json'),
    JSON.stringify({
      // Relative, since the executable contains this path: its bytes must not depend on the folder.
      main: 'roster.mjs',
      mainFormat: 'module',
      output: target,
      disableExperimentalSEAWarning: true,
      execArgv: ['--max-semi-space-size=8'],
      assets: Object.fromEntries([...dashboard, ...threads]),
    }),
  );
  rmSync(target, { force: true });
  execFileSync(process.execPath, ['--build-sea', 'executable.json'], {
    cwd: workFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};
