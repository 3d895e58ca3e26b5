import { writeSync } from 'node:fs';
import { ConfigError, readConfig } from './config.ts';
import { createLog, describeError } from './lib/log.ts';
import { startService } from './service.ts';
import { startupMessage } from './startup-message.ts';

// What is written holds people's data: it is for this user alone, also in a folder that others can read.
process.umask(0o077);

/** Says in one sentence why the service does not start. */
const refuse = (error: unknown): never => {
  console.error(`Roster did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
};

const config = (() => {
  try {
    return readConfig(process.env);
  } catch (error) {
    return refuse(error);
  }
})();

/** How many bytes of the log wait in memory for a reader that is behind. */
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
// Whoever read our log may be gone; the service goes on without.
stdout.on('error', () => {});

/** Says in the words of the configuration why there is no listening; what we do not know is passed on. */
const explain = (error: unknown) => {
  const {
    code = '',
    hostname,
    syscall,
  } = Object(error) as { code?: string; hostname?: string; syscall?: string };
  const { port, host } = config;
  if (code === 'EADDRINUSE') return new ConfigError(`port ${port} is in use. Set PORT to another one.`);
  if (code === 'EACCES' && syscall === 'listen')
    return new ConfigError(`it may not listen on port ${port}. Set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || hostname === host)
    return new ConfigError(`HOST must be an address of this machine, not ${host}.`);
  return error;
};

const service = await startService(config, log).catch((error) => refuse(explain(error)));
let stopping = false;
const stop = (signal: string) => {
  if (stopping) return;
  stopping = true;
  log.info('stopping', { signal });
  service.stop().then(
    () => {
      log.info('stopped');
      log.flush();
      process.exit(0);
    },
    (error) => {
      log.error('stop failed', describeError(error));
      log.flush();
      process.exit(1);
    },
  );
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
writeSync(1, startupMessage(service, config));
