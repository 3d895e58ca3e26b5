import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig, variables } from '../config/config.ts';
import { openStorage } from '../db/open/open.ts';
import type { Storage } from '../db/storage.ts';
import { editsBetween, MAX_EDITS } from '../features/agents/placeholders.ts';
import { country } from '../features/workspaces/country.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { DEFAULT_WORKSPACE, requireWorkspace } from '../features/workspaces/workspace.service.ts';
import { escapeLine } from '../lib/control-characters.ts';
import type { Problem } from '../lib/errors.ts';
import { PROGRAM } from '../lib/executable.ts';
import { parseDay, parseTime } from '../lib/time.ts';
import type { Field } from '../lib/validation.ts';
import { COMMAND_LINE } from '../records/change.ts';
import { registerContributions } from '../wiring/handlers.ts';
import { printError, printText } from './output.ts';

/** What a form of a command does, and the function that does it. */
type Form = readonly [description: string, run: (args: ParsedArgs) => void | Promise<void>];

export interface Command {
  /** The forms by their synopsis, which also says what they accept: words, OPERANDS, [OPTIONAL] ones, and options. An option
   *  outside of brackets is required; `…` after the brackets means that it can be repeated. */
  readonly forms: Readonly<Record<string, Form>>;
  /** The description of each option that is not a common one. */
  readonly options?: Readonly<Record<string, string>>;
  /** The exit status for an invalid command line, if 2 means something else for this command. */
  readonly usageStatus?: number;
}

/** Options that mean the same in most commands. */
const COMMON_OPTIONS: Readonly<Record<string, string>> = {
  workspace: 'Workspace name. Default: "default".',
  force: 'Replace an existing file.',
  json: 'Print the result as JSON.',
};

/** An invalid command line. The process exits with status 2, or the command's own. */
export class UsageError extends Error {}

export interface ParsedArgs {
  /** The arguments at the place of operands. */
  readonly operands: readonly string[];
  readonly json: boolean;
  text(name: string): string | undefined;
  list(name: string): string[];
  flag(name: string): boolean;
  /** Prints the result: the value as JSON if asked to, else the text. */
  print(value: unknown, text: string): void;
  usageError(reason?: string): UsageError;
}

const OPTION = /(\[|\| )?--([a-z-]+)(?: ("[^"]*"|[^\s\]|]+))?(\]…)?/g;

/** The options in a synopsis. */
const optionsIn = (synopsis: string) =>
  [...synopsis.matchAll(OPTION)].map(([, optional, name = '', value, repeatable]) => ({
    name,
    type: value === undefined ? ('boolean' as const) : ('string' as const),
    multiple: repeatable !== undefined,
    isRequired: optional === undefined,
  }));

/** Every option of a command with its description, in the order of the synopses. */
export const describeOptions = ({ forms, options }: Command): Record<string, string> =>
  Object.fromEntries(
    Object.keys(forms)
      .flatMap(optionsIn)
      .map(({ name }) => [`--${name}`, options?.[name] ?? COMMON_OPTIONS[name] ?? '']),
  );

/** The words and operands after the name of the command. */
const wordsIn = (synopsis: string): string[] => {
  const [, , ...words] = synopsis.split(/\s+/);
  const options = words.findIndex((word) => /^\[?--/.test(word));
  return options === -1 ? words : words.slice(0, options);
};

const isLiteral = (word = ''): boolean => /^[a-z]/.test(word);

const accepts = (words: readonly string[], typed: readonly string[]): boolean =>
  typed.length <= words.length &&
  words.every((word, at) =>
    isLiteral(word) ? typed[at] === word : typed[at] !== undefined || word.startsWith('['),
  );

const parseOptions = (args: string[], synopses: readonly string[]) => {
  const options = Object.fromEntries(
    synopses.flatMap(optionsIn).map(({ name, ...option }) => [name, option]),
  );
  return parseArgs({ args, allowPositionals: true, options });
};

/** Finds the form that accepts the arguments. Throws a `UsageError` if there is none, or for an option that it does not have. */
export const parseCommand = (args: string[], { forms }: Command): (() => void | Promise<void>) => {
  const synopses = Object.keys(forms);
  const usageError = (reason?: string) =>
    new UsageError([...(reason ? [reason] : []), 'Usage:', formatUsage(forms)].join('\n'));
  let parsed: ReturnType<typeof parseOptions>;
  try {
    parsed = parseOptions(args, synopses);
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw usageError(`${reason}.${variableHint(reason, synopses) || optionHint(reason, synopses)}`);
  }
  const { positionals } = parsed;
  const values = parsed.values as Record<string, unknown>;
  // A word of a form is not an operand of another one.
  const named = synopses.filter((each) => positionals.length > 0 && wordsIn(each)[0] === positionals[0]);
  const synopsis = (named.length > 0 ? named : synopses).find((each) => accepts(wordsIn(each), positionals));
  if (synopsis === undefined) {
    const words = synopses.map((each) => wordsIn(each)[0] ?? '').filter(isLiteral);
    const [typed = ''] = positionals;
    throw usageError(words.includes(typed) ? undefined : suggestion(typed, words).trim());
  }
  const options = optionsIn(synopsis);
  const missing = options.find(({ name, isRequired }) => isRequired && values[name] === undefined);
  if (missing) throw usageError(`--${missing.name} is required.`);
  const excess = Object.keys(values).find((each) => !options.some(({ name }) => name === each));
  if (excess) throw usageError(`--${excess} is an option of another form of this command.`);
  const [, run] = forms[synopsis] as Form;
  const json = values.json === true;
  return () =>
    run({
      operands: positionals.slice(wordsIn(synopsis).filter(isLiteral).length),
      json,
      text: (name) => values[name] as string | undefined,
      list: (name) => (values[name] ?? []) as string[],
      flag: (name) => values[name] === true,
      print: (value, text) => printText(`${json ? JSON.stringify(value, null, 2) : text}\n`),
      usageError,
    });
};

/** Suggests the environment variable for an option that other services have, such as `--port`. */
const variableHint = (reason: string, synopses: readonly string[]): string => {
  const [, option = ''] = /^Unknown option '--([\w-]+)/.exec(reason) ?? [];
  const isClientKey = option === 'api-key' && synopses.some((each) => each.includes('--url'));
  const name = isClientKey ? 'ROSTER_KEY' : option.toUpperCase().replaceAll('-', '_');
  const variable = Object.keys(variables).find((each) => each === name || each === `ROSTER_${name}`);
  return variable ? ` Set the environment variable ${variable} instead.` : '';
};

/** ` Did you mean …?`, with what was probably meant; empty if nothing is similar. */
export const suggestion = (typed: string, known: readonly string[]): string => {
  const [nearest] = known
    .map((each) => ({ each, edits: editsBetween(typed, each) }))
    .filter(({ edits }) => edits <= MAX_EDITS && edits < typed.length / 2)
    .sort((one, other) => one.edits - other.edits);
  return nearest ? ` Did you mean ${nearest.each}?` : '';
};

const optionHint = (reason: string, synopses: readonly string[]): string => {
  const [, option = ''] = /^Unknown option '(--[\w-]+)/.exec(reason) ?? [];
  const known = synopses.flatMap(optionsIn).map(({ name }) => `--${name}`);
  return suggestion(option, [...known, '--help']);
};

export const formatUsage = (forms: Command['forms']): string =>
  Object.keys(forms)
    .map((form) => `  ${form.replaceAll('\n', '\n  ')}`)
    .join('\n');

/** Reads an option as the service reads the parameter or field of the same name. */
export const readField = <T>(name: string, { read }: Pick<Field<T>, 'read'>, text: string): T => {
  const problems: Problem[] = [];
  const value = read(text, name, problems);
  if (problems[0]) throw new UsageError(`--${name} ${problems[0].message.replace(/\.$/, `, not ${text}.`)}`);
  return value;
};

/** Reads an option as the variable of the environment is read. */
export const readOption = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
};

/** A time with its time zone. A date means the start of that day in UTC. */
export const readTime = (name: string, text: string | undefined): string | undefined => {
  const moment = text === undefined ? undefined : (parseDay(text) ?? parseTime(text));
  if (text === undefined || moment !== undefined) return moment;
  throw new UsageError(
    `--${name} must be a valid date or time, for example 2027-01-01 or 2027-01-01T09:30:00Z, not ${text}.`,
  );
};

const anyCase: Pick<typeof country, 'read'> = {
  read: (value, ...more) => country.read(String(value).toUpperCase(), ...more),
};

/** Parses the value of `--country`, in any case. */
export const readCountry = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : readField('country', anyCase, text);

/** Quotes an argument for a POSIX shell. */
export const shellQuote = (word: string): string =>
  /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export const alreadyExists = (command: string, file: string): UsageError =>
  new UsageError(`${file} already exists. To replace it: ${PROGRAM} ${command} ${shellQuote(file)} --force`);

/** Opens the configured database for `work` and closes it afterwards. Creates a database only with `mayCreate`, so that a
 *  mistyped path is an error. */
export const withStorage = async <T>(
  work: (storage: Storage) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> => {
  registerContributions();
  const { database } = readConfig(process.env);
  if (!mayCreate && database.engine === 'sqlite' && !existsSync(database.path))
    throw new ConfigError(
      `No database found at ${database.path}. Start Roster once, or set ROSTER_DATA_DIR.`,
    );
  const onFault = (error: Error) => printError(`${error.message}\n`);
  const storage = await openStorage(database, { onFault });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

export const inWorkspace = async <T>(
  name: string = DEFAULT_WORKSPACE,
  work: (storage: Storage, principal: Principal) => Promise<T>,
): Promise<T> =>
  withStorage(async (storage) => {
    const { id } = await storage.run(requireWorkspace, null, { name });
    return work(storage, { workspace: id, actor: COMMAND_LINE });
  });

/** `1 contact`, `2,000 contacts`. */
export const pluralize = (number: number, one: string): string =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;

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
