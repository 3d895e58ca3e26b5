import { Socket } from 'node:net';

const silence = () => Object.assign(new Error('the server is silent'), { code: 'ETIMEDOUT' });

/** The sockets of a pool. A server that is stopped, or a network that swallows everything, neither answers nor refuses,
 *  and whoever asked would wait. Cut, all lines end as if the other side had hung up: those who wait hear of it at once,
 *  and so do those who ask before the lines are mended. */
export class PoolSockets {
  readonly #sockets = new Set<Socket>();
  #areCut = false;

  /** A socket for a new connection, as pg asks for it. */
  readonly open = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#areCut) setImmediate(() => socket.destroy(silence()));
    return socket;
  };

  destroyAll(): void {
    this.#areCut = true;
    for (const socket of this.#sockets) socket.destroy(silence());
  }

  reset(): void {
    this.#areCut = false;
  }
}
