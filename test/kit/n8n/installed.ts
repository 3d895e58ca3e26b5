import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Json } from '../service/test-service.ts';
import { SOURCES } from './package.ts';

/** The program that runs nodes in n8n. */
const ENGINE = { 'n8n-core': '2.41.1', 'reflect-metadata': '0.2.2' };

/** `n8n-node build` and `lint` do not use it, and it has hundreds of dependencies. */
const OVERRIDES = { '@n8n/ai-node-sdk': 'npm:@favware/skip-dependency@1.2.2' };

export interface InstalledPackage {
  readonly folder: string;
  /** Runs a command of the package's own `n8n-node`; returns all that it prints. Throws if it fails. */
  n8nNode(command: string): Promise<string>;
  /** A module of n8n. */
  load(name: string): Json;
  remove(): void;
}

/** Copies the package and installs what its manifest names, and n8n's engine. npm downloads both. */
export const installNodes = async (): Promise<InstalledPackage> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-n8n-'));
  cpSync(SOURCES, folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  const original = readFileSync(manifest, 'utf8');
  const { devDependencies, ...others } = JSON.parse(original);
  const installed = { ...others, devDependencies: { ...devDependencies, ...ENGINE }, overrides: OVERRIDES };
  writeFileSync(manifest, JSON.stringify(installed));
  const run = async (command: string, ...args: string[]) => {
    const options = { cwd: folder, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 64 * 1_048_576 };
    const { stdout, stderr } = await promisify(execFile)(command, args, options);
    return stdout + stderr;
  };
  await run('npm', 'install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund');
  // The linter reads the manifest as it is published.
  writeFileSync(manifest, original);
  // n8n creates a folder for its settings.
  process.env.N8N_USER_FOLDER = folder;
  const require = createRequire(manifest);
  return {
    folder,
    n8nNode: (command) => run(join(folder, 'node_modules/.bin/n8n-node'), command),
    load: (name) => require(name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
