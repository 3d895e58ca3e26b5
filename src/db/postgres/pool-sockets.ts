import { Socket } from 'node:net';

const unreachable = () => Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' });

/** The sockets of a pool. Queries to a hung server, or over a network that drops packets, would wait for their timeouts.
 *  Destroying all sockets fails them immediately, as well as new queries until the reset. */
export class PoolSockets {
  readonly #sockets = new Set<Socket>();
  #failure: (() => Error) | undefined;

  /** The socket factory of pg's option `stream`. */
  readonly open = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const failure = this.#failure;
    if (failure) setImmediate(() => socket.destroy(failure()));
    return socket;
  };

  /** `failure` is the error of all queries until the reset. */
  destroyAll(failure: () => Error = unreachable): void {
    this.#failure = failure;
    for (const socket of this.#sockets) socket.destroy(failure());
  }

  reset(): void {
    this.#failure = undefined;
  }
}
