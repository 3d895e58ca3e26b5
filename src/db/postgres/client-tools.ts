import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onInterrupt } from '../../lib/interrupt.ts';
import { DatabaseSetupError } from '../database.ts';
import { findPrimary } from './pool.ts';
import { hostsOf, serverUrls } from './servers.ts';

type Tool = 'pg_dump' | 'pg_restore';

/** Parameters of a URL that only node-postgres knows. */
const OWN_PARAMETERS = ['password', 'uselibpqcompat'];

/** A URL for a command line, which other users can see. */
export const urlWithoutPassword = (url: string): string => {
  const one = new URL(serverUrls(url)?.[0] ?? url);
  one.password = '';
  for (const name of OWN_PARAMETERS) one.searchParams.delete(name);
  return one.href.replace(/^(\w+:\/\/(?:[^@/]*@)?)[^/?#]*/, (_, start: string) => start + hostsOf(url));
};

/** The environment of a tool, with the password. */
const environmentFor = (url: string): NodeJS.ProcessEnv => {
  const { password, searchParams } = new URL(serverUrls(url)?.[0] ?? url);
  const secret = searchParams.get('password') ?? decodeURIComponent(password);
  return { ...process.env, LC_ALL: 'C', ...(secret && { PGPASSWORD: secret }) };
};

/** The major version of an installed tool; undefined if it is not installed. */
export const toolVersion = (tool: Tool): Promise<number | undefined> =>
  new Promise((resolve) => {
    execFile(tool, ['--version'], (error, stdout) => {
      resolve(error ? undefined : Number(/(\d+)/.exec(stdout)?.[1]));
    });
  });

/** In transaction mode, settings that a tool makes for its session stay on connections that requests use later; pg_dump
 *  empties the search path. */
const DIRECT_CONNECTION =
  'pg_dump and pg_restore need a connection without a pooler. Set BACKUP_DATABASE_URL to the URL of the PostgreSQL server itself.';

const missing = (tool: Tool) =>
  `${tool} is not installed. Install the PostgreSQL client tools, for example the package postgresql-client.`;

export const requireTool = async (tool: Tool): Promise<void> => {
  if ((await toolVersion(tool)) === undefined) throw new DatabaseSetupError(missing(tool));
};

/** Why pg_dump cannot back up this server; undefined if it can. */
export const dumpProblem = async (url: string): Promise<string | undefined> => {
  const installed = await toolVersion('pg_dump');
  if (installed === undefined) return missing('pg_dump');
  const { isPooled, version } = await findPrimary(url);
  if (isPooled) return DIRECT_CONNECTION;
  return installed >= version
    ? undefined
    : `pg_dump ${installed} is older than the server, which has version ${version}. Install version ${version} of the PostgreSQL client tools.`;
};

/** Starts a tool, and resolves with its output and its end. `url` is the database that it connects to. An interrupt ends it first, because a tool that survives this
 *  process could still commit. */
const startTool = (tool: Tool, args: readonly string[], url?: string) => {
  const child: ChildProcess = spawn(tool, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: url === undefined ? process.env : environmentFor(url),
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  const ended = once(child, 'close').then(([code]) => {
    if (code === 0) return;
    const reason = errors.trim().split('\n').slice(0, 4).join('\n');
    throw new DatabaseSetupError(`${tool} failed${reason ? `:\n${reason}` : ` with status ${code}.`}`);
  });
  // The caller may stop reading before it looks at the end.
  const settled = ended.catch(() => {});
  const release = onInterrupt(() => {
    child.kill();
    return settled;
  });
  settled.then(release);
  return { child, output: child.stdout as NonNullable<ChildProcess['stdout']>, ended };
};

/** A dump in PostgreSQL's custom format, as it is made. Throws at the end if pg_dump failed. */
export async function* dumpDatabase(url: string): AsyncGenerator<Uint8Array> {
  const args = ['--format=custom', '--no-owner', '--no-privileges', `--dbname=${urlWithoutPassword(url)}`];
  const { child, output, ended } = startTool('pg_dump', args, url);
  try {
    yield* output;
    await ended;
  } finally {
    child.kill();
  }
}

const outputOf = async (tool: Tool, args: readonly string[], url?: string): Promise<string> => {
  const { output, ended } = startTool(tool, args, url);
  const chunks = await Array.fromAsync(output);
  await ended;
  return Buffer.concat(chunks as Buffer[]).toString();
};

/** The rows of a small table in a dump, in the text format of COPY. */
export const rowsOfDump = async (file: string, table: string): Promise<string[]> => {
  const text = await outputOf('pg_restore', ['--data-only', `--table=${table}`, '--file=-', file]);
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('COPY ')) + 1;
  return first === 0 ? [] : lines.slice(first, lines.indexOf('\\.', first));
};

/** The entries of a dump without its extensions: only their owner may replace them, and they are created before. */
export const entriesWithoutExtensions = async (file: string): Promise<string> =>
  (await outputOf('pg_restore', ['--list', file]))
    .split('\n')
    .filter((line) => !/^\d+; .* (?:EXTENSION|COMMENT) - /.test(line))
    .join('\n');

/** Restores a dump in one transaction. `list` is a file with the entries to restore. */
export const restoreDump = async (
  url: string,
  { file, list, clean }: { file: string; list: string; clean: boolean },
): Promise<void> => {
  const args = [
    ...(clean ? ['--clean', '--if-exists'] : []),
    '--no-owner',
    '--no-privileges',
    '--single-transaction',
    `--use-list=${list}`,
    `--dbname=${urlWithoutPassword(url)}`,
    file,
  ];
  await outputOf('pg_restore', args, url);
};
