import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { Semaphore } from '../../../lib/concurrency.ts';
import { type Queryable, socketOf } from '../connection.ts';
import { asUnavailable } from '../errors.ts';
import { PipelinedConnections } from '../pipelined-connections.ts';

/** A healthy node answers sooner. Then it is probed. */
const SUSPECT_AFTER_MS = 500;
/** As long as a statement may take. A node that hangs is found sooner, and then no request waits. */
const SLOT_TIMEOUT_MS = 15_000;

const unreachable = () =>
  Object.assign(new Error('the node of this workspace does not answer'), { code: 'ETIMEDOUT' });

/** The use of a node since a moment. */
interface Use {
  readonly since: number;
}

export interface NodeLimits {
  /** Connections for transactions and long reads, so that a node that hangs cannot use up the pool. */
  readonly connections: number;
  readonly longReads: number;
}

/** What this instance does on one node of a cluster. All connections lead to the coordinator; a connection belongs to a node
 *  while its statements run there. While the node is down, its connections are closed and new work is rejected. */
export class ClusterNode {
  readonly #pool: Pool;
  readonly #slots: Semaphore;
  readonly #longReads: Semaphore;
  readonly #clients = new Set<PoolClient>();
  /** In the order of their beginnings. */
  readonly #uses = new Set<Use>();
  readonly #pipelined: PipelinedConnections;
  #isDown = false;
  #hasFailed = false;
  #lastAnswer = 0;

  constructor(pool: Pool, limits: NodeLimits) {
    this.#pool = pool;
    this.#slots = new Semaphore(limits.connections, SLOT_TIMEOUT_MS);
    this.#longReads = new Semaphore(limits.longReads, SLOT_TIMEOUT_MS);
    this.#pipelined = new PipelinedConnections({ connect: () => this.#connectPipelined() }, 1);
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  get waitingLongReads(): number {
    return this.#longReads.waiting;
  }

  /** Whether the node should be probed. */
  isSuspect(now: number): boolean {
    const [oldest] = this.#uses;
    return this.#isDown || this.#hasFailed || (oldest !== undefined && now - oldest.since > SUSPECT_AFTER_MS);
  }

  /** Applies the result of a probe. A node that has answered since the probe began is not down: it may only refuse more
   *  connections. */
  apply({ isReachable, began }: { isReachable: boolean; began: number }): void {
    this.#hasFailed = false;
    if (isReachable) this.#isDown = false;
    else if (this.#lastAnswer < began) this.#close();
  }

  #close(): void {
    this.#isDown = true;
    this.#slots.rejectWaiting(unreachable());
    this.#longReads.rejectWaiting(unreachable());
    for (const client of this.#clients) destroy(client);
    this.#clients.clear();
    this.#uses.clear();
  }

  /** Checks out a connection of the pool for statements on this node. */
  readonly connect = async (): Promise<PoolClient> => {
    this.assertUp();
    await this.#slots.acquire();
    try {
      const client = await this.#checkOut();
      const leave = this.enter(client);
      const { release } = client;
      client.release = (destroyed) => {
        this.#slots.release();
        leave();
        release.call(client, destroyed);
      };
      return client;
    } catch (error) {
      this.#slots.release();
      throw error;
    }
  };

  /** Counts a connection as used by this node, and returns a function that ends this. */
  enter(client: PoolClient): () => void {
    this.assertUp();
    const use = { since: performance.now() };
    this.#uses.add(use);
    this.#clients.add(client);
    return () => {
      this.#uses.delete(use);
      this.#clients.delete(client);
    };
  }

  assertUp(): void {
    if (this.#isDown) throw unreachable();
  }

  /** A rolled back transaction is no answer: the coordinator also rolls back without the node. */
  noteSuccess(): void {
    this.#lastAnswer = performance.now();
  }

  /** A node is probed soon after a connection to it was lost. */
  noteError(error: unknown): void {
    if (asUnavailable(error) !== error) this.#hasFailed = true;
  }

  readonly shortReads: Queryable = {
    query: (config) => this.#track(() => this.#pipelined.query(config)),
  };

  readonly longReads: Queryable = {
    query: (config) => this.#longReads.run(() => this.query(config)),
  };

  /** One statement on a connection of its own. */
  async query(config: QueryConfig | string): Promise<QueryResult> {
    const client = await this.connect();
    try {
      const result = await client.query(config);
      this.noteSuccess();
      client.release();
      return result;
    } catch (error) {
      this.noteError(error);
      client.release(true);
      throw error;
    }
  }

  renew(): Promise<void> {
    return this.#pipelined.renew();
  }

  async #track<T>(query: () => Promise<T>): Promise<T> {
    this.assertUp();
    const use = { since: performance.now() };
    this.#uses.add(use);
    try {
      const result = await query();
      this.noteSuccess();
      return result;
    } catch (error) {
      this.noteError(error);
      throw error;
    } finally {
      this.#uses.delete(use);
    }
  }

  async #connectPipelined(): Promise<PoolClient> {
    this.assertUp();
    const client = await this.#checkOut();
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
    return client;
  }

  /** The node can go down while the pool connects. */
  async #checkOut(): Promise<PoolClient> {
    const client = await this.#pool.connect();
    if (!this.#isDown) return client;
    client.release();
    throw unreachable();
  }
}

const destroy = (client: PoolClient) => socketOf(client).destroy(unreachable());
