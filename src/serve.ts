import { writeSync } from 'node:fs';
import { ConfigError, readConfig } from './config.ts';
import { createLog, describeError } from './kernel/log.ts';
import { startService } from './service.ts';
import { welcome } from './welcome.ts';

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

const log = createLog({
  level: config.logLevel,
  pretty: process.stdout.isTTY,
  write: (text) => {
    process.stdout.write(text);
  },
});
process.on('exit', () => log.flush());
// Whoever read our log may be gone; the service goes on without.
process.stdout.on('error', () => {});

const UNREACHABLE = /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P)/;

/** Says in the words of the configuration what the system or the database said; what we do not know is passed on. */
const explain = (error: unknown) => {
  const {
    code = '',
    hostname,
    syscall,
  } = Object(error) as { code?: string; hostname?: string; syscall?: string };
  const { database, port, host } = config;
  if (code === 'EADDRINUSE') return new ConfigError(`port ${port} is in use. Set PORT to another one.`);
  if (code === 'EACCES' && syscall === 'listen')
    return new ConfigError(`it may not listen on port ${port}. Set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || hostname === host)
    return new ConfigError(`HOST must be an address of this machine, not ${host}.`);
  return database.engine === 'sqlite'
    ? explainFile(database.path, code, error)
    : explainServer(database.url, code, error);
};

const explainFile = (path: string, code: string, error: unknown) =>
  /^(ERR_SQLITE_ERROR|EACCES|ENOENT|ENOTDIR|EEXIST|EROFS|EPERM)$/.test(code)
    ? new ConfigError(`it cannot keep its data in ${path}: no database can be opened there.`)
    : error;

const explainServer = (url: string, code: string, error: unknown) => {
  const { host, pathname } = new URL(url);
  const name = pathname.slice(1);
  if (code === '3D000')
    return new ConfigError(`PostgreSQL has no database ${name}. Create it, or change DATABASE_URL.`);
  if (code.startsWith('28'))
    return new ConfigError('PostgreSQL refuses the user or the password in DATABASE_URL.');
  if (code === '42501')
    return new ConfigError(
      `the user in DATABASE_URL may not create tables and extensions in the database ${name}.`,
    );
  if (code === '0A000' || code === '58P01' || code === '42704')
    return new ConfigError(
      'PostgreSQL lacks the extensions pg_trgm and btree_gin; install its contrib package.',
    );
  if (UNREACHABLE.test(code) || (code === '' && /connection|timeout/i.test(String(error))))
    return new ConfigError(`the PostgreSQL at ${host} cannot be reached. Check DATABASE_URL.`);
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
writeSync(1, welcome(service, config));
