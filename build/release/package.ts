import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeModes, packFolder } from './archive.ts';

export interface ReleaseFiles {
  /** The checkout, with its builds. */
  readonly root: string;
  readonly version: string;
  /** The time of the commit. */
  readonly time: Date;
  readonly licenses: string;
  readonly sbom: string;
}

/** Plain old JavaScript: an older Node must be able to parse it to say that it is too old. */
const launcher = (minimum: number) => `#!/usr/bin/env node
'use strict';
var major = Number(process.versions.node.split('.')[0]);
if (major < ${minimum}) {
  console.error('Roster needs Node ${minimum} or later. This is Node ' + process.versions.node + '.');
  process.exit(1);
}
require('node:module').enableCompileCache();
import('./dist/cli.js');
`;

const MINIMUM_NODE = 26;

/** Makes the npm package: built files only, without dependencies. */
export const buildPackage = (
  { root, version, time, licenses, sbom }: ReleaseFiles,
  target: string,
  workFolder: string,
): void => {
  const folder = join(workFolder, 'package');
  mkdirSync(folder, { recursive: true });
  const { description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: 'roster',
    version,
    description,
    license,
    bin: { roster: 'roster.cjs' },
    engines: { node: `>=${MINIMUM_NODE}` },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  writeFileSync(join(folder, 'roster.cjs'), launcher(MINIMUM_NODE));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses);
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom);
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(folder, file));
  const isShipped = (path: string) => !/\/(?:stamp|packages\.json|\.vite)$/.test(path);
  for (const build of ['dist', 'dashboard/dist'])
    cpSync(join(root, build), join(folder, build), { recursive: true, filter: isShipped });
  writeFileSync(join(folder, 'dist/package.json'), '{ "type": "module" }\n');
  normalizeModes(folder, ['roster.cjs']);
  packFolder(workFolder, 'package', time, target);
};
