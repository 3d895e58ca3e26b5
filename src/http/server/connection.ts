import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf, type IsTrustedProxy, networkOf } from '../../lib/ip-address.ts';
import { hasBody } from '../pipeline/request-input.ts';

/** Node looks twice at an answer of which nothing is taken, so that it ends after this time or twice as long. */
export const STALLED_MS = 6_000;

/** The connections of a server in one state that may only hold a slot. */
export interface PendingList {
  add(connection: Connection): void;
  delete(connection: Connection): void;
}

/** A connection is in one of these lists at most. */
export interface PendingLists {
  /** Those that wait for a request or its body. */
  readonly pending: PendingList;
  /** Those whose client has not read the answer yet and is not authenticated. */
  readonly unread: PendingList;
}

/** A TCP connection. It is pending until a request without a body has arrived, its caller is authenticated, or a request with
 *  a body is answered: until then it may be one that only holds a place. */
export class Connection {
  /** The TCP socket; over TLS the one below the encrypted stream. */
  readonly raw: Socket;
  readonly network: string;
  /** Whether it comes from a trusted proxy, whose clients share its address. */
  readonly isFromProxy: boolean;
  readonly lists: PendingLists;
  /** The socket that node:http reads; over TLS it exists after the handshake. */
  http: Socket | undefined;
  /** Whether it exceeds the connection limit (see load-shedding.ts). */
  isExcess = false;
  /** Whether the headers of a request have arrived on it. */
  hasRequest = false;
  /** When it entered its list; 0 while it is in none. */
  pendingSince = 0;

  constructor(raw: Socket, lists: PendingLists, isTrustedProxy: IsTrustedProxy) {
    const address = addressOf(raw.remoteAddress ?? '') ?? '';
    this.raw = raw;
    this.network = networkOf(address);
    // A client may be gone before it is looked at, and has no address then.
    this.isFromProxy = address !== '' && isTrustedProxy(address, 0);
    this.lists = lists;
  }

  attach(http: Socket & Tracked): void {
    this.http = http;
    http[key] = this;
  }

  /** Between two requests, node gives a connection the longer time of one that is kept. */
  get isIdle(): boolean {
    return isIdle(this.http);
  }
}

const key = Symbol('connection');
interface Tracked {
  [key]?: Connection;
}

export const isIdle = (socket: Socket | undefined): boolean => (socket?.timeout ?? 0) > STALLED_MS;

const connectionOf = ({ socket }: IncomingMessage): Connection | undefined => (socket as Tracked)[key];

export const isExcess = (request: IncomingMessage): boolean => connectionOf(request)?.isExcess === true;

/** The headers of the first request on a connection have arrived. */
export const markFirstRequest = (request: IncomingMessage, response: ServerResponse): void => {
  const connection = connectionOf(request);
  if (!connection) return;
  connection.hasRequest = true;
  if (hasBody(request)) untilAnswered(connection, response);
  else connection.lists.pending.delete(connection);
};

/** A body is read whose sender is not authenticated. */
export const markPending = (request: IncomingMessage, response: ServerResponse): void => {
  const connection = connectionOf(request);
  if (!connection || connection.raw.destroyed || connection.pendingSince > 0) return;
  connection.lists.pending.add(connection);
  untilAnswered(connection, response);
};

const untilAnswered = (connection: Connection, response: ServerResponse) =>
  response.once('finish', () => connection.lists.pending.delete(connection));

export const markAuthenticated = (request: IncomingMessage): void => {
  const connection = connectionOf(request);
  connection?.lists.pending.delete(connection);
};

/** The answer to a caller that is not authenticated has ended. Where the system did not take all of it, the connection may
 *  be one that only holds a slot, until the client has read enough. */
export const markAnswered = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.socket.writableLength === 0) return;
  const connection = connectionOf(request);
  if (!connection || connection.raw.destroyed) return;
  const { pending, unread } = connection.lists;
  pending.delete(connection);
  unread.add(connection);
  response.once('finish', () => unread.delete(connection));
};
