import { writeSync } from 'node:fs';
import { ConfigError, readConfig } from './config.ts';
import { createLog, describeError } from './kernel/log.ts';
import { startService } from './service.ts';
import { welcome } from './welcome.ts';

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

const log = createLog({
  level: config.logLevel,
  pretty: process.stdout.isTTY,
  write: (text) => {
    process.stdout.write(text);
  },
});
process.on('exit', () => log.flush());

const explain = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new ConfigError(`port ${config.port} is in use. Set PORT to another one.`);
  if (code === 'EACCES')
    return new ConfigError(`it may not listen on port ${config.port}. Set PORT to one above 1023.`);
  return error;
};

const service = await startService(config, log).catch((error) => refuse(explain(error)));
writeSync(1, welcome(service, config));

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
