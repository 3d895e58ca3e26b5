import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const BACK = 10;
const LAST = 19;

/** Lets other threads run first where cores are scarce: a search of a million records takes a little longer, and other
 *  requests do not wait for it. Only Linux has a priority for each thread. */
export const lowerThreadPriority = (): void => {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(LAST, getPriority() + BACK));
  } catch {
    // Not essential: the work is done with any priority.
  }
};
