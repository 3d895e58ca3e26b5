import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { createLog } from '../lib/log.ts';
import { type Pulse, watchPulse } from '../lib/thread-health.ts';

/** What the watchdog starts with. */
export interface WatchdogData {
  /** That of the first thread. */
  readonly pulse: Pulse;
  readonly isLogPretty: boolean;
}

/** Below the 15 seconds that a supervisor waits after the drain time. */
const HUNG_MS = 12_000;

/** Ends the process if its first thread hangs, so that the supervisor starts it again. Only a signal can end it then. */
const { pulse, isLogPretty } = workerData as WatchdogData;
const write = (text: string) => {
  try {
    writeSync(1, text);
  } catch {
    // No one reads the log.
  }
};
const log = createLog({ level: 'error', pretty: isLogPretty, write });
watchPulse(pulse, (silentMs) => {
  if (silentMs < HUNG_MS) return;
  log.error('the first thread hangs, so the process ends', { silent_seconds: silentMs / 1000 });
  log.flush();
  process.kill(process.pid, 'SIGKILL');
});
