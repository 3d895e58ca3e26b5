import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, threadName } from 'node:worker_threads';

/** Loaded before the service on each of its threads: a thread hangs when a file with its name appears, which it removes first. */
const file = join(process.env.HANG_FOLDER ?? '', isMainThread ? 'main' : `${threadName}`);
const cell = new Int32Array(new SharedArrayBuffer(4));

const isAsked = () => {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
};

setInterval(() => {
  if (isAsked()) Atomics.wait(cell, 0, 0);
}, 20).unref();
