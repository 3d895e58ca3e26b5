import { Client, type ClientConfig, Pool, type PoolConfig, types } from 'pg';
import { DatabaseSetupError } from '../database.ts';
import { readOnlyError } from './errors.ts';
import { PoolSockets } from './pool-sockets.ts';
import { Servers } from './servers.ts';

const MIN_VERSION = 15;
const INT8 = 20;
/** Connections of one instance, without its health check. */
export const POOL_SIZE = 12;
const CONNECT_MS = 4_000;

export interface PoolOptions {
  readonly servers: Servers;
  readonly onFault: (error: Error) => void;
  readonly sockets?: PoolSockets;
  /** For commands that only read. */
  readonly allowStandby?: boolean;
}

/** True on a standby, and on a server that its administrator has made read-only. */
export const IS_READ_ONLY = `select current_setting('transaction_read_only') = 'on' as read_only`;

const isReadOnly = async (client: Pick<Client, 'query'>): Promise<boolean> =>
  (await client.query(IS_READ_ONLY)).rows[0].read_only;

/** Chooses the first server that accepts writes. Throws the error of the last one if there is none. */
const chooseServer = async ({
  servers,
  allowStandby,
}: Pick<PoolOptions, 'servers' | 'allowStandby'>): Promise<void> => {
  let failure: unknown;
  for (const url of servers.urls) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => {});
    try {
      await client.connect();
      if (!allowStandby && (await isReadOnly(client))) throw readOnlyError();
      servers.use(url);
      return;
    } catch (error) {
      failure = error;
    } finally {
      client.end().catch(() => {});
    }
  }
  throw failure;
};

/** The URL of the server that accepts writes, of those that a URL names. */
export const findPrimary = async (url: string): Promise<string> => {
  const servers = new Servers(url);
  await chooseServer({ servers });
  return servers.current;
};

/** Connects to the current server. */
const clientFor = (servers: Servers) =>
  class extends Client {
    constructor(config: ClientConfig) {
      super({ ...config, connectionString: servers.current });
    }
  };

/** Opens a pool to the server that accepts writes. Rejects a server that is too old. */
export const openPool = async (options: PoolOptions): Promise<Pool> => {
  const { servers, onFault, sockets = new PoolSockets(), allowStandby = false } = options;
  await chooseServer(options);
  const config: PoolConfig & { Client: typeof Client } = {
    Client: clientFor(servers) as typeof Client,
    stream: sockets.open,
    application_name: 'roster',
    pipeline: true,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: 15_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 15_000,
    // Overrides the server's defaults. A write is acknowledged after its flush. JIT compilation takes longer than our queries.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed -c jit=off',
    // A proxy may still connect to the former primary, whose reads are stale.
    verify: (client, done) => {
      if (allowStandby) return done();
      isReadOnly(client).then((readOnly) => done(readOnly ? readOnlyError() : undefined), done);
    },
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
  const pool = new Pool(config);
  pool.on('error', onFault); // an idle connection broke; the pool opens another
  // A connection that breaks during a query fails that query. It can also break before or after a query.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const { rows } = await pool.query('show server_version_num');
    const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
    if (version >= MIN_VERSION) return pool;
    throw new DatabaseSetupError(
      `Roster needs PostgreSQL ${MIN_VERSION} or newer; the server of DATABASE_URL has version ${version}.`,
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
};
