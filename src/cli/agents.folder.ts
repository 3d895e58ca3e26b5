import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseUuid } from '../lib/ids.ts';
import { isObject } from '../lib/validation.ts';
import { ServiceError } from './client.ts';
import { UsageError } from './command.ts';
import { cannotWrite } from './temp-file.ts';

/** The name of an agent, and what one of its versions says. */
export interface AgentContent {
  readonly name: string;
  readonly instructions: string;
  /** JSON. */
  readonly config: string;
}

/** What a folder was last equal to on the service. */
export interface Base {
  /** The label of a version. */
  readonly version: string;
  readonly name: string;
}

/** An agent in a folder. It has no id before it is first pushed. */
export interface LocalAgent extends AgentContent {
  readonly folder: string;
  readonly id?: string | undefined;
  readonly base?: Base | undefined;
}

const FILES = { agent: 'agent.json', instructions: 'instructions.md', config: 'config.json' } as const;

/** Strings, punctuation, and the texts of numbers and other values. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const tokensOf = (config: string): readonly string[] => config.match(TOKEN) ?? [];

/** Configs are equal if only whitespace differs. `1.0` is not `1`: runtimes may tell them apart. */
export const sameConfig = (one: AgentContent, other: AgentContent): boolean =>
  one.config === other.config || tokensOf(one.config).join('') === tokensOf(other.config).join('');

/** Whether two agents need no version of their own. */
export const sameVersion = (one: AgentContent, other: AgentContent): boolean =>
  one.instructions === other.instructions && sameConfig(one, other);

export const sameContent = (one: AgentContent, other: AgentContent): boolean =>
  one.name === other.name && sameVersion(one, other);

const entryAt = (path: string) => lstatSync(path, { throwIfNoEntry: false });

/** A link in a repository could lead to any file of the machine. */
const refuseLink = (path: string): void => {
  if (entryAt(path)?.isSymbolicLink())
    throw new UsageError(`${path} is a symbolic link. Replace it with what it leads to.`);
};

/** The text of a file, byte for byte. */
const readText = (path: string): string => {
  refuseLink(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const isText = (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw new UsageError(isText ? `${path} must be UTF-8.` : `Cannot read ${path}.`);
  }
};

const parseObject = (path: string, text: string): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(text.trim());
  } catch (error) {
    throw new UsageError(`Cannot read ${path} as JSON: ${(error as Error).message}.`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${path} must be a JSON object.`);
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const isId = (id: unknown): id is string => typeof id === 'string' && parseUuid(id) === id;

const FORM = `must have a name, and what the last pull or push wrote: id and base. For a new agent, write {"name": "…"}`;

/** Reads the agent of a folder. */
export const readAgent = (root: string, folder: string): LocalAgent => {
  const path = (name: keyof typeof FILES) => join(root, folder, FILES[name]);
  refuseLink(join(root, folder));
  const { id, name, base, ...unknown } = parseObject(path('agent'), readText(path('agent')));
  const isBase = isObject(base) && isText(base.version) && isText(base.name);
  const [excess] = Object.keys(unknown);
  if (excess) throw new UsageError(`${path('agent')} has an unknown member ${JSON.stringify(excess)}.`);
  if (!isText(name) || !(id === undefined || isId(id)) || !(base === undefined || isBase))
    throw new UsageError(`${path('agent')} ${FORM}.`);
  const config = entryAt(path('config')) ? readText(path('config')).trim() : '{}';
  parseObject(path('config'), config);
  return {
    folder,
    id,
    name,
    base: base as Base | undefined,
    instructions: readText(path('instructions')),
    config,
  };
};

/** The agents of a folder, in the order of their names. */
export const readAgents = (root: string): LocalAgent[] => {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${root} is not a folder.`);
  const isAgent = (entry: Dirent): unknown => {
    const file = join(root, entry.name, FILES.agent);
    return entry.isSymbolicLink() ? existsSync(file) : entry.isDirectory() && entryAt(file);
  };
  const folders = readdirSync(root, { withFileTypes: true }).filter(isAgent);
  const names = folders.map(({ name }) => name);
  const agents = names.sort().map((folder) => readAgent(root, folder));
  for (const { id, folder } of agents) {
    const other = agents.find((each) => each.id === id && each.folder !== folder);
    if (id !== undefined && other)
      throw new UsageError(
        `${folder} and ${other.folder} have the same id in agent.json. Remove "id" and "base" from the copy.`,
      );
  }
  return agents;
};

/** The agents of a folder, which must have at least one. */
export const requireAgents = (root: string): LocalAgent[] => {
  const agents = readAgents(root);
  if (agents.length > 0) return agents;
  const unnamed = readdirSync(root).filter((name) => existsSync(join(root, name, FILES.instructions)));
  const hint = unnamed.length > 0 ? ` Write {"name": "…"} to agent.json in: ${unnamed.join(', ')}` : '';
  throw new UsageError(`No folder in ${root} has an agent.json.${hint}`);
};

/** Refuses to continue if a folder was edited since `before` was read. */
export const requireUnedited = (root: string, before: LocalAgent[], now: LocalAgent[]): void => {
  if (isDeepStrictEqual(before, now)) return;
  throw new ServiceError(`Files in ${root} were edited meanwhile. Nothing was changed. Repeat the command.`);
};

export const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw cannotWrite(path, error);
  }
};

const write = (path: string, text: string): void => {
  refuseLink(dirname(path));
  refuseLink(path);
  makeFolder(dirname(path));
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
};

const isOpening = (token: string): boolean => token === '{' || token === '[';

/** A config on one line is formatted for diffs, with its numbers and strings as they are; any other remains as it was sent. */
const formatConfig = (config: string): string => {
  if (config.includes('\n')) return `${config}\n`;
  let text = '';
  let depth = 0;
  let previous = '';
  for (const token of tokensOf(config)) {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth--;
    if (previous === ',' || isOpening(previous) !== isClosing) text += `\n${'  '.repeat(depth)}`;
    text += previous === ':' ? ` ${token}` : token;
    if (isOpening(token)) depth++;
    previous = token;
  }
  return `${text}\n`;
};

/** Records the version that the folder is equal to. */
export const writeBase = (root: string, { folder, id, name }: LocalAgent, base: Base): void =>
  write(join(root, folder, FILES.agent), `${JSON.stringify({ id, name, base }, null, 2)}\n`);

/** Writes an agent as it is on the service. `before` is what the folder has. agent.json is last: without it, a file that was
 *  written still counts as a change. */
export const writeAgent = (
  root: string,
  agent: LocalAgent & { readonly base: Base },
  before: LocalAgent | undefined,
): void => {
  const { folder, instructions, config, base } = agent;
  if (instructions !== before?.instructions) write(join(root, folder, FILES.instructions), instructions);
  if (!before || !sameConfig(before, agent)) write(join(root, folder, FILES.config), formatConfig(config));
  writeBase(root, agent, base);
};

const LONG = /^(.{60}).*/su;

/** A folder for an agent by its name, which no other one has. Later renames do not move it. */
export const folderFor = (root: string, { id, name }: { id: string; name: string }): string => {
  const slug =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(LONG, '$1')
      .replace(/^-|-$/g, '') || 'agent';
  return entryAt(join(root, slug)) ? `${slug}-${id.slice(-8)}` : slug;
};
