import { rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../db/make-folder.ts';

/** Removes empty folders, starting with the innermost. */
const removeEmpty = (innermost: string, outermost: string): void => {
  try {
    for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder))
      rmdirSync(folder);
  } catch {
    // The folder is not empty.
  }
};

/** Creates a folder, and removes it if `work` fails. */
export const inFolder = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const created = makeFolder(folder);
  try {
    return await work();
  } catch (error) {
    if (created !== undefined) removeEmpty(folder, created);
    throw error;
  }
};
