import { Client, type ClientConfig, Pool, type PoolConfig, types } from 'pg';
import { DatabaseSetupError } from '../database.ts';
import { readOnlyError } from './errors.ts';
import { PoolSockets } from './pool-sockets.ts';
import { Servers } from './servers.ts';
import {
  checkPreparedStatements,
  checkSettings,
  isRefusedByPooler,
  SESSION_OPTIONS,
} from './session-settings.ts';

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

/** Connects with our settings, or without them if a connection pooler refuses them. */
const connect = async (url: string): Promise<{ client: Client; options: string | undefined }> => {
  const open = async (options: string | undefined) => {
    const settings = options === undefined ? {} : { options };
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, ...settings });
    client.on('error', () => {});
    await client.connect();
    return { client, options };
  };
  try {
    return await open(SESSION_OPTIONS);
  } catch (error) {
    if (isRefusedByPooler(error)) return open(undefined);
    throw error;
  }
};

/** Chooses the first server that accepts writes. Throws the error of the last one if there is none. Returns the settings
 *  to connect with. */
const chooseServer = async ({
  servers,
  allowStandby,
}: Pick<PoolOptions, 'servers' | 'allowStandby'>): Promise<string | undefined> => {
  let failure: unknown;
  for (const url of servers.urls) {
    try {
      const { client, options } = await connect(url);
      try {
        if (!allowStandby && (await isReadOnly(client))) throw readOnlyError();
        if (await checkSettings(client)) await checkPreparedStatements(url);
      } finally {
        client.end().catch(() => {});
      }
      servers.use(url);
      return options;
    } catch (error) {
      failure = error;
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
  const sessionOptions = await chooseServer(options);
  const config: PoolConfig & { Client: typeof Client } = {
    Client: clientFor(servers) as typeof Client,
    stream: sockets.open,
    application_name: 'roster',
    pipeline: true,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    ...(sessionOptions === undefined ? {} : { options: sessionOptions }),
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
