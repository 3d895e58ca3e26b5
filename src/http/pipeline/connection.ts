import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf, type IsTrustedProxy, networkOf } from '../../lib/ip-address.ts';
import { hasBody } from './request-input.ts';

/** Node.js checks at this interval whether a client has read anything, so it disconnects after this time or twice as long.
 *  */
export const STALLED_MS = 6_000;

/** Connections that may be opened only to use up the connection limit. */
export interface PendingList {
  add(connection: Connection): void;
  delete(connection: Connection): void;
}

/** A connection is in at most one of these lists. */
export interface PendingLists {
  /** They wait for a request or its body. */
  readonly pending: PendingList;
  /** Their client is not authenticated and has not read the response. */
  readonly unread: PendingList;
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

  get isIdle(): boolean {
    return isIdle(this.http);
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
