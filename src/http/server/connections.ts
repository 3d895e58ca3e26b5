import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import { gauge, type Metric } from '../../lib/metric.ts';
import { Connection, discard, isIdle, PendingConnections, STALLED_MS } from '../pipeline/connection.ts';
import { connectionLimits } from './connection-limits.ts';

/** The same as for the headers of a request. */
const HANDSHAKE_MS = 10_000;
/** How often connections are checked for expired headers and handshakes. With a longer interval, more of them expire together, and
 *  requests wait until all are closed. */
export const EXPIRY_CHECK_MS = 50;
const IDLE_CHECK_MS = 1_000;

export interface ConnectionOptions {
  readonly isTls: boolean;
  readonly isTrustedProxy: IsTrustedProxy;
  /** How many threads share the limits. The system distributes connections evenly among them. */
  readonly threads: number;
}

/** Limits the connections of a server. When a new one exceeds the limit, closes the oldest pending connection, then the
 *  oldest with an unread response, then idle ones. Requests on connections that still exceed the limit are rejected. */
export class Connections {
  readonly #limits: ReturnType<typeof connectionLimits>;
  readonly #open = new Set<Connection>();
  readonly #pending: PendingConnections;
  readonly #unread: PendingConnections;
  readonly #isTrustedProxy: IsTrustedProxy;
  #lastIdleCheck = Number.NEGATIVE_INFINITY;

  constructor(server: Server, { isTls, isTrustedProxy, threads }: ConnectionOptions) {
    this.#limits = connectionLimits(threads);
    this.#pending = new PendingConnections(threads, (connection) => this.#close(connection));
    this.#unread = new PendingConnections(threads, (connection) => {
      this.#delete(connection);
      discard(connection.http ?? connection.raw);
    });
    this.#isTrustedProxy = isTrustedProxy;
    if (isTls) this.#trackTls(server);
    else server.on('connection', (socket: Socket) => this.#add(socket).attach(socket));
  }

  metrics(): Metric[] {
    return [
      gauge('roster_http_connections', 'Open connections of clients.', this.#open.size),
      gauge(
        'roster_http_connections_limit',
        'Connections above which requests are rejected.',
        this.#limits.served,
      ),
    ];
  }

  /** Closes connections that have not sent a request. */
  closeUnused(): void {
    for (const connection of [...this.#pending]) if (!connection.hasRequest) this.#close(connection);
  }

  closeAll(): void {
    for (const connection of [...this.#open]) this.#close(connection);
  }

  #add(raw: Socket): Connection {
    const connection = new Connection(
      raw,
      { pending: this.#pending, unread: this.#unread },
      this.#isTrustedProxy,
    );
    this.#open.add(connection);
    this.#pending.add(connection);
    raw.once('close', () => this.#delete(connection));
    this.#makeRoom(connection);
    return connection;
  }

  /** Counts TLS connections from the start of their handshake and limits its duration, because the timeout of node:tls
   *  starts again with every byte. Matches the TLS socket with the TCP socket by address. */
  #trackTls(server: Server) {
    const handshakes = new Map<string, Connection>();
    const addressesOf = ({ remoteAddress, remotePort, localAddress }: Socket) =>
      `${remoteAddress} ${remotePort} ${localAddress}`;
    server.on('connection', (raw: Socket) => {
      const addresses = addressesOf(raw);
      const connection = this.#add(raw);
      handshakes.set(addresses, connection);
      raw.once('close', () => {
        if (handshakes.get(addresses) === connection) handshakes.delete(addresses);
      });
    });
    server.on('secureConnection', (socket: Socket) => {
      const addresses = addressesOf(socket);
      handshakes.get(addresses)?.attach(socket);
      handshakes.delete(addresses);
    });
    const check = () => {
      const deadline = performance.now() - HANDSHAKE_MS;
      for (const connection of handshakes.values()) {
        if (connection.pendingSince > deadline) return;
        this.#close(connection);
      }
    };
    const timer = setInterval(check, EXPIRY_CHECK_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  #makeRoom(connection: Connection) {
    const { served, rejected } = this.#limits;
    while (this.#open.size > served && (this.#pending.evictOld() || this.#unread.evictOld()));
    if (this.#open.size > served) this.#closeIdle();
    // Their requests have responses, so they need no grace period before a new connection is rejected.
    if (this.#open.size > served) this.#unread.evictOldest();
    connection.isExcess = this.#open.size > served;
    if (this.#open.size > served + rejected) this.#pending.evictOldest();
    if (this.#open.size > served + rejected) this.#close(connection);
  }

  #closeIdle() {
    if (performance.now() - this.#lastIdleCheck < IDLE_CHECK_MS) return;
    this.#lastIdleCheck = performance.now();
    // Not all of them: closing 16,000 takes half a second, and most belong to clients that will come back.
    const enough = Math.floor((this.#limits.served * 15) / 16);
    for (const each of this.#open) {
      if (this.#open.size <= enough) return;
      if (isIdle(each.http)) this.#close(each);
    }
  }

  #close(connection: Connection) {
    this.#delete(connection);
    (connection.http ?? connection.raw).destroy();
  }

  #delete(connection: Connection) {
    this.#open.delete(connection);
    this.#pending.delete(connection);
    this.#unread.delete(connection);
  }
}

/** Closes connections whose client does not read its response, and idle ones. Slow senders have other timeouts (see
 *  request-input.ts), and a request may take long to handle. */
export const endStalled = (server: Server): void => {
  server.timeout = STALLED_MS;
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) discard(socket);
    else if (isIdle(socket)) socket.destroy();
  });
};
