import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';

const CONNECTIONS = 2;

/** Connections of a pool on which many short questions are under way at once, each sent without waiting for the answers to
 *  those before it: a third of what it costs to take a connection, ask, and give it back. Nothing long may be asked here,
 *  since all behind it would wait. */
export class PipelinedConnections {
  readonly #pool: Pool;
  /** Those that answer, those that are on their way, and places where there is none. */
  readonly #clients: (PoolClient | Promise<PoolClient> | undefined)[] = Array.from({ length: CONNECTIONS });
  #turn = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  query(question: QueryConfig | string): Promise<QueryResult> {
    this.#turn = (this.#turn + 1) % CONNECTIONS;
    const client = this.#clients[this.#turn] ?? this.#connect(this.#turn);
    return client instanceof Promise ? client.then((it) => it.query(question)) : client.query(question);
  }

  /** Takes other connections from now on; what is under way is still answered. */
  async renew(): Promise<void> {
    const former = this.#clients.splice(
      0,
      CONNECTIONS,
      ...Array.from({ length: CONNECTIONS }, () => undefined),
    );
    const clients = await Promise.allSettled(former);
    for (const { value } of clients as { value?: PoolClient }[]) value?.release(true);
  }

  #connect(place: number): Promise<PoolClient> {
    const connecting = this.#pool.connect().then(
      (client) => {
        if (this.#clients[place] === connecting) this.#clients[place] = client;
        client.once('end', () => this.#lose(place, client));
        return client;
      },
      (error) => {
        if (this.#clients[place] === connecting) this.#clients[place] = undefined;
        throw error;
      },
    );
    this.#clients[place] = connecting;
    return connecting;
  }

  /** One that ended by itself makes room for the next. */
  #lose(place: number, client: PoolClient) {
    if (this.#clients[place] !== client) return;
    this.#clients[place] = undefined;
    client.release(true);
  }
}
