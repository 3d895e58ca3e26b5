#!/usr/bin/env node
import { type Command, UsageError } from './commands/command.ts';
import { help } from './commands/help.ts';
import { keyCommand } from './commands/key.ts';
import { openapiCommand } from './commands/openapi.ts';
import { startCommand } from './commands/start.ts';
import { userCommand } from './commands/user.ts';
import { workspaceCommand } from './commands/workspace.ts';
import { ConfigError } from './config.ts';
import { ApiError } from './kernel/errors.ts';
import { version } from './version.ts';

const commands: Record<string, Command> = {
  start: startCommand,
  workspace: workspaceCommand,
  key: keyCommand,
  user: userCommand,
  openapi: openapiCommand,
};

// What a command writes holds people's data: it is for this user alone.
process.umask(0o077);

const [name, ...rest] = process.argv.slice(2);

const run = async (): Promise<void> => {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help(commands));
    return;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version}\n`);
    return;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${name}. npx roster --help lists them.`);
  if (rest.includes('--help') || rest.includes('-h')) process.stdout.write(`${command.usage.join('\n')}\n`);
  else await command.run(rest);
};

/** Errors that the person at the terminal can mend are one sentence; anything else shows where it arose. */
const isForPeople = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof ConfigError || error instanceof ApiError;

// Whoever reads our output may have seen enough of it.
process.stdout.on('error', () => process.exit(0));

await run().catch((error: unknown) => {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  console.error(isForPeople(error) ? error.message : error);
});
