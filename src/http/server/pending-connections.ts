import type { Connection, PendingList } from '../pipeline/connection.ts';

/** The first request of a connection can be delayed by a busy event loop or a slow network. */
const GRACE_MS = 3_000;

/** Maximum number of connections from one network that are older than the grace period, on all serving threads. */
const MAX_PER_NETWORK = 256;

const isOld = ({ pendingSince }: Connection) => performance.now() - pendingSince > GRACE_MS;

/** Pending connections, oldest first, overall and by network. */
export class PendingConnections implements PendingList {
  readonly #all = new Set<Connection>();
  readonly #byNetwork = new Map<string, Set<Connection>>();
  readonly #maxPerNetwork: number;
  readonly #evict: (connection: Connection) => void;

  constructor(threads: number, evict: (connection: Connection) => void) {
    this.#maxPerNetwork = MAX_PER_NETWORK / threads;
    this.#evict = evict;
  }

  /** If the network has too many connections, evicts the oldest, but only after the grace period: a client may open a
   *  thousand connections together and needs a moment to use them. */
  add(connection: Connection): void {
    this.delete(connection);
    connection.pendingSince = performance.now();
    this.#all.add(connection);
    const same = this.#byNetwork.getOrInsertComputed(connection.network, () => new Set()).add(connection);
    if (connection.isFromProxy) return;
    while (same.size > this.#maxPerNetwork && this.#evictIf(first(same), isOld));
  }

  delete(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    connection.pendingSince = 0;
    const same = this.#byNetwork.get(connection.network);
    same?.delete(connection);
    if (same?.size === 0) this.#byNetwork.delete(connection.network);
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#all.values();
  }

  /** Evicts the oldest connection if its grace period is over. Returns whether it did. */
  evictOld(): boolean {
    return this.#evictIf(first(this.#all), isOld);
  }

  evictOldest(): void {
    this.#evictIf(first(this.#all), () => true);
  }

  #evictIf(connection: Connection | undefined, condition: (connection: Connection) => boolean): boolean {
    if (!connection || !condition(connection)) return false;
    this.#evict(connection);
    return true;
  }
}

const first = (connections: Set<Connection>): Connection | undefined => connections.values().next().value;
