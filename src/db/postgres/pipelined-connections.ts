import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';

const CONNECTIONS = 2;

/** Connections of a pool that send many short queries without waiting for the answers to earlier ones. That costs a third of
 *  checking a connection out for each query. Long queries do not belong here: all queries behind one would wait. */
export class PipelinedConnections {
  readonly #pool: Pool;
  /** Open connections, connections that are being opened, and empty slots. */
  readonly #clients: (PoolClient | Promise<PoolClient> | undefined)[] = Array.from({ length: CONNECTIONS });
  #next = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  query(config: QueryConfig | string): Promise<QueryResult> {
    this.#next = (this.#next + 1) % CONNECTIONS;
    const client = this.#clients[this.#next] ?? this.#connect(this.#next);
    return client instanceof Promise ? client.then((it) => it.query(config)) : client.query(config);
  }

  /** Uses new connections from now on; queries in flight are still answered. */
  async renew(): Promise<void> {
    const former = this.#clients.splice(
      0,
      CONNECTIONS,
      ...Array.from({ length: CONNECTIONS }, () => undefined),
    );
    const clients = await Promise.allSettled(former);
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

  /** Empties the slot of a connection that ended by itself. */
  #clearSlot(slot: number, client: PoolClient) {
    if (this.#clients[slot] !== client) return;
    this.#clients[slot] = undefined;
    client.release(true);
  }
}
