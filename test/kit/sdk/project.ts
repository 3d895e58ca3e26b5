import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ts } from '@ts-morph/common';
import { buildSdk } from '../../../build/sdk/main.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** An otherwise empty project with the package installed from the file that `npm pack` makes. */
export interface SdkProject {
  readonly folder: string;
  /** The names of the packed files. */
  readonly files: readonly string[];
  /** Compiles a module and returns the path of its JavaScript. Throws with the messages of the compiler. */
  compile(name: string, source: string, options?: Record<string, unknown>): string;
  /** What TypeScript 5 finds wrong with a module of a CommonJS project. */
  checkCommonJs(name: string, source: string): string[];
  remove(): void;
}

const npm = (folder: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

export const createSdkProject = async (): Promise<SdkProject> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sdk-'));
  await buildSdk();
  const [{ filename }] = JSON.parse(npm(folder, 'pack', '--json', join(ROOT, 'sdk')));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  const installed = join(folder, 'node_modules/@roster/client');
  return {
    folder,
    files: readdirSync(installed, { recursive: true, encoding: 'utf8' }).sort(),
    compile: (name, source, options) => {
      const own = join(folder, name);
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'main.ts'), source);
      const compilerOptions = {
        target: 'es2022',
        module: 'nodenext',
        strict: true,
        outDir: 'out',
        rootDir: '.',
        types: [],
        ...options,
      };
      writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      try {
        execFileSync(process.execPath, [tsc, '-p', own], { encoding: 'utf8', stdio: 'pipe' });
      } catch (error) {
        throw new Error((error as { stdout: string }).stdout);
      }
      return join(own, 'out/main.js');
    },
    checkCommonJs: (name, source) => {
      const own = join(folder, name);
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'package.json'), '{ "type": "commonjs" }\n');
      writeFileSync(join(own, 'main.ts'), source);
      const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;
      const options = {
        target: ScriptTarget.ES2022,
        module: ModuleKind.Node16,
        moduleResolution: ModuleResolutionKind.Node16,
        strict: true,
        noEmit: true,
        types: [],
      };
      const host = ts.createCompilerHost(options);
      // The package has only the compiler.
      const [libraries = ''] = globSync(join(ROOT, 'node_modules/@typescript/*/lib'));
      host.getDefaultLibLocation = () => libraries;
      host.getDefaultLibFileName = (used) => join(libraries, ts.getDefaultLibFileName(used));
      const program = ts.createProgram([join(own, 'main.ts')], options, host);
      return ts
        .getPreEmitDiagnostics(program)
        .map(({ code, messageText }) => `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** The types of Node, for programs that use `process`. */
export const nodeTypes = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };

/** The Node that is installed on this machine, if its version is at least 20: the package must not depend on ours. */
export const installedNode = (): string | undefined => {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder.includes('node_modules')) continue;
    const node = join(folder, 'node');
    try {
      const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
      if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20) return node;
    } catch {
      // Not here.
    }
  }
  return undefined;
};

/** What a program loads that imports an entry of the package. */
export const readBuilt = (entry: 'index' | 'runtime'): string =>
  [entry, 'shared'].map((name) => readFileSync(join(ROOT, `sdk/dist/${name}.js`), 'utf8')).join('\n');
export const readmeOfSdk = (): string => readFileSync(join(ROOT, 'sdk/README.md'), 'utf8');
