import { getPriority, setPriority } from 'node:os';
import { systemThreadId } from '../../../lib/thread-health.ts';

const NICE_INCREMENT = 10;
const MAX_NICE = 19;

/** Lets other threads run first when all cores are busy, so that requests do not wait for a search of a million records.
 *  Only Linux has a priority for each thread. */
export const lowerThreadPriority = (): void => {
  const thread = systemThreadId();
  if (thread === 0) return;
  try {
    setPriority(thread, Math.min(MAX_NICE, getPriority() + NICE_INCREMENT));
  } catch {
    // Not essential.
  }
};
