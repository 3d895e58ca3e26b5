import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMMAND_LINE } from '../audit/audit.service.ts';
import { ConfigError, readConfig } from '../config.ts';
import { openStorage } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';
import { wire } from '../wiring.ts';
import type { Principal } from '../workspaces/principal.ts';
import { DEFAULT_WORKSPACE, requireWorkspace } from '../workspaces/workspace.service.ts';

export interface Command {
  /** How it is written, one line for each form. */
  readonly usage: readonly string[];
  readonly run: (args: string[]) => Promise<void>;
}

/** The command was written in a way that it does not understand. */
export class UsageError extends Error {}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** Reads the words and options of a command; `--json` belongs to every one. */
export const readArguments = (args: string[], usage: readonly string[], options: Options = {}) => {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean' } },
    });
    const given = values as Record<string, unknown>;
    return {
      words: positionals,
      text: (name: string) => given[name] as string | undefined,
      list: (name: string) => (given[name] ?? []) as string[],
      flag: (name: string) => given[name] === true,
      json: given.json === true,
    };
  } catch (error) {
    throw usageError(usage, error instanceof Error ? `${error.message.split('. ')[0]}.` : undefined);
  }
};

export const usageError = (usage: readonly string[], reason?: string): UsageError =>
  new UsageError([...(reason ? [reason] : []), 'Write:', ...usage.map((line) => `  ${line}`)].join('\n'));

/** A word as a shell takes it. */
export const quoted = (word: string): string =>
  /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Works on the database that the environment names, and lets go of it. A name that is mistyped makes no new one. */
export const withStorage = async <T>(
  work: (storage: Storage) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> => {
  wire();
  const { database } = readConfig(process.env);
  if (!mayCreate && database.engine === 'sqlite' && !existsSync(database.path)) {
    throw new ConfigError(
      `There is no database at ${database.path}. Start Roster once, or set ROSTER_DATA_DIR.`,
    );
  }
  const storage = await openStorage(database, { onFault: (error) => console.error(error.message) });
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
    const { id } = await storage.read(requireWorkspace, null, { name });
    return work(storage, { workspace: id, actor: COMMAND_LINE });
  });

/** Prints a result: as JSON for programs, in words for people. */
export const print = (json: boolean, value: unknown, words: string): void => {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : words}\n`);
};

/** Rows under their headings, each column as wide as its widest cell. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
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
