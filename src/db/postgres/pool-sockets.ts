import { Socket } from 'node:net';

const unreachable = () => Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' });

/** The sockets of a pool. A stopped server, or a network that drops packets, neither answers nor refuses, and queries would
 *  wait for their timeouts. Destroying all sockets fails them immediately, and also those sent before the reset. */
export class PoolSockets {
  readonly #sockets = new Set<Socket>();
  #areDestroyed = false;

  /** A socket for a new connection, in the form that pg calls for one. */
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
