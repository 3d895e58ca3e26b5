import { readFileSync } from 'node:fs';
import { isObject } from '../lib/validation.ts';
import { type ParsedArgs, UsageError } from './command.ts';

/** The options of a command that sends a body. */
export const BODY_OPTIONS = {
  set: 'A member: name=text, or name:=JSON for other values, such as tags:=["vip"] or fields.visits:=3. Repeatable.',
  file: 'A file with the JSON object to send, or - for the standard input. --set changes its members.',
};

type Members = Record<string, unknown>;

const ASSIGNMENT = /^([a-z]\w*(?:\.[a-z]\w*)*)(:?=)(.*)$/is;

const parseJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`Cannot read ${name} as JSON: ${(error as Error).message}.`);
  }
};

const readFile = (file: string): string => {
  try {
    // Some editors write a byte order mark, which is not JSON.
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/^\ufeff/, '');
  } catch {
    throw new UsageError(`Cannot read ${file}. Check the path and its permissions.`);
  }
};

/** Sets a member, also in objects inside: `fields.plan`. */
const assign = (members: Members, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    members[name] = value;
    return;
  }
  const inner = Object.hasOwn(members, name) ? members[name] : undefined;
  const object = isObject(inner) ? inner : {};
  members[name] = object;
  assign(object, rest, value);
};

/** The JSON object of `--file` and `--set`; undefined if there is neither. A file alone is sent as it is. */
export const readBody = ({ text, list }: Pick<ParsedArgs, 'text' | 'list'>): string | undefined => {
  const file = text('file');
  const assignments = list('set');
  if (file === undefined && assignments.length === 0) return undefined;
  const json = file === undefined ? '{}' : readFile(file);
  const members = parseJson(file === '-' ? 'The standard input' : (file ?? ''), json);
  if (!isObject(members)) throw new UsageError(`${file} must be a JSON object.`);
  for (const each of assignments) {
    const [, name, operator, value = ''] = ASSIGNMENT.exec(each) ?? [];
    if (name === undefined)
      throw new UsageError(`--set must have the form name=text or name:=JSON, not ${each}.`);
    assign(members, name.split('.'), operator === '=' ? value : parseJson(`--set ${each}`, value));
  }
  return assignments.length === 0 ? json : JSON.stringify(members);
};
