import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'sdk/dist');
const API_TYPES = 'openapi.gen.d.ts';

const entries = { index: join(root, 'sdk/src/index.ts'), runtime: join(root, 'sdk/src/runtime.ts') };

/** Declarations for programs that are CommonJS: TypeScript does not let these import the declarations of an ES module. The types of
 *  the API, which are most of the text, are the same in both. */
const copyForCommonJs = (folder: string, target: string) => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts') || name.startsWith('cjs')) continue;
    const file = join(target, name);
    mkdirSync(dirname(file), { recursive: true });
    if (name === API_TYPES)
      writeFileSync(
        file,
        `export type * from '../${API_TYPES.replace('.d.ts', '.js')}' with { 'resolution-mode': 'import' };\n`,
      );
    else copyFileSync(join(folder, name), file);
  }
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
};

/** Writes the declarations of every module, with specifiers that name the published files. */
const writeDeclarations = (folder: string) => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['-p', join(root, 'sdk'), '--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  execFileSync(process.execPath, [tsc, ...options, '--outDir', folder], { stdio: 'inherit' });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.[^']*)\.ts(?=';)/g, '$1.js'));
  }
};

/** Builds the SDK into `sdk/dist`: a module for each entry and what they share, as ES modules and in `cjs` as CommonJS, and the
 *  declarations of both. */
export const buildSdk = async (): Promise<void> => {
  const fresh = `${dist}.new-${process.pid}`;
  try {
    for (const format of ['esm', 'cjs'] as const)
      await build({
        input: entries,
        platform: 'neutral',
        output: {
          dir: format === 'esm' ? fresh : join(fresh, 'cjs'),
          format,
          entryFileNames: '[name].js',
          chunkFileNames: 'shared.js',
          comments: false,
        },
        logLevel: 'warn',
      });
    writeDeclarations(fresh);
    copyForCommonJs(fresh, join(fresh, 'cjs'));
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
};

if (import.meta.main) await buildSdk();
