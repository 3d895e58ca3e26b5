import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../lib/errors.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import type { Log } from '../../lib/log.ts';
import type { Metric } from '../../lib/metric.ts';
import { createServer } from '../../lib/node-http.ts';
import { errorResponse, newRequestId, responseHead } from '../pipeline/response.ts';
import { Connections, EXPIRY_CHECK_MS, endStalled } from './connections.ts';
import { afterOpenResponses, oneAtATime } from './pipelining.ts';
import { type TlsFiles, type TlsWatcher, watchTlsFiles } from './tls-files.ts';

export interface ServerOptions {
  readonly listener: RequestListener;
  readonly tls: TlsFiles | undefined;
  readonly log: Log;
  readonly isTrustedProxy: IsTrustedProxy;
  /** How many threads share the limits. */
  readonly threads: number;
}

const LIMITS = {
  maxHeaderSize: 8_192,
  headersTimeout: 10_000,
  // Bodies have their own timeouts (see request-input.ts), because a large file may take longer than a record.
  requestTimeout: 0,
  connectionsCheckingInterval: EXPIRY_CHECK_MS,
  keepAliveTimeout: 65_000,
  noDelay: true,
  requireHostHeader: false,
};

const createSecureServer = (files: TlsFiles, log: Log) => {
  const loaded = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
  const server = createTlsServer({ ...LIMITS, ...loaded });
  return { server, watcher: watchTlsFiles(server, { files, loaded, log }) };
};

export const createHttpServer = ({ listener, tls, log, isTrustedProxy, threads }: ServerOptions) => {
  const { server, watcher }: { server: Server; watcher?: TlsWatcher } = tls
    ? createSecureServer(tls, log)
    : { server: createServer(LIMITS) };
  const connections = new Connections(server, { isTls: tls !== undefined, isTrustedProxy, threads });
  const serialized = oneAtATime(listener);
  // Before the names of the headers are read, which would parse all of them.
  const handle: RequestListener = (request, response) => {
    if (request.rawHeaders.length > 2 * MAX_HEADERS) rejectInvalid(TOO_MANY_HEADERS, request.socket);
    else serialized(request, response);
  };
  endStalled(server);
  server.on('clientError', rejectInvalid);
  // node:https passes it to clientError, but without a handshake no response can be sent.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_: Error, socket: Duplex) => socket.destroy());
  server.on('request', handle);
  // The default of node:http would request a body that is rejected anyway, and respond without a request id.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  return {
    server,
    connections,
    /** Resolves when it has stopped listening and all connections have closed. */
    closed: new Promise<void>((resolve) => server.once('close', () => resolve())),
    /** Loads the TLS files immediately; does nothing without TLS. */
    reloadTls: async () => watcher?.reload(),
    metrics: (): Metric[] => [...connections.metrics(), ...(watcher?.metrics() ?? [])],
  };
};

export type HttpServer = ReturnType<typeof createHttpServer>;

/** Many small headers take five times as long to parse as one of the same size. */
const MAX_HEADERS = 100;
const TOO_MANY_HEADERS = Object.assign(new Error('too many headers'), { code: 'TOO_MANY_HEADERS' });

const REASONS: Record<string, string> = {
  TOO_MANY_HEADERS: `The request has more than ${MAX_HEADERS} headers. Send fewer.`,
  HPE_HEADER_OVERFLOW: `The headers are larger than ${LIMITS.maxHeaderSize} bytes. Send smaller ones.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The headers did not arrive within 10 seconds.',
};

/** Responds to invalid HTTP like to every other error, after the responses to earlier requests. A connection that a browser
 *  opened in advance and did not use is closed without a response, which could be taken for that to its first request. */
const rejectInvalid = (error: Error & { code?: string }, socket: Duplex & { bytesRead?: number }) => {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy();
  else afterOpenResponses(socket, () => sendRejection(error, socket));
};

const LINGER_MS = 1_000;

const sendRejection = (error: Error & { code?: string }, socket: Duplex) => {
  const reason = REASONS[error.code ?? ''] ?? 'This is not a valid HTTP/1.1 request.';
  const requestId = newRequestId();
  const response = errorResponse(new ApiError('VALIDATION_ERROR', reason), requestId);
  const head = responseHead(response, { requestId, isSecure: 'encrypted' in socket, isLast: true });
  let lines = `HTTP/1.1 ${response.status} Bad Request\r\n`;
  for (let at = 0; at < head.length; at += 2) lines += `${head[at]}: ${head[at + 1]}\r\n`;
  socket.end(`${lines}\r\n${response.body}`);
  // A client that does not close its side would keep the connection open.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
};

/** Connections that the system completes before the process accepts them. Others are dropped silently and retry after
 *  seconds, which would delay a thousand clients that reconnect together. */
const BACKLOG = 4_096;

export interface Address {
  readonly port: number;
  readonly host: string;
}

/** With `reusePort`, several threads listen on the same port, and the system distributes the connections. */
export const listen = (
  server: NetServer,
  { port, host }: Address,
  { reusePort = false } = {},
): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG, reusePort }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

/** Throws if another process listens on the port. With `reusePort` alone, two services would share it unnoticed. */
export const assertPortIsFree = async (address: Address): Promise<void> => {
  const server = new NetServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
};

const CLOSE_IDLE_EVERY_MS = 500;
const DRAIN_TIMEOUT_MS = 10_000;

/** Stops accepting connections. Those that are open stay open. */
export const stopListening = ({ server }: HttpServer): void => {
  // close() of node:http closes idle connections immediately; that of node:net only stops listening.
  if (server.listening) NetServer.prototype.close.call(server);
};

/** Stops accepting connections and resolves when all running requests have their responses, after ten seconds at most. Idle
 *  connections stay open a moment longer, because a request may be on its way; its response has `Connection: close`. */
export const drain = (http: HttpServer): Promise<void> => {
  const { server, connections, closed } = http;
  stopListening(http);
  const closeIdle = () => {
    server.closeIdleConnections();
    connections.closeUnused();
  };
  setInterval(closeIdle, CLOSE_IDLE_EVERY_MS).unref();
  setTimeout(() => connections.closeAll(), DRAIN_TIMEOUT_MS).unref();
  return closed;
};
