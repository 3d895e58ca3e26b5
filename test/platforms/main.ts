import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

/* Downloads the packages of voice platforms, which are too large to install with the others, checks the types and runs the tests. */

const FOLDER = 'test/platforms';
const FLAGS = ['--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
const STEPS: readonly (readonly [command: string, ...args: string[]])[] = [
  ['npm', 'install', '--prefix', FOLDER, ...FLAGS],
  [process.execPath, 'node_modules/typescript/bin/tsc', '-p', FOLDER],
  [process.execPath, 'test/run.ts', `${FOLDER}/*.long.test.ts`],
];

const failed = STEPS.find(
  ([command, ...args]) => spawnSync(command, args, { stdio: 'inherit' }).status !== 0,
);
// Other tests read all files of this folder.
rmSync(`${FOLDER}/node_modules`, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
