import { inspect } from 'node:util';
import { BackupError } from '../backups/object-store.ts';
import { ConfigError } from '../config/config.ts';
import { DatabaseSetupError } from '../db/database.ts';
import { ApiError } from '../lib/errors.ts';
import { PROGRAM } from '../lib/executable.ts';
import { isInterrupted } from '../lib/interrupt.ts';
import { version } from '../lib/version.ts';
import { ServiceError } from './client.ts';
import { parseCommand, suggestion, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { commandHelp, help } from './help.ts';
import { OutputError, outputError, printError, printText } from './output.ts';

// Written files contain personal data: only this user may read them.
process.umask(0o077);

const [name, ...rest] = process.argv.slice(2);

const run = async (): Promise<void> => {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    printText(help(commands));
    return;
  }
  if (name === '--version' || name === '-v') {
    printText(`${version}\n`);
    return;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const hint = suggestion(name, Object.keys(commands));
    throw new UsageError(`Unknown command: ${name}.${hint} To list all commands: ${PROGRAM} --help`);
  }
  if (rest.includes('--help') || rest.includes('-h')) printText(commandHelp(command));
  else await parseCommand(rest, command)();
};

/** Errors that the user can fix are printed as a message; anything else with its stack. */
const isExpected = (error: unknown): error is Error =>
  [UsageError, ConfigError, ApiError, OutputError, DatabaseSetupError, BackupError, ServiceError].some(
    (kind) => error instanceof kind,
  );

/** Prints several validation problems one per line. */
const formatError = (error: Error): string =>
  error instanceof ApiError && Array.isArray(error.details) && error.details.length > 1
    ? error.details.map(({ field, message }) => `${field}: ${message}`).join('\n')
    : error.message;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A service continues without a reader of its log.
  if (name === 'start') return;
  // The reader of a pipe may exit early, for example `head`.
  if (error.code === 'EPIPE') process.exit(0);
  printError(`${outputError('the output', error).message}\n`);
  process.exit(1);
});

await run().catch((error: unknown) => {
  // An interrupted command fails because it is being cleaned up.
  if (isInterrupted()) return;
  const usageStatus =
    (name !== undefined && Object.hasOwn(commands, name) && commands[name]?.usageStatus) || 2;
  process.exitCode = error instanceof UsageError ? usageStatus : 1;
  printError(`${isExpected(error) ? formatError(error) : inspect(error)}\n`);
});
