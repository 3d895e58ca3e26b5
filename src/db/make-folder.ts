import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSetupError } from './database.ts';

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** Creates a folder and its parents, for this user only. `mkdirSync` can also create parents, but it never returns where the
 *  system reports a missing parent that exists, such as in /proc. */
export const makeFolder = (folder: string): void => {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if (isFolder(folder)) return;
    throw new DatabaseSetupError(
      `The folder ${folder} cannot be created. Check that ${parent} is a folder in which this user may write, or choose another one.`,
      { cause: error },
    );
  }
};
