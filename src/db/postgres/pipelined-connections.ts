import type { Socket } from 'node:net';
import { type Pool, type PoolClient, Query, type QueryConfig, type QueryResult } from 'pg';
import { socketOf } from './connection.ts';

const CONNECTIONS = 2;

type Source = Pick<Pool, 'connect'>;

/** Sockets that collect the queries of this turn of the event loop. */
const corked = new Set<Socket>();

const sendCorked = () => {
  for (const socket of corked) socket.uncork();
  corked.clear();
};

/** Sends the queries of a turn of the event loop in one packet. */
const corkForTurn = (socket: Socket) => {
  if (corked.has(socket)) return;
  if (corked.size === 0) setImmediate(sendCorked);
  corked.add(socket);
  socket.cork();
};

const send = (client: PoolClient, config: QueryConfig | string): Promise<QueryResult> => {
  corkForTurn(socketOf(client));
  if (typeof config === 'string') return client.query(config);
  // pg would copy the configuration property by property, which takes longer than everything else it does before it sends.
  const { text, values, ...options } = config;
  const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
  const done = (error: Error | undefined, result: unknown) =>
    error ? reject(error) : resolve(result as QueryResult);
  client.query(Object.assign(new Query(text, values, done), options));
  return promise;
};

/** Connections of a pool that send short queries without waiting for the answers to earlier ones. That costs a third of
 *  checking out a connection for each query. A long query would delay all queries after it. */
export class PipelinedConnections {
  readonly #pool: Source;
  readonly #count: number;
  /** Open connections, connections that are opening, and empty slots. */
  readonly #clients: (PoolClient | Promise<PoolClient> | undefined)[];
  #next = 0;

  constructor(pool: Source, count = CONNECTIONS) {
    this.#pool = pool;
    this.#count = count;
    this.#clients = Array.from({ length: count });
  }

  query(config: QueryConfig | string): Promise<QueryResult> {
    this.#next = (this.#next + 1) % this.#count;
    const client = this.#clients[this.#next] ?? this.#connect(this.#next);
    return client instanceof Promise ? client.then((it) => send(it, config)) : send(client, config);
  }

  /** Replaces all connections; queries in flight are still answered. */
  async renew(): Promise<void> {
    const replaced = this.#clients.splice(
      0,
      this.#count,
      ...Array.from({ length: this.#count }, () => undefined),
    );
    const clients = await Promise.allSettled(replaced);
    for (const { value } of clients as { value?: PoolClient }[]) value?.release(true);
  }

  #connect(slot: number): Promise<PoolClient> {
    const connecting = this.#pool.connect().then(
      (client) => {
        if (this.#clients[slot] === connecting) this.#clients[slot] = client;
        client.once('end', () => this.#clearSlot(slot, client));
        return client;
      },
      (error) => {
        if (this.#clients[slot] === connecting) this.#clients[slot] = undefined;
        throw error;
      },
    );
    this.#clients[slot] = connecting;
    return connecting;
  }

  #clearSlot(slot: number, client: PoolClient) {
    if (this.#clients[slot] !== client) return;
    this.#clients[slot] = undefined;
    client.release(true);
  }
}
