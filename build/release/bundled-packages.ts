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

const describePackage = (folder: string): BundledPackage => {
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

/** Writes the packages of a bundle to a file in its folder, for the licenses and the SBOM of a release. */
export const listPackages = (file: string): Plugin => ({
  name: 'list-packages',
  writeBundle: ({ dir = '' }, output) => {
    const modules = Object.values(output).flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
    const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
    const packages = [...folders].map(describePackage);
    packages.sort((one, other) => (one.name < other.name ? -1 : 1));
    writeFileSync(join(dir, file), JSON.stringify(packages));
  },
});

export const readPackages = (files: readonly string[]): BundledPackage[] => {
  const all = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as BundledPackage[]);
  const byId = new Map(all.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byId.keys()].sort().map((id) => byId.get(id) as BundledPackage);
};
