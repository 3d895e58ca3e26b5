import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const BACK = 10;
const LAST = 19;

/** Lets other threads go first where the cores are too few for all: whoever searches a million records waits a little
 *  longer, and everybody else is served as if nobody did. Linux knows a priority of each thread; elsewhere all are
 *  alike. */
export const lowerThreadPriority = (): void => {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(LAST, getPriority() + BACK));
  } catch {
    // It is a courtesy: the work is done all the same.
  }
};
