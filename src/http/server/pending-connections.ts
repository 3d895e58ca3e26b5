import type { Connection, PendingList } from './connection.ts';

/** A busy event loop takes a while to read the first request of a connection, and a slow network to send it. */
const GRACE_MS = 3_000;

/** So many connections of one address may be in a list for longer than the grace period. */
const MAX_PER_NETWORK = 256;

const isOld = ({ pendingSince }: Connection) => performance.now() - pendingSince > GRACE_MS;

/** Connections that may only hold a slot, the oldest first, all of them and by address. */
export class PendingConnections implements PendingList {
  readonly #all = new Set<Connection>();
  readonly #byNetwork = new Map<string, Set<Connection>>();
  readonly #evict: (connection: Connection) => void;

  constructor(evict: (connection: Connection) => void) {
    this.#evict = evict;
  }

  /** Adds a connection. Where its address has too many, the oldest of them are evicted, but only after the grace period:
   *  a proxy may open a thousand connections together and needs a moment to use them. */
  add(connection: Connection): void {
    this.delete(connection);
    connection.pendingSince = performance.now();
    this.#all.add(connection);
    const same = this.#byNetwork.get(connection.network) ?? new Set();
    this.#byNetwork.set(connection.network, same.add(connection));
    if (connection.isFromProxy) return;
    while (same.size > MAX_PER_NETWORK && this.#evictIf(first(same), isOld));
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

  /** Evicts the oldest connection, if its grace period is over; says whether it did. */
  evictOld(): boolean {
    return this.#evictIf(first(this.#all), isOld);
  }

  /** Evicts the oldest connection. */
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
