import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** A worker of a Citus cluster on this machine, which a test can stop. */
export interface Worker {
  readonly group: number;
  readonly port: number;
  /** Stops all its processes without closing a connection. */
  freeze(): void;
  thaw(): void;
  /** Ends it without a shutdown. */
  kill(): Promise<void>;
  /** Starts it as it was started before. */
  start(): Promise<void>;
}

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  return client;
};

/** The parent of a process, from the fourth field of its status. The second one is a name in parentheses. */
const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && parentOf(pid) === parent;
      } catch {
        return false; // it has ended
      }
    });

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const workerAt = async (url: string, group: number): Promise<Worker> => {
  const client = await connect(url);
  const { rows } = await client.query('select pg_backend_pid() as pid');
  let postmaster = parentOf(rows[0].pid);
  await client.end();
  const [program = '', ...args] = readFileSync(`/proc/${postmaster}/cmdline`, 'utf8')
    .split('\0')
    .slice(0, -1);
  const { uid, gid } = statSync(`/proc/${postmaster}`);
  const signal = (name: NodeJS.Signals) => {
    process.kill(postmaster, name);
    for (const pid of childrenOf(postmaster)) process.kill(pid, name);
  };
  return {
    group,
    port: Number(new URL(url).port),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: async () => {
      process.kill(postmaster, 'SIGQUIT');
      while (isRunning(postmaster)) await pause(20);
    },
    start: async () => {
      const child = spawn(program, args, { uid, gid, stdio: 'ignore', detached: true });
      child.unref();
      postmaster = child.pid ?? 0;
      for (;;) {
        const opened = await connect(url).catch(() => undefined);
        if (opened) return opened.end();
        await pause(50);
      }
    },
  };
};

/** The workers of the cluster with this coordinator. They must run on this machine. */
export const workersOf = async (coordinator: string): Promise<Worker[]> => {
  const client = await connect(coordinator);
  const { rows } = await client.query(`select groupid as "group", nodename as host, nodeport as port
    from pg_dist_node where noderole = 'primary' and groupid <> 0 order by groupid`);
  await client.end();
  return Promise.all(
    rows.map(({ group, host, port }) => {
      const url = new URL(coordinator);
      url.hostname = host;
      url.port = String(port);
      return workerAt(url.href, group);
    }),
  );
};
