import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig, variables } from '../config/config.ts';
import { openStorage } from '../db/open/open.ts';
import type { Storage } from '../db/storage.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { DEFAULT_WORKSPACE, requireWorkspace } from '../features/workspaces/workspace.service.ts';
import { escapeLine } from '../lib/control-characters.ts';
import { PROGRAM } from '../lib/executable.ts';
import { COMMAND_LINE } from '../records/change.ts';
import { registerContributions } from '../wiring/handlers.ts';
import { printError, printText } from './output.ts';

/** The synopsis of each form of a command, and what it does. */
export type Usage = Readonly<Record<string, string>>;

/** An option of `parseArgs`, and its description in `--help`. */
interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** Absent for a deprecated alias, which `--help` does not list. */
  readonly description?: string;
}

export interface Command {
  readonly usage: Usage;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly run: (args: ParsedArgs) => Promise<void>;
}

export const WORKSPACE = { type: 'string', description: 'Workspace name. Default: "default".' } as const;
export const AS_JSON = { type: 'boolean', description: 'Print the result as JSON.' } as const;

/** An invalid command line. The process exits with status 2. */
export class UsageError extends Error {}

export interface ParsedArgs {
  readonly positionals: readonly string[];
  readonly json: boolean;
  text(name: string): string | undefined;
  list(name: string): string[];
  flag(name: string): boolean;
}

/** Parses the arguments of a command. Throws a `UsageError` for unknown options. */
export const parseArguments = (args: string[], { usage, options }: Omit<Command, 'run'>): ParsedArgs => {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const byName = values as Record<string, unknown>;
    return {
      positionals,
      json: byName.json === true,
      text: (name) => byName[name] as string | undefined,
      list: (name) => (byName[name] ?? []) as string[],
      flag: (name) => byName[name] === true,
    };
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw usageError(usage, `${reason}.${variableHint(reason)}`);
  }
};

/** Suggests the environment variable for an option that other services have, such as `--port`. */
const variableHint = (reason: string): string => {
  const [, option = ''] = /^Unknown option '--([\w-]+)/.exec(reason) ?? [];
  const name = option.toUpperCase().replaceAll('-', '_');
  const variable = Object.keys(variables).find((each) => each === name || each === `ROSTER_${name}`);
  return variable ? ` Set the environment variable ${variable} instead.` : '';
};

export const formatUsage = (usage: Usage): string =>
  Object.keys(usage)
    .map((form) => `  ${form.replaceAll('\n', '\n  ')}`)
    .join('\n');

export const usageError = (usage: Usage, reason?: string): UsageError =>
  new UsageError([...(reason ? [reason] : []), 'Usage:', formatUsage(usage)].join('\n'));

/** Quotes an argument for a POSIX shell. */
export const shellQuote = (word: string): string =>
  /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export const alreadyExists = (command: string, file: string): UsageError =>
  new UsageError(`${file} already exists. To replace it: ${PROGRAM} ${command} ${shellQuote(file)} --force`);

interface StorageOptions {
  readonly mayCreate?: boolean;
  /** Whether long reads go to the replica, if there is one. */
  readonly useReplica?: boolean;
}

/** Opens the configured database for `work` and closes it afterwards. Creates a database only with `mayCreate`, so that a
 *  mistyped path is an error. */
export const withStorage = async <T>(
  work: (storage: Storage) => Promise<T>,
  { mayCreate = false, useReplica = false }: StorageOptions = {},
): Promise<T> => {
  registerContributions();
  const { database } = readConfig(process.env);
  if (!mayCreate && database.engine === 'sqlite' && !existsSync(database.path)) {
    throw new ConfigError(
      `No database found at ${database.path}. Start Roster once, or set ROSTER_DATA_DIR.`,
    );
  }
  const onFault = (error: Error) => printError(`${error.message}\n`);
  const storage = await openStorage(database, { onFault, useReplica });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

export const inWorkspace = async <T>(
  name: string = DEFAULT_WORKSPACE,
  work: (storage: Storage, principal: Principal) => Promise<T>,
  options: StorageOptions = {},
): Promise<T> =>
  withStorage(async (storage) => {
    const { id } = await storage.run(requireWorkspace, null, { name });
    return work(storage, { workspace: id, actor: COMMAND_LINE });
  }, options);

/** `1 contact`, `2,000 contacts`. */
export const pluralize = (number: number, one: string): string =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;

export const print = (json: boolean, value: unknown, text: string): void => {
  printText(`${json ? JSON.stringify(value, null, 2) : text}\n`);
};

export const table = (headings: readonly string[], cells: readonly (readonly string[])[]): string => {
  const rows = cells.map((row) => row.map(escapeLine));
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(line).join('\n');
};
