import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { DatabaseSetupError } from '../database.ts';
import { watchReplication } from './connection.ts';
import { asUnavailable, formerPrimaryError, readOnlyError } from './errors.ts';
import { DEFAULT_POOL_SIZE } from './pool-size.ts';
import { PoolSockets } from './pool-sockets.ts';
import { findUsable } from './server-states.ts';
import { Servers } from './servers.ts';
import {
  checkPreparedStatements,
  checkSettings,
  isRefusedByPooler,
  withSessionOptions,
} from './session-settings.ts';

const MIN_VERSION = 15;
const INT8 = 20;
const CONNECT_MS = 4_000;

export interface PoolOptions {
  readonly servers: Servers;
  readonly onFault: (error: Error) => void;
  readonly sockets?: PoolSockets;
  /** For commands that only read. */
  readonly allowStandby?: boolean;
  readonly size?: number | undefined;
}

/** True on a standby, and on a server that its administrator has made read-only. */
export const IS_READ_ONLY = `select current_setting('transaction_read_only') = 'on' as read_only`;

const isReadOnly = async (client: Pick<Client, 'query'>): Promise<boolean> =>
  (await client.query(IS_READ_ONLY)).rows[0].read_only;

/** Throws if the server is a standby or a former primary. */
const assertPrimary = async (servers: Servers, client: Pick<Client, 'query'>): Promise<void> => {
  const [readOnly, isFormer] = await Promise.all([isReadOnly(client), servers.leadsToFormer(client)]);
  if (readOnly) throw readOnlyError();
  if (isFormer) throw formerPrimaryError();
};

/** Connects with our settings, or without them if a connection pooler refuses them. */
const connect = async (url: string): Promise<{ client: Client; hasSettings: boolean }> => {
  const open = async (config: ClientConfig) => {
    const client = new Client({ ...config, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  try {
    return { client: await open(withSessionOptions(url)), hasSettings: true };
  } catch (error) {
    if (!isRefusedByPooler(error)) throw error;
    return { client: await open({ connectionString: url }), hasSettings: false };
  }
};

/** Throws if the server is too old. Returns its major version. */
const checkVersion = async (client: Client): Promise<number> => {
  const { rows } = await client.query('show server_version_num');
  const version = Math.floor(Number(rows[0].server_version_num) / 10_000);
  if (version >= MIN_VERSION) return version;
  throw new DatabaseSetupError(
    `Roster needs PostgreSQL ${MIN_VERSION} or newer; the server of DATABASE_URL has version ${version}.`,
  );
};

interface ChosenServer {
  /** Whether to connect with our settings. */
  readonly hasSettings: boolean;
  /** Whether a connection pooler drops settings. */
  readonly isPooled: boolean;
  readonly version: number;
}

/** Checks a server and makes it the current one. */
const selectServer = async (servers: Servers, url: string, allowStandby: boolean): Promise<ChosenServer> => {
  const { client, hasSettings } = await connect(url);
  try {
    if (!allowStandby && (await isReadOnly(client))) throw readOnlyError();
    const version = await checkVersion(client);
    const isPooled = await checkSettings(client);
    if (isPooled) await checkPreparedStatements(url);
    servers.current = url;
    return { hasSettings, isPooled, version };
  } finally {
    client.end().catch(() => {});
  }
};

/** Chooses the server that accepts writes, or else a standby if that is allowed. Throws if several servers accept writes. */
const chooseServer = async ({
  servers,
  allowStandby = false,
}: Pick<PoolOptions, 'servers' | 'allowStandby'>): Promise<ChosenServer> => {
  const urls = servers.urls.length === 1 ? servers.urls : await findUsable(servers.urls, allowStandby);
  const failures: unknown[] = [];
  for (const url of urls) {
    try {
      return await selectServer(servers, url, allowStandby);
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
};

/** The server that accepts writes, of those that a URL names. */
export const findPrimary = async (url: string): Promise<ChosenServer & { readonly url: string }> => {
  const servers = new Servers(url);
  const chosen = await chooseServer({ servers });
  return { ...chosen, url: servers.current };
};

/** Connects to the current server. */
const clientFor = (servers: Servers, hasSettings: boolean) =>
  class extends Client {
    constructor(config: ClientConfig) {
      const url = servers.current;
      super({ ...config, ...(hasSettings ? withSessionOptions(url) : { connectionString: url }) });
    }
  };

type OnConnection = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/** A pool that loses no connections. After the timeout of a caller, pg's pool still hands out the connection that it was opening for
 *  this caller, once `verify` has checked it. No one would release it, and `end` would wait for it forever. */
class ConnectionPool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): Promise<PoolClient> | undefined {
    if (!callback) {
      const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
      this.connect((error, client) => (client ? resolve(client) : reject(error)));
      return promise;
    }
    let hasTimedOut = false;
    super.connect((error, client, release) => {
      if (hasTimedOut) return client?.release();
      hasTimedOut = error !== undefined;
      callback(error, client, release);
    });
  }
}

/** Opens a pool to the server that accepts writes. */
export const openPool = async (options: PoolOptions): Promise<Pool> => {
  const { servers, onFault, sockets = new PoolSockets(), allowStandby = false } = options;
  const { hasSettings } = await chooseServer(options);
  const config: PoolConfig & { Client: typeof Client } = {
    Client: clientFor(servers, hasSettings) as typeof Client,
    stream: sockets.open,
    application_name: 'roster',
    pipeline: true,
    max: options.size ?? DEFAULT_POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    // A proxy may still connect to the former primary, whose reads are stale.
    verify: (client, done) => {
      if (allowStandby) return done();
      assertPrimary(servers, client).then(() => done(), done);
    },
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
  const pool = new ConnectionPool(config);
  // An idle connection broke; the pool opens another. The health check reports a lost server.
  pool.on('error', (error) => {
    if (asUnavailable(error) === error) onFault(error);
  });
  // A connection that breaks during a query fails that query. It can also break before or after a query.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    watchReplication(client);
  });
  return pool;
};

/** Runs work with a pool, for a command. It gets the URL of the server, too. */
export const withPool = async <T>(
  { url, allowStandby = false }: { readonly url: string; readonly allowStandby?: boolean },
  work: (pool: Pool, url: string) => Promise<T>,
): Promise<T> => {
  const servers = new Servers(url);
  const pool = await openPool({ servers, onFault: () => {}, allowStandby });
  try {
    return await work(pool, servers.current);
  } finally {
    await pool.end();
  }
};
