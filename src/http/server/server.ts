import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../lib/errors.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import { errorResponse, newRequestId } from '../pipeline/exchange.ts';
import { originOf } from '../pipeline/request-origin.ts';
import { markFirstRequest } from './connection.ts';
import { Connections, endStalled } from './connections.ts';

/** Not imported: an import looks at all that the module gives, a client with WebSockets among it, which takes 17 MB. */
const { createServer } = process.getBuiltinModule('node:http');

export interface ServerOptions {
  readonly listener: RequestListener;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly isTrustedProxy: IsTrustedProxy;
}

export interface HttpServer {
  readonly server: Server;
  readonly connections: Connections;
}

const LIMITS = {
  maxHeaderSize: 8_192,
  headersTimeout: 10_000,
  // Bodies have time-outs of their own (see request-input.ts): a large file may take longer than a record.
  requestTimeout: 0,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  noDelay: true,
  requireHostHeader: false,
};

/** A browser that has once reached the service by HTTPS uses nothing else for a year. Browsers ignore it for addresses without
 *  a name and for certificates that they do not trust. */
const HSTS = ['Strict-Transport-Security', 'max-age=31536000'] as const;

const last = Symbol('the response to the newest request');
const before = Symbol('the response to the request before, while it was not given yet');
const ahead = Symbol('how many requests wait for the answers before theirs');
const refused = Symbol('whether what arrived was no HTTP');
type Linked<T> = T & {
  [last]?: Linked<ServerResponse>;
  [before]?: Linked<ServerResponse> | undefined;
  [ahead]?: number;
  [refused]?: boolean;
};

/** So many requests may wait on a connection. A client that sends more is cut off: each takes up to 12 KB of memory, most of
 *  it headers, and nothing but this limits them. */
const MOST_AHEAD = 10;

/** Links the answers that are still to be given on a connection, newest first; gives the one that is to be given before this
 *  one. Fields rather than a set with an event for each answer, which would cost a tenth of a short request. */
const track = (socket: Linked<Duplex>, response: Linked<ServerResponse>) => {
  const former = socket[last];
  socket[last] = response;
  if (!former) markFirstRequest(response.req, response);
  if (!former || former.writableFinished) return undefined;
  response[before] = former;
  return former;
};

/** Runs pipelined requests one after the other: a connection has one running request at most, and a read sees what a write
 *  before it has written. Where no answer can be sent, a request is not started. */
const inTurn =
  (listener: RequestListener, isSecure: (request: IncomingMessage) => boolean): RequestListener =>
  (request, response: Linked<ServerResponse>) => {
    const socket: Linked<Duplex> = request.socket;
    const begin = () => {
      if (!socket.writable) return;
      // Not earlier: node:http parses the headers when they are first read, and keeps both forms.
      if (isSecure(request)) response.setHeader(...HSTS);
      listener(request, response);
    };
    const former = track(socket, response);
    if (!former) return begin();
    const waiting = (socket[ahead] ?? 0) + 1;
    socket[ahead] = waiting;
    if (waiting > MOST_AHEAD) return socket.destroy();
    former.once('close', () => {
      socket[ahead] = (socket[ahead] ?? 0) - 1;
      response[before] = undefined;
      begin();
    });
  };

export const createHttpServer = ({ listener, tls, isTrustedProxy }: ServerOptions): HttpServer => {
  const server = tls
    ? createTlsServer({ ...LIMITS, cert: readFileSync(tls.cert), key: readFileSync(tls.key) })
    : createServer(LIMITS);
  const connections = new Connections(server, { isTls: tls !== undefined, isTrustedProxy });
  const isSecure = (request: IncomingMessage) =>
    tls !== undefined ||
    (request.headers['x-forwarded-proto'] !== undefined &&
      originOf(request, isTrustedProxy).base.startsWith('https:'));
  const tracked = inTurn(listener, isSecure);
  endStalled(server);
  server.on('clientError', refuse);
  // The listener of node:https passes it to clientError, but an answer could not be sent without a handshake.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_: Error, socket: Duplex) => socket.destroy());
  server.on('request', tracked);
  // The listener decides about these too: a body that will be refused anyway is not asked for, and what node:http would
  // answer by itself carries no request id.
  server.on('checkContinue', tracked);
  server.on('checkExpectation', tracked);
  return { server, connections };
};

const REASONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: `The headers are larger than ${LIMITS.maxHeaderSize} bytes. Send smaller ones.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time: its headers within 10 seconds.',
};

/** Answers what is no HTTP request, or does not become one, in the form of every other error; after the answers to the
 *  whole requests that came before it on the connection, lest it be taken for one of them. */
const refuse = (error: Error & { code?: string }, socket: Linked<Duplex>) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // Every chunk that arrives behind the first invalid one is an error too.
  if (socket[refused]) return;
  socket[refused] = true;
  answerInTurn(error, socket);
};

const answerInTurn = (error: Error & { code?: string }, socket: Linked<Duplex>) => {
  let open = socket[last];
  while (open && (open.writableFinished || !open.req.complete)) open = open[before];
  if (open) open.once('close', () => answerInTurn(error, socket));
  else if (socket.writable) answerRefusal(error, socket);
  else socket.destroy();
};

const LINGER_MS = 1_000;

const answerRefusal = (error: Error & { code?: string }, socket: Duplex) => {
  const reason = REASONS[error.code ?? ''] ?? 'This is not a valid HTTP/1.1 request.';
  const requestId = newRequestId();
  const { status, body } = errorResponse(new ApiError('VALIDATION_ERROR', reason), requestId);
  const hsts = 'encrypted' in socket ? `${HSTS.join(': ')}\r\n` : '';
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n${hsts}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that does not close its side would keep the connection open.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
};

/** Connections that the system completes before we accept them. Those beyond are dropped silently and retry after seconds,
 *  which would delay a thousand clients that reconnect together. */
const BACKLOG = 4_096;

export const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, BACKLOG, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

const GRACE_MS = 500;
const PATIENCE_MS = 10_000;

/** Stops taking connections and resolves when every request that was begun is answered, after ten seconds at most.
 *  Connections without a request are left open a moment longer: one may be on its way, and is answered with
 *  `Connection: close`. */
export const drain = ({ server, connections }: HttpServer): Promise<void> =>
  new Promise((resolve) => {
    // The close of node:http ends idle connections immediately; that of node:net only stops listening.
    NetServer.prototype.close.call(server, () => resolve());
    const closeIdle = () => {
      server.closeIdleConnections();
      connections.closeUnused();
    };
    setInterval(closeIdle, GRACE_MS).unref();
    setTimeout(() => connections.closeAll(), PATIENCE_MS).unref();
  });
