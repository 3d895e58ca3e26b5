import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BundledPackage } from '../../build/release/bundled-packages.ts';

const SCALAR = fileURLToPath(new URL('../../node_modules/@scalar/api-reference/', import.meta.url));

/** The bundle that Scalar publishes for browsers, with its chunks in a folder next to it. */
export const STANDALONE = `${SCALAR}dist/browser/standalone.esm.js`;

/** Written by `npm run reference:licenses`. */
export const LICENSES = fileURLToPath(new URL('licenses.json', import.meta.url));

/** pnpm, with which Scalar is built, installs `@a/b` 1.2.3 in `.pnpm/@a+b@1.2.3_peers/node_modules/@a/b`. */
const INSTALLED = /\/\.pnpm\/(@?[^/@]+)@([^/_(]+)[^/]*\/node_modules\//g;

/** The packages with code in a script of the bundle, such as `vue@3.5.40`, according to its source map. The other sources are
 *  Scalar's own, which have the license of `@scalar/api-reference`. */
export const packagesIn = (script: string): string[] => {
  if (!existsSync(`${script}.map`)) return [];
  const { sources } = JSON.parse(readFileSync(`${script}.map`, 'utf8')) as { sources: string[] };
  const packages = sources.map((source) => [...source.matchAll(INSTALLED)].at(-1));
  const ids = packages.flatMap((found) => (found ? [`${found[1]?.replace('+', '/')}@${found[2]}`] : []));
  return [...new Set(ids)];
};

/** The packages that a module of the page contains, if it is a script of the bundle. */
export const describeContents = (): ((module: string) => BundledPackage[]) => {
  const known = JSON.parse(readFileSync(LICENSES, 'utf8')) as BundledPackage[];
  const byId = new Map(known.map((each) => [`${each.name}@${each.version}`, each]));
  const describe = (id: string): BundledPackage => {
    const found = byId.get(id);
    if (!found) throw new Error(`${id} is not in ${LICENSES}: run \`npm run reference:licenses\``);
    return found;
  };
  return (module) => (module.startsWith(SCALAR) ? packagesIn(module).map(describe) : []);
};
