import { writeSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from './config.ts';
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

/** Says in the words of the configuration what the system or the database said. */
const explain = (error: unknown) => {
  const { code, hostname, syscall } = Object(error) as { code?: string; hostname?: string; syscall?: string };
  if (code === undefined) return error;
  if (code === 'EADDRINUSE')
    return new ConfigError(`port ${config.port} is in use. Set PORT to another one.`);
  if (code === 'EACCES' && syscall === 'listen')
    return new ConfigError(`it may not listen on port ${config.port}. Set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || hostname === config.host)
    return new ConfigError(`HOST must be an address of this machine, not ${config.host}.`);
  return new ConfigError(databaseTrouble(config.database, code));
};

const databaseTrouble = (database: Config['database'], code: string) => {
  if (database.engine === 'sqlite')
    return `it cannot keep its data in ${database.path}: no database can be opened there.`;
  const { host, pathname } = new URL(database.url);
  if (code === '3D000')
    return `PostgreSQL has no database ${pathname.slice(1)}. Create it, or change DATABASE_URL.`;
  if (code.startsWith('28')) return 'PostgreSQL refuses the user or the password in DATABASE_URL.';
  return `the PostgreSQL at ${host} cannot be reached. Check DATABASE_URL.`;
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
writeSync(1, welcome(service, config));
