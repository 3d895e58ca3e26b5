import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort, NOBODY } from './postgres-server.ts';

/** The program to test with: PGBOUNCER, or the installed one. Undefined if there is none. */
export const pgbouncerProgram = (): string | undefined => {
  const program = process.env.PGBOUNCER || 'pgbouncer';
  return spawnSync(program, ['--version']).status === 0 ? program : undefined;
};

/** The version, for example 1.24. */
export const pgbouncerVersion = (program: string): number =>
  Number(/PgBouncer (\d+\.\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1]);

/** The settings that PgBouncer does not pass on, as the documentation tells an administrator to set them. */
export const setRoleSettings = async (server: string): Promise<void> => {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`alter role roster set statement_timeout = 15000;
    alter role roster set lock_timeout = 4000;
    alter role roster set idle_in_transaction_session_timeout = 15000`);
  await client.end();
};

/** Starts PgBouncer in front of a server, with further lines of its configuration. */
export const startPgbouncer = async (program: string, server: string, settings: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-pgbouncer-'));
  const { hostname, port } = new URL(server);
  const listenPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=roster`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'max_client_conn = 2000',
    'default_pool_size = 20',
    'max_db_connections = 20',
    'server_idle_timeout = 5',
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  // PgBouncer refuses to run as root. It then runs as the system user nobody, which may not be able to read the program.
  const isRoot = process.getuid?.() === 0;
  const copy = join(folder, 'pgbouncer');
  if (isRoot) {
    const path = spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim();
    copyFileSync(path, copy);
    chmodSync(copy, 0o755);
    chmodSync(folder, 0o755);
  }
  const child = spawn(isRoot ? copy : program, [file], {
    stdio: 'ignore',
    ...(isRoot ? NOBODY : {}),
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const url = new URL(server);
  url.port = String(listenPort);
  for (let tries = 0; tries < 100 && !(await isListening(listenPort)); tries++) await pause(50);
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Puts a server behind PgBouncer in transaction mode. */
export const poolConnections = async (server: string) => {
  const program = pgbouncerProgram();
  if (!program) throw new Error('PgBouncer is not installed.');
  await setRoleSettings(server);
  return startPgbouncer(program, server, ['pool_mode = transaction', 'max_prepared_statements = 200']);
};
