import type { Socket } from 'node:net';
import { Client, type ClientBase, type Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Db, DerivedTable, Row } from '../db.ts';
import { DeferredWrites } from '../deferred-writes.ts';
import type { SearchEngine } from '../search.ts';
import type { Arguments, InsertedRow, RowInsert, Statement } from '../statement.ts';
import { postgresCompiler } from './dialect.ts';
import { codeOf, isStaleStatement, NOT_REPLICATED, READ_ONLY } from './errors.ts';
import { postgresSearch } from './search.ts';

const ignore = () => {};

const ROLLBACK_MS = 4_500;

/** A pool, one of its connections, or several pipelined ones. */
export interface Queryable {
  query(config: QueryConfig | string): Promise<QueryResult>;
}

interface PostgresDbOptions {
  readonly timeoutMs: number;
  readonly prepare?: boolean;
  /** Where a statement is sent, if not everywhere to the same connections. */
  readonly clientFor?: ((sql: string, args: Arguments) => Queryable) | undefined;
}

export class PostgresDb implements Db {
  readonly search: SearchEngine = postgresSearch(this);
  readonly deferred = new DeferredWrites();
  readonly #client: Queryable;
  readonly #clientFor: (sql: string, args: Arguments) => Queryable;
  readonly #prepare: boolean;
  readonly #timeoutMs: number;

  /** A connection that does not answer within the timeout is considered dead and is not used again. */
  constructor(client: Queryable, { timeoutMs, prepare = true, clientFor = () => client }: PostgresDbOptions) {
    this.#client = client;
    this.#clientFor = clientFor;
    this.#prepare = prepare;
    this.#timeoutMs = timeoutMs;
  }

  async get<A extends Arguments, R>(statement: Statement<A, R>, args: A): Promise<R | undefined> {
    return (await this.#query(statement, args)).rows[0] as R | undefined;
  }

  async all<A extends Arguments, R>(statement: Statement<A, R>, args: A): Promise<R[]> {
    return (await this.#query(statement, args)).rows as R[];
  }

  async run<A extends Arguments>(statement: Statement<A, unknown>, args: A): Promise<number> {
    return (await this.#query(statement, args)).rowCount ?? 0;
  }

  insertRows<R extends Row>({ many }: RowInsert<R>, rows: readonly R[]): Promise<InsertedRow[]>[] {
    return [...Map.groupBy(rows, ({ workspace_id }) => workspace_id)].map(([workspace, some]) =>
      this.all(many, { workspace, rows: JSON.stringify(some) }),
    );
  }

  each<A extends Arguments>(statement: Statement<A, unknown>, many: readonly A[]): Promise<number[]> {
    return Promise.all(many.map((args) => this.run(statement, args)));
  }

  async savepoint<T>(work: () => MaybePromise<T>): Promise<T> {
    const rollBackDeferred = this.deferred.savepoint();
    await this.#send('savepoint nested');
    try {
      const value = await work();
      await this.#send('release savepoint nested');
      return value;
    } catch (error) {
      // A lost connection has nothing to roll back.
      await this.#send('rollback to savepoint nested; release savepoint nested').catch(ignore);
      rollBackDeferred();
      throw error;
    }
  }

  /** Writes deferred changes and commits, in one round trip. If a statement fails, the server turns the commit into a
   *  rollback. */
  async commit(): Promise<void> {
    await inOneRoundTrip(this.deferred.end(this), this.#send('commit'));
  }

  #send(text: string) {
    return this.#client.query({ text, query_timeout: this.#timeoutMs } as QueryConfig);
  }

  defer<C>(table: DerivedTable<C>, change: C): void {
    this.deferred.add(table, change);
  }

  #query<A extends Arguments>(statement: Statement<A, unknown>, args: A): Promise<QueryResult> {
    const { name, sql, order, planOnce, readsDerived } = statement.textFor(postgresCompiler);
    const client = this.#clientFor(sql, args);
    const values = order.map((argument) => args[argument]);
    const flushed = readsDerived ? this.deferred.flush(this) : [];
    const config = { text: sql, values, query_timeout: this.#timeoutMs };
    const query = client.query(planOnce && this.#prepare ? { name, ...config } : config);
    return flushed.length === 0 ? query : inOneRoundTrip(flushed, query);
  }
}

/** The result of the last of several queries that were sent together. Throws if any of them fails. */
const inOneRoundTrip = async <T>(before: readonly MaybePromise<unknown>[], last: Promise<T>): Promise<T> => {
  const results = await Promise.all([...before, last]);
  return results.at(-1) as T;
};

/** The socket of a connection. */
export const socketOf = (client: ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** A connection outside the pools. If it is lost, its next query fails. */
export const newClient = (url: string, name: string, timeoutMs?: number): Client => {
  const client = new Client({
    connectionString: url,
    application_name: `roster ${name}`,
    keepAlive: true,
    ...(timeoutMs && { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs }),
  });
  client.on('error', ignore);
  return client;
};

const unreplicated = new WeakSet<ClientBase>();

/** Notices when a commit of this connection stops waiting for the synchronous standby, because of a timeout or a cancel
 *  request. The server then only warns and reports success. */
export const watchReplication = (client: ClientBase): void => {
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') unreplicated.add(client);
  });
};

/** Throws after a commit that the standby may not have, which a fail-over would lose. */
export const checkReplicated = (client: ClientBase): void => {
  if (!unreplicated.has(client)) return;
  const message = 'the commit stopped waiting for the synchronous standby';
  throw Object.assign(new Error(message), { code: NOT_REPLICATED });
};

/** Ends a connection immediately, also if the server does not answer. */
export const disconnect = (client: ClientBase): void => {
  socketOf(client).destroy();
};

/** Sends all queries that `send` starts in one packet. */
export const inOnePacket = <T>(client: PoolClient, send: () => T): T => {
  const stream = socketOf(client);
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
};

/** Checks out a connection and rolls back after an error. A connection that was lost or cannot roll back is discarded. */
export const withClient = async <T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    // A connection to a standby is useless, also after the standby was promoted: it may be behind a proxy.
    const mustReconnect = isStaleStatement(error) || [READ_ONLY, NOT_REPLICATED].includes(codeOf(error));
    broken = await client.query({ text: 'rollback', query_timeout: ROLLBACK_MS } as QueryConfig).then(
      () => mustReconnect,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
};
