import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProxy } from '../faults/tcp-proxy.ts';
import { existingPostgres } from './engines.ts';
import { freePort, NOBODY } from './postgres-server.ts';

/** The Patroni of Debian 12, 3.0.2, can lose acknowledged writes when a frozen primary continues. */
const MIN_PATRONI = 4;
const NODES = ['one', 'two', 'three'] as const;

/** The programs of a cluster: PATRONI, ETCD, HAPROXY and POSTGRES_BIN, or the installed ones. */
const programs = () => ({
  patroni: process.env.PATRONI || 'patroni',
  etcd: process.env.ETCD || 'etcd',
  haproxy: process.env.HAPROXY || 'haproxy',
  binaries: process.env.POSTGRES_BIN || globSync('/usr/lib/postgresql/*/bin').sort().at(-1) || '',
});

const versionOf = (program: string, argument: string): string => {
  const { status, stdout } = spawnSync(program, [argument], { encoding: 'utf8' });
  return status === 0 ? stdout : '';
};

/** What to install before a cluster can start. Empty if nothing is missing. */
export const missingPrograms = (): string[] => {
  const { patroni, etcd, haproxy, binaries } = programs();
  const version = /\d+\.\d+\S*/.exec(versionOf(patroni, '--version'))?.[0];
  return [
    Number.parseInt(version ?? '0', 10) < MIN_PATRONI &&
      `Patroni ${MIN_PATRONI} or newer with its module for etcd (PATRONI is the path of the program)${version ? `, not ${version}` : ''}`,
    !versionOf(etcd, '--version') &&
      'etcd 3.4 or newer (package etcd-server; ETCD is the path of the program)',
    !versionOf(haproxy, '-v') && 'HAProxy 2.4 or newer (package haproxy; HAPROXY is the path of the program)',
    !versionOf(join(binaries, 'pg_rewind'), '--version') &&
      'PostgreSQL 15 or newer (package postgresql; POSTGRES_BIN is the folder of initdb and pg_rewind)',
  ].filter((line) => line !== false);
};

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** PostgreSQL refuses to run as root. */
const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? NOBODY : {};

const children = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const getJson = async <T>(url: string): Promise<T | undefined> => {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return (await reply.json()) as T;
  } catch {
    return undefined;
  }
};

/** One PostgreSQL under Patroni. Its connection to etcd can be cut. */
const createNode = async (
  name: string,
  { folder, etcd, start }: { folder: string; etcd: string; start: Start },
) => {
  const { patroni, binaries } = programs();
  const [port, api] = [await freePort(), await freePort()];
  const etcdProxy = await startProxy(etcd);
  const data = join(folder, name);
  const file = join(folder, `${name}.yml`);
  const account = (username: string) => ({ username, password: username });
  const local = `127.0.0.1:${port}`;
  mkdirSync(data, { mode: 0o700 });
  if (user.uid) chownSync(data, user.uid, user.gid ?? 0);
  // JSON is YAML.
  const configuration = {
    scope: 'roster',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { hosts: [new URL(etcdProxy.url).host], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, shared_buffers: '64MB', wal_keep_size: '256MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: local,
      connect_address: local,
      data_dir: data,
      bin_dir: binaries,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: account('postgres'),
        replication: account('replicator'),
        rewind: account('rewinder'),
      },
      // Not in the data folder: pg_rewind would try to copy the socket.
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
  };
  writeFileSync(file, JSON.stringify(configuration), { mode: 0o644 });
  let program: ChildProcess | undefined;
  const url = `postgres://postgres@${local}/postgres`;
  const restApi = `http://127.0.0.1:${api}`;

  /** Patroni, its PostgreSQL server and all processes of that. */
  const processes = (): number[] => {
    const found = [program?.pid ?? 0];
    try {
      const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      found.push(server, ...children(server));
    } catch {
      // it does not run
    }
    return found.filter((pid) => pid > 0);
  };
  const signal = (name: NodeJS.Signals, pids = processes()) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // it has ended
      }
    }
    return pids;
  };
  return {
    name,
    url,
    port,
    api,
    start: () => {
      program = start(patroni, [file], `${name}.log`);
    },
    kill: async () => {
      const ended = program && program.exitCode === null && once(program, 'exit');
      signal('SIGKILL');
      await ended;
    },
    /** Stops all processes and returns a function that continues them. */
    freeze: () => {
      const frozen = signal('SIGSTOP');
      return () => {
        signal('SIGCONT', frozen);
      };
    },
    cutFromEtcd: etcdProxy.stall,
    reconnectToEtcd: () => {
      etcdProxy.resume();
      etcdProxy.disconnect();
    },
    isPrimary: async () =>
      (await fetch(`${restApi}/primary`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined))
        ?.status === 200,
    members: async (): Promise<Member[]> =>
      (await getJson<{ members: Member[] }>(`${restApi}/cluster`))?.members ?? [],
    switchOver: (leader: string) =>
      fetch(`${restApi}/switchover`, { method: 'POST', body: JSON.stringify({ leader }) }),
    restart: () => fetch(`${restApi}/restart`, { method: 'POST', body: '{}' }),
    stop: () => {
      etcdProxy.close();
      signal('SIGKILL');
    },
  };
};

type Start = (program: string, parameters: readonly string[], log: string) => ChildProcess;
export type PatroniNode = Awaited<ReturnType<typeof createNode>>;

/** The configuration that docs/HIGH-AVAILABILITY.md recommends. */
const haproxyConfiguration = (port: number, nodes: readonly PatroniNode[]): string => `defaults
  mode tcp
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${api}\n`).join('')}`;

/** HAProxy takes every server for a primary until its first checks. */
const PROXY_CHECKS_MS = 3_000;
const TIMEOUT_MS = 120_000;

export const waitUntil = async (what: string, condition: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await pause(200)) if (await condition()) return;
  throw new Error(`not within ${TIMEOUT_MS / 1000} seconds: ${what}`);
};

/** Starts three PostgreSQL servers with synchronous replication under Patroni, etcd, and HAProxy in front of them. */
export const startCluster = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-patroni-'));
  chmodSync(folder, 0o755);
  if (user.uid) chownSync(folder, user.uid, user.gid ?? 0);
  const started: ChildProcess[] = [];
  const start: Start = (program, parameters, log) => {
    const output = openSync(join(folder, log), 'a');
    const child = spawn(program, parameters, { ...user, cwd: folder, stdio: ['ignore', output, output] });
    started.push(child);
    return child;
  };
  const { etcd, haproxy } = programs();
  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  const etcdFlags = { name: 'one', 'data-dir': join(folder, 'etcd'), 'initial-cluster': `one=${peer}` };
  const urls = {
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
  };
  // Not every build of etcd supports ARM without it.
  process.env.ETCD_UNSUPPORTED_ARCH ??= process.arch;
  start(
    etcd,
    Object.entries({ ...etcdFlags, ...urls }).map(([name, value]) => `--${name}=${value}`),
    'etcd.log',
  );
  await waitUntil(
    'etcd answers',
    async () => (await getJson<{ health: string }>(`${client}/health`))?.health === 'true',
  );

  const nodes: PatroniNode[] = [];
  for (const name of NODES) nodes.push(await createNode(name, { folder, etcd: client, start }));
  const members = async (): Promise<Member[]> => {
    for (const node of nodes) {
      const found = await node.members();
      if (found.length > 0) return found;
    }
    return [];
  };
  const isHealthy = async () => {
    const found = await members();
    const running = found.filter(({ state }) => state === 'running' || state === 'streaming');
    return (
      running.length === NODES.length &&
      ['leader', 'sync_standby'].every((role) => running.some((member) => member.role === role))
    );
  };
  const primary = async (): Promise<PatroniNode> => {
    for (const node of nodes) if (await node.isPrimary()) return node;
    throw new Error('there is no primary');
  };

  writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfiguration(proxyPort, nodes), { mode: 0o644 });
  let proxy: ChildProcess | undefined;
  const startProxyProgram = () => {
    proxy = start(haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], 'haproxy.log');
  };
  const cluster = {
    folder,
    nodes,
    primary,
    untilHealthy: () => waitUntil('a primary and two standbys run', isHealthy),
    /** The current members, for messages. */
    members,
    startHaproxy: startProxyProgram,
    killHaproxy: () => proxy?.kill('SIGKILL'),
    /** A database as HAProxy reaches it, as a list of servers, and on the current primary. */
    urls: (database: string) => ({
      proxy: `postgres://roster@127.0.0.1:${proxyPort}/${database}`,
      servers: `postgres://roster@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`,
    }),
    stop: () => {
      for (const node of nodes) node.stop();
      for (const child of started) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  process.on('exit', cluster.stop);
  // The first node creates the database that the others copy.
  nodes[0]?.start();
  await waitUntil('the first node is the primary', async () => (await nodes[0]?.isPrimary()) ?? false);
  for (const node of nodes.slice(1)) node.start();
  await cluster.untilHealthy();
  startProxyProgram();
  await pause(PROXY_CHECKS_MS);
  const admin = existingPostgres((await primary()).url);
  await admin.query('create role roster login');
  await admin.query('create database roster owner roster');
  return cluster;
};

export type Cluster = Awaited<ReturnType<typeof startCluster>>;
