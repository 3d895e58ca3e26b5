import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../lib/errors.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import { errorResponse, newRequestId, responseHead } from '../pipeline/response.ts';
import { Connections, endStalled } from './connections.ts';
import { afterOpenResponses, oneAtATime } from './pipelining.ts';

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

export const createHttpServer = ({ listener, tls, isTrustedProxy }: ServerOptions): HttpServer => {
  const server = tls
    ? createTlsServer({ ...LIMITS, cert: readFileSync(tls.cert), key: readFileSync(tls.key) })
    : createServer(LIMITS);
  const connections = new Connections(server, { isTls: tls !== undefined, isTrustedProxy });
  const serialized = oneAtATime(listener);
  endStalled(server);
  server.on('clientError', refuse);
  // The listener of node:https passes it to clientError, but an answer could not be sent without a handshake.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_: Error, socket: Duplex) => socket.destroy());
  server.on('request', serialized);
  // The listener decides about these too: a body that will be refused anyway is not asked for, and what node:http would
  // answer by itself carries no request id.
  server.on('checkContinue', serialized);
  server.on('checkExpectation', serialized);
  return { server, connections };
};

const REASONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: `The headers are larger than ${LIMITS.maxHeaderSize} bytes. Send smaller ones.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time: its headers within 10 seconds.',
};

/** Responds to invalid HTTP like to every other error, after the responses to the requests before it, so that it is not
 *  taken for one of them. */
const refuse = (error: Error & { code?: string }, socket: Duplex) => {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else afterOpenResponses(socket, () => answerRefusal(error, socket));
};

const LINGER_MS = 1_000;

const answerRefusal = (error: Error & { code?: string }, socket: Duplex) => {
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
