import { Socket } from 'node:net';

const unreachable = () => Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' });

/** The sockets of a pool. Queries to a hung server, or over a network that drops packets, would wait for their timeouts.
 *  Destroying all sockets fails them immediately, as well as new queries until the reset. */
export class PoolSockets {
  readonly #sockets = new Set<Socket>();
  #areDestroyed = false;

  /** The socket factory of pg's option `stream`. */
  readonly open = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#areDestroyed) setImmediate(() => socket.destroy(unreachable()));
    return socket;
  };

  destroyAll(): void {
    this.#areDestroyed = true;
    for (const socket of this.#sockets) socket.destroy(unreachable());
  }

  reset(): void {
    this.#areDestroyed = false;
  }
}
