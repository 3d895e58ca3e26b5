import { extname } from 'node:path';
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** How a user runs a command: by name if Roster is installed, else from the checkout. npm sets the variable for npx. */
export const PROGRAM: string =
  isSea() || (import.meta.url.includes('/node_modules/roster/') && process.env.npm_command !== 'exec')
    ? 'roster'
    : 'npx roster';

/** A file, or the source text of a script in the single executable (see build/release/executable.ts). */
export type WorkerScript = URL | string;

/** The script of a worker thread: a file next to the module with the URL `from`, or an asset of the single executable. */
export const workerScript = (name: string, from: string): WorkerScript =>
  isSea() ? getAsset(`${name}.cjs`, 'utf8') : new URL(`./${name}${extname(from)}`, from);

export const startWorker = (script: WorkerScript, options: WorkerOptions): Worker =>
  new Worker(script, { ...options, eval: typeof script === 'string' });

/** The files of a folder in the single executable, by path; undefined if the program runs from files. */
export const embeddedFiles = (folder: string): Map<string, Buffer> | undefined => {
  if (!isSea()) return undefined;
  const keys = getAssetKeys().filter((key) => key.startsWith(`${folder}/`));
  return new Map(keys.map((key) => [key.slice(folder.length), Buffer.from(getRawAsset(key))]));
};

const IS_SOURCE = import.meta.url.endsWith('/src/lib/executable.ts');

/** The path of a file of the project. A bundle is one folder below its root. */
export const projectFile = (path: string): string =>
  fileURLToPath(new URL(`${IS_SOURCE ? '../../' : '../'}${path}`, import.meta.url));

/** The program and the arguments that run a command of Roster in a process of its own. */
export const commandLine = (): readonly [string, ...string[]] =>
  isSea()
    ? [process.execPath]
    : [process.execPath, fileURLToPath(new URL(IS_SOURCE ? '../cli.js' : './cli.js', import.meta.url))];
