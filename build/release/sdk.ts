import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSdk } from '../sdk/main.ts';
import { normalizeModes, packFolder } from './archive.ts';
import type { ReleaseFiles } from './package.ts';

/** Makes the package of the SDK, with the files that `npm pack` would choose. */
export const buildSdkPackage = async (
  { root, time }: Pick<ReleaseFiles, 'root' | 'time'>,
  target: string,
  workFolder: string,
): Promise<void> => {
  await buildSdk();
  const parent = join(workFolder, 'sdk');
  const folder = join(parent, 'package');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'README.md', 'LICENSE', 'dist'])
    cpSync(join(root, 'sdk', file), join(folder, file), { recursive: true });
  normalizeModes(folder);
  packFolder(parent, 'package', time, target);
};
