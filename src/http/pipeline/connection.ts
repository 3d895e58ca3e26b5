import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf, type IsTrustedProxy, networkOf } from '../../lib/ip-address.ts';
import { hasBody } from './request-input.ts';

/** Node.js checks at this interval whether a client has read anything, so it disconnects after this time or twice as long.
 *  */
export const STALLED_MS = 6_000;

/** Connections that may be opened only to use up the connection limit. One is in at most one of these lists. */
interface PendingLists {
  /** They wait for a request or its body. */
  readonly pending: PendingConnections;
  /** Their client is not authenticated and has not read the response. */
  readonly unread: PendingConnections;
}

/** A TCP connection. It is pending until a request without a body has arrived, its caller is authenticated, or a request
 *  with a body has its response. */
export class Connection {
  /** The TCP socket, also for TLS. */
  readonly raw: Socket;
  readonly network: string;
  /** Whether it comes from a trusted proxy, whose clients share its address. */
  readonly isFromProxy: boolean;
  readonly lists: PendingLists;
  /** The socket that node:http reads: the TLS socket after the handshake, or the TCP socket. */
  http: Socket | undefined;
  /** Whether it exceeds the connection limit (see load-shedding.ts). */
  isExcess = false;
  /** Whether the headers of a request have arrived on it. */
  hasRequest = false;
  /** When it entered its list; 0 if it is in none. */
  pendingSince = 0;

  constructor(raw: Socket, lists: PendingLists, isTrustedProxy: IsTrustedProxy) {
    const address = addressOf(raw.remoteAddress ?? '') ?? '';
    this.raw = raw;
    this.network = networkOf(address);
    // A connection that is already closed has no address.
    this.isFromProxy = address !== '' && isTrustedProxy(address, 0);
    this.lists = lists;
  }

  attach(http: Socket & Tracked): void {
    this.http = http;
    http[key] = this;
  }
}

/** The first request of a connection can be delayed by a busy event loop or a slow network. */
const GRACE_MS = 3_000;

/** Maximum number of connections from one network that are older than the grace period, on all serving threads. */
const MAX_PER_NETWORK = 256;

/** Pending connections, oldest first, overall and by network. */
export class PendingConnections {
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
    while (same.size > this.#maxPerNetwork && this.evictOld(same));
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

  evictOldest(): void {
    const [oldest] = this.#all;
    if (oldest) this.#evict(oldest);
  }

  /** Evicts the oldest of some connections if its grace period is over. Returns whether it did. */
  evictOld(connections = this.#all): boolean {
    const [oldest] = connections;
    if (!oldest || performance.now() - oldest.pendingSince <= GRACE_MS) return false;
    this.#evict(oldest);
    return true;
  }
}

const key = Symbol('connection');
interface Tracked {
  [key]?: Connection;
}

/** Closes a connection whose client does not read. A reset frees the unread bytes; after an orderly close, the kernel would
 *  store up to 4 MB of them for minutes. */
export const discard = (socket: Socket & Tracked): void => {
  const raw = socket[key]?.raw ?? socket;
  raw.resetAndDestroy();
  socket.destroy();
};

/** Between two requests, Node.js sets the longer keep-alive timeout. */
export const isIdle = (socket: Socket | undefined): boolean => (socket?.timeout ?? 0) > STALLED_MS;

const connectionOf = ({ socket }: IncomingMessage): Connection | undefined => (socket as Tracked)[key];

export const isExcess = (request: IncomingMessage): boolean => connectionOf(request)?.isExcess === true;

/** Call it when the headers of the first request on a connection have arrived. */
export const markFirstRequest = (request: IncomingMessage, response: ServerResponse): void => {
  const connection = connectionOf(request);
  if (!connection) return;
  connection.hasRequest = true;
  if (hasBody(request)) pendingUntilFinished(connection, response);
  else connection.lists.pending.delete(connection);
};

/** Call it before reading the body of a caller that is not authenticated. */
export const markPending = (request: IncomingMessage, response: ServerResponse): void => {
  const connection = connectionOf(request);
  if (!connection || connection.raw.destroyed || connection.pendingSince > 0) return;
  connection.lists.pending.add(connection);
  pendingUntilFinished(connection, response);
};

const pendingUntilFinished = (connection: Connection, response: ServerResponse) =>
  response.once('finish', () => connection.lists.pending.delete(connection));

export const markAuthenticated = (request: IncomingMessage): void => {
  const connection = connectionOf(request);
  connection?.lists.pending.delete(connection);
};

/** Call it after the response to a caller that is not authenticated. If the client has not read all of it, the connection
 *  is in the list `unread` until it has. */
export const markAnswered = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.socket.writableLength === 0) return;
  const connection = connectionOf(request);
  if (!connection || connection.raw.destroyed) return;
  const { pending, unread } = connection.lists;
  pending.delete(connection);
  unread.add(connection);
  response.once('finish', () => unread.delete(connection));
};
