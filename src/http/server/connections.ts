import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import { Connection, isIdle, STALLED_MS } from './connection.ts';
import { connectionLimits } from './connection-limits.ts';
import { PendingConnections } from './pending-connections.ts';

/** As long as the headers of a request may take. */
const HANDSHAKE_MS = 10_000;
const CHECK_EVERY_MS = 1_000;

/** The connections of a server, fewer than the system can hold. When there is no room for a new one, the oldest pending
 *  connection is closed, then the oldest with an unread answer, then those that rest. Requests over those that are still too
 *  many are turned away. */
export class Connections {
  readonly #limits = connectionLimits();
  readonly #open = new Set<Connection>();
  readonly #pending = new PendingConnections((connection) => this.#close(connection));
  readonly #unread = new PendingConnections((connection) => this.#close(connection));
  readonly #isTrustedProxy: IsTrustedProxy;
  #checked = Number.NEGATIVE_INFINITY;

  constructor(server: Server, { isTls, isTrustedProxy }: { isTls: boolean; isTrustedProxy: IsTrustedProxy }) {
    this.#isTrustedProxy = isTrustedProxy;
    if (isTls) this.#trackTls(server);
    else server.on('connection', (socket: Socket) => this.#add(socket).attach(socket));
  }

  /** Closes those over which no request was begun. */
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

  /** Counts TLS connections from the start of their handshake, which has a limit of its own: the one of node:tls starts
   *  again with every byte. The encrypted socket is matched with the one below it by its addresses. */
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
      const latest = performance.now() - HANDSHAKE_MS;
      for (const connection of handshakes.values()) {
        if (connection.pendingSince > latest) return;
        this.#close(connection);
      }
    };
    const timer = setInterval(check, CHECK_EVERY_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  #makeRoom(connection: Connection) {
    const { served, rejected } = this.#limits;
    while (this.#open.size > served && (this.#pending.evictOld() || this.#unread.evictOld()));
    if (this.#open.size > served) this.#closeResting();
    // Their requests were answered, so they need no grace period before a new connection is turned away.
    if (this.#open.size > served) this.#unread.evictOldest();
    connection.isExcess = this.#open.size > served;
    if (this.#open.size > served + rejected) this.#pending.evictOldest();
    if (this.#open.size > served + rejected) this.#close(connection);
  }

  #closeResting() {
    if (performance.now() - this.#checked < CHECK_EVERY_MS) return;
    this.#checked = performance.now();
    for (const each of this.#open) if (each.isIdle) this.#close(each);
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

/** Ends connections whose client does not read its answer, and idle ones after their limit. Others may be silent: slow
 *  senders have timeouts of their own (see request-input.ts), and an answer may take its time. */
export const endStalled = (server: Server): void => {
  server.timeout = STALLED_MS;
  server.on('timeout', (socket) => {
    if (isIdle(socket) || socket.writableLength > 0) socket.destroy();
  });
};
