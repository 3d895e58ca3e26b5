import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { setTimeout as pause } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { ConfigError, readConfig } from '../config/config.ts';
import { startWorker, workerScript } from '../lib/executable.ts';
import { createLog, describeError } from '../lib/log.ts';
import { newPulse, startBeating } from '../lib/thread-health.ts';
import { type Service, startService } from '../wiring/service.ts';
import { startupLine, startupMessage } from './startup-message.ts';
import type { WatchdogData } from './watchdog.ts';

// Written files contain personal data: only this user may read them, whatever the permissions of the folder.
process.umask(0o077);

const exitWithError = (error: unknown): never => {
  console.error(`Roster did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
};

const config = (() => {
  try {
    return readConfig(process.env);
  } catch (error) {
    return exitWithError(error);
  }
})();

/** Bytes of log output to buffer for a slow reader. */
const LOG_BUFFER = 4 * 1_048_576;

const { stdout } = process;
const log = createLog({
  level: config.logLevel,
  pretty: stdout.isTTY,
  write: (text) => {
    stdout.write(text);
  },
  hasRoom: () => stdout.writableLength < LOG_BUFFER,
});
process.on('exit', () => log.flush());
// The reader of the log may exit; the service continues.
stdout.on('error', () => {});

/** Names the variable to change if listening failed; returns any other error unchanged. */
const explain = (error: unknown) => {
  const { code, hostname, syscall }: NodeJS.ErrnoException & { hostname?: string } = Object(error);
  const { port, host } = config;
  if (code === 'EADDRINUSE')
    return new ConfigError(`port ${port} is already in use. Set PORT to another port.`);
  if (code === 'EACCES' && syscall === 'listen')
    return new ConfigError(
      `permission to listen on port ${port} was denied. Set PORT to a number above 1023.`,
    );
  if (code === 'EADDRNOTAVAIL' || hostname === host)
    return new ConfigError(`HOST must be an address of this machine, not ${host}.`);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new ConfigError(`the disk of ROSTER_DATA_DIR (${config.dataDir}) is full. Free some space.`);
  return error;
};

/** Reports a state to systemd with its own program, because Node has no Unix datagram sockets. */
const notifySystemd = (...state: string[]) => {
  if (!process.env.NOTIFY_SOCKET) return;
  spawn('systemd-notify', state, { stdio: 'ignore' }).on('error', (error) =>
    log.error('systemd-notify failed', describeError(error)),
  );
};

/** How long systemd is asked to wait after the drain time. */
const STOP_MS = 25_000;
/** Requests have ten seconds to complete after the drain time; the rest is for writes that have started. */
const FORCED_STOP_MS = 15_000;

/** Ends a stop that does not end: a thread may hang in a system call, which also prevents a normal exit. */
const forceStop = () => {
  log.error('the stop took too long, so the process ends', { seconds: FORCED_STOP_MS / 1000 });
  log.flush();
  process.kill(process.pid, 'SIGKILL');
};

let running: Service | undefined;
const skipDrain = new AbortController();
let isStopping = false;
const stop = async (signal: NodeJS.Signals) => {
  // Ctrl-C and a second signal mean that someone waits for the exit.
  if (signal === 'SIGINT' || isStopping) skipDrain.abort();
  if (isStopping) return;
  isStopping = true;
  log.info('stopping', { signal });
  // A start may wait minutes for a migration. The database rolls back what is not committed.
  if (!running) {
    log.info('stopped before the service was ready');
    log.flush();
    process.exit(0);
  }
  notifySystemd('STOPPING=1', `EXTEND_TIMEOUT_USEC=${(config.drainMs + STOP_MS) * 1_000}`);
  running.announceStop();
  if (config.drainMs > 0)
    await pause(config.drainMs, undefined, { signal: skipDrain.signal }).catch(() => {});
  setTimeout(forceStop, FORCED_STOP_MS);
  try {
    await running.stop();
    log.info('stopped');
  } catch (error) {
    log.error('stop failed', describeError(error));
    process.exitCode = 1;
  }
  log.flush();
  process.exit();
};
// Before the start, because a process with the id 1, as in a container, ignores signals that it does not handle.
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// From a terminal, the signal means that it was closed: then the service ends.
if (!isatty(0)) process.on('SIGHUP', () => running?.reloadTls());

const service = await startService(config, log).catch((error) => exitWithError(explain(error)));
running = service;
// While a debugger stops the first thread, it does not hang.
if (inspectorUrl() === undefined) {
  const pulse = newPulse();
  startBeating(pulse);
  startWorker(workerScript('watchdog', import.meta.url), {
    name: 'watchdog',
    workerData: { pulse, isLogPretty: log.isPretty } satisfies WatchdogData,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  }).unref();
}
writeSync(1, stdout.isTTY ? startupMessage(service, config) : startupLine(service, config));
notifySystemd('--ready');
