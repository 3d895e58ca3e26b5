import { inspect } from 'node:util';
import { ConfigError } from '../config.ts';
import { DatabaseSetupError } from '../db/database.ts';
import { ApiError } from '../lib/errors.ts';
import { version } from '../version.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { type Command, parseArguments, UsageError } from './command.ts';
import { demoCommand } from './demo.ts';
import { exportCommand } from './export.ts';
import { commandHelp, help } from './help.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { openapiCommand } from './openapi.ts';
import { OutputError, outputError, printError, printText } from './output.ts';
import { restoreCommand } from './restore.ts';
import { secretCommand } from './secret.ts';
import { startCommand } from './start.ts';
import { userCommand } from './user.ts';
import { verifyCommand } from './verify.ts';
import { workspaceCommand } from './workspace.ts';

const commands: Record<string, Command> = {
  start: startCommand,
  workspace: workspaceCommand,
  key: keyCommand,
  user: userCommand,
  import: importCommand,
  export: exportCommand,
  audit: auditCommand,
  backup: backupCommand,
  restore: restoreCommand,
  verify: verifyCommand,
  secret: secretCommand,
  demo: demoCommand,
  openapi: openapiCommand,
};

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
  if (!command) throw new UsageError(`Unknown command: ${name}. To list all commands: npx roster --help`);
  if (rest.includes('--help') || rest.includes('-h')) printText(commandHelp(command));
  else await command.run(parseArguments(rest, command));
};

/** Errors that the user can fix are printed as a message; anything else with its stack. */
const isExpected = (error: unknown): error is Error =>
  [UsageError, ConfigError, ApiError, OutputError, DatabaseSetupError].some((kind) => error instanceof kind);

/** Prints several validation problems one per line. */
const formatError = (error: Error): string =>
  error instanceof ApiError && Array.isArray(error.details) && error.details.length > 1
    ? error.details.map(({ field, message }) => `${field}: ${message}`).join('\n')
    : error.message;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe may exit early, for example `head`.
  if (error.code === 'EPIPE') process.exit(0);
  printError(`${outputError('the output', error).message}\n`);
  process.exit(1);
});

await run().catch((error: unknown) => {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  printError(`${isExpected(error) ? formatError(error) : inspect(error)}\n`);
});
