import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig, variables } from '../config.ts';
import { openStorage } from '../db/open.ts';
import type { Storage } from '../db/storage.ts';
import { COMMAND_LINE } from '../features/audit/audit.service.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { DEFAULT_WORKSPACE, requireWorkspace } from '../features/workspaces/workspace.service.ts';
import { registerEventHandlers } from '../handlers.ts';
import { escapeLine } from '../lib/control-characters.ts';
import { printError, printText } from './output.ts';

/** Each form in which a command is written, and what it does. */
export type Usage = Readonly<Record<string, string>>;

/** An option as `parseArgs` reads it, and what `--help` says of it. */
interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly means: string;
}

export interface Command {
  readonly usage: Usage;
  readonly options: Readonly<Record<string, Option>>;
  readonly run: (given: Given) => Promise<void>;
}

export const WORKSPACE = { type: 'string', means: 'the name of the workspace ("default")' } as const;
export const AS_JSON = { type: 'boolean', means: 'print the result as JSON, for programs' } as const;

/** The command was written in a way that it does not understand. */
export class UsageError extends Error {}

/** What was written after the name of a command. */
export interface Given {
  readonly words: readonly string[];
  readonly json: boolean;
  text(name: string): string | undefined;
  list(name: string): string[];
  flag(name: string): boolean;
}

/** Reads the words and options of a command; refuses an option that it does not have. */
export const readArguments = (args: string[], { usage, options }: Omit<Command, 'run'>): Given => {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const given = values as Record<string, unknown>;
    return {
      words: positionals,
      json: given.json === true,
      text: (name) => given[name] as string | undefined,
      list: (name) => (given[name] ?? []) as string[],
      flag: (name) => given[name] === true,
    };
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw usageError(usage, `${reason}.${variableHint(reason)}`);
  }
};

/** Many a service takes as an option what ours takes from the environment. */
const variableHint = (reason: string): string => {
  const [, option = ''] = /^Unknown option '--([\w-]+)/.exec(reason) ?? [];
  const name = option.toUpperCase().replaceAll('-', '_');
  const variable = Object.keys(variables).find((each) => each === name || each === `ROSTER_${name}`);
  return variable ? ` The variable ${variable} sets that.` : '';
};

/** The forms of a command below each other. */
export const formsOf = (usage: Usage): string =>
  Object.keys(usage)
    .map((form) => `  ${form.replaceAll('\n', '\n  ')}`)
    .join('\n');

export const usageError = (usage: Usage, reason?: string): UsageError =>
  new UsageError([...(reason ? [reason] : []), 'Write:', formsOf(usage)].join('\n'));

/** A word as a shell takes it. */
export const quoted = (word: string): string =>
  /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A file is not replaced unasked. */
export const thereAlready = (command: string, file: string): UsageError =>
  new UsageError(`${file} is there already. To replace it: npx roster ${command} ${quoted(file)} --force`);

/** Works on the database that the environment names, and lets go of it. A name that is mistyped makes no new one. */
export const withStorage = async <T>(
  work: (storage: Storage) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> => {
  registerEventHandlers();
  const { database } = readConfig(process.env);
  if (!mayCreate && database.engine === 'sqlite' && !existsSync(database.path)) {
    throw new ConfigError(
      `There is no database at ${database.path}. Start Roster once, or set ROSTER_DATA_DIR.`,
    );
  }
  const storage = await openStorage(database, { onFault: (error) => printError(`${error.message}\n`) });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

/** The same, in the workspace of a name. */
export const inWorkspace = async <T>(
  name: string = DEFAULT_WORKSPACE,
  work: (storage: Storage, principal: Principal) => Promise<T>,
): Promise<T> =>
  withStorage(async (storage) => {
    const { id } = await storage.run(requireWorkspace, null, { name });
    return work(storage, { workspace: id, actor: COMMAND_LINE });
  });

/** How many of what: 1 contact, 2,000 contacts. */
export const counted = (number: number, one: string): string =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;

/** Prints a result: as JSON for programs, in words for people. */
export const print = (json: boolean, value: unknown, words: string): void => {
  printText(`${json ? JSON.stringify(value, null, 2) : words}\n`);
};

/** Rows under their headings, each column as wide as its widest cell. */
export const table = (headings: readonly string[], given: readonly (readonly string[])[]): string => {
  const rows = given.map((row) => row.map(escapeLine));
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
