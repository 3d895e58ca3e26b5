import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';

const CONNECTIONS = 2;

type Source = Pick<Pool, 'connect'>;

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
    return client instanceof Promise ? client.then((it) => it.query(config)) : client.query(config);
  }

  /** Replaces all connections; queries in flight are still answered. */
  async renew(): Promise<void> {
    const replaced = [...this.#clients];
    this.#clients.fill(undefined);
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
