import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const NICE_INCREMENT = 10;
const MAX_NICE = 19;

/** Lets other threads run first when all cores are busy, so that requests do not wait for a search of a million records.
 *  Only Linux has a priority for each thread. */
export const lowerThreadPriority = (): void => {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(MAX_NICE, getPriority() + NICE_INCREMENT));
  } catch {
    // Not essential.
  }
};
