import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

/** A package of which a bundle contains code. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The texts of its license files. */
  readonly texts: readonly string[];
}

/** The folder of the package that contains a module; undefined for our own modules. */
const packageFolder = (module: string): string | undefined => {
  if (!module.includes('/node_modules/')) return undefined;
  let folder = dirname(module.replace(/^\0/, ''));
  while (!existsSync(join(folder, 'package.json')) || !manifestOf(folder).version) folder = dirname(folder);
  return folder;
};

const manifestOf = (folder: string): { name: string; version: string; license?: string } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

export const describePackage = (folder: string): BundledPackage => {
  const { name, version, license } = manifestOf(folder);
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
  if (!license) throw new Error(`${folder}/package.json has no license`);
  return {
    name,
    version,
    license,
    texts: files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim()),
  };
};

/** Node itself, which the executable contains. */
export const nodePackage = (root: string): BundledPackage => ({
  ...describePackage(join(root, `node_modules/node/node_modules/node-${process.platform}-${process.arch}`)),
  name: 'node',
});

/** Each package once. */
const sortedById = (packages: readonly BundledPackage[]): BundledPackage[] => {
  const byId = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byId.keys()].sort().map((id) => byId.get(id) as BundledPackage);
};

/** Writes the packages of a bundle to a file in its folder, for the licenses and the SBOM of a release. A module that is itself
 *  a bundle has contents: the packages in it. */
export const listPackages = (
  file: string,
  contentsOf: (module: string) => readonly BundledPackage[] = () => [],
): Plugin => ({
  name: 'list-packages',
  writeBundle: ({ dir = '' }, output) => {
    const modules = Object.values(output).flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
    const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
    const packages = [...[...folders].map(describePackage), ...modules.flatMap(contentsOf)];
    writeFileSync(join(dir, file), JSON.stringify(sortedById(packages)));
  },
});

export const readPackages = (files: readonly string[]): BundledPackage[] =>
  sortedById(files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as BundledPackage[]));
