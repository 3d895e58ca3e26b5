import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ts } from '@ts-morph/common';
import { projectFile } from '../../../src/lib/executable.ts';
import type { Json } from '../service/test-service.ts';

export const SOURCES = projectFile('sdk/n8n');

/** The exports of `n8n-workflow` that the nodes use while they run. The long suite runs them with n8n's own. */
const WORKFLOW = `
exports.NodeConnectionTypes = { Main: 'main' };
exports.NodeApiError = class NodeApiError extends Error {
  constructor(node, error) {
    if (error instanceof exports.NodeApiError) return error;
    super(error.message);
    Object.assign(this, { node, httpCode: error.httpCode ?? null, description: error.description, context: {} });
  }
};
exports.jsonParse = (text, { errorMessage }) => {
  try { return JSON.parse(text); } catch { throw new Error(errorMessage); }
};`;

export interface NodePackage {
  readonly folder: string;
  /** New instances of the exported classes by their names. */
  readonly classes: Readonly<Record<string, Json>>;
  remove(): void;
}

/** Loads what the manifest names as n8n does: a file exports a class with its name. */
export const loadClasses = (folder: string): Record<string, Json> => {
  const require = createRequire(join(folder, 'package.json'));
  const { n8n } = require('./package.json');
  return Object.fromEntries(
    [...n8n.nodes, ...n8n.credentials].map((file: string) => {
      const name = basename(file).split('.')[0] as string;
      return [name, new (require(`./${file}`)[name])()];
    }),
  );
};

/** Compiles the package into an otherwise empty `node_modules`, without checking types. */
export const buildNodes = (): NodePackage => {
  const root = mkdtempSync(join(tmpdir(), 'roster-n8n-'));
  const folder = join(root, 'node_modules/n8n-nodes-roster');
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write(join(root, 'node_modules/n8n-workflow/index.js'), WORKFLOW);
  cpSync(join(SOURCES, 'icons'), join(folder, 'dist/icons'), { recursive: true });
  cpSync(join(SOURCES, 'package.json'), join(folder, 'package.json'));
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS };
  for (const file of globSync('{credentials,nodes}/**/*.ts', { cwd: SOURCES })) {
    const { outputText } = ts.transpileModule(readFileSync(join(SOURCES, file), 'utf8'), { compilerOptions });
    write(join(folder, 'dist', file.replace(/\.ts$/, '.js')), outputText);
  }
  return {
    folder,
    classes: loadClasses(folder),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
