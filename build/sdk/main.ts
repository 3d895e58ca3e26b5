import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'sdk/dist');

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

/** Builds the SDK into `sdk/dist`: one module, and the declarations. */
export const buildSdk = async (): Promise<void> => {
  const fresh = `${dist}.new-${process.pid}`;
  try {
    await build({
      input: join(root, 'sdk/src/index.ts'),
      platform: 'neutral',
      output: { dir: fresh, format: 'esm', entryFileNames: 'index.js', comments: false },
      logLevel: 'warn',
    });
    writeDeclarations(fresh);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
};

if (import.meta.main) await buildSdk();
