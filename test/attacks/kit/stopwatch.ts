import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const END_OF_JSON = 0x7d;

/** Times requests on one keep-alive connection, with minimal overhead. */
export class Stopwatch {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(url: string): Promise<Stopwatch> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Stopwatch(socket);
  }

  /** The duration of a JSON response in microseconds, and the response. */
  time(bytes: Buffer): Promise<{ us: number; answer: string }> {
    return new Promise((resolve, reject) => {
      const socket = this.#socket;
      let answer = '';
      const onData = (chunk: Buffer) => {
        const ended = process.hrtime.bigint();
        answer += chunk.toString('latin1');
        if (chunk.at(-1) !== END_OF_JSON) return;
        socket.off('data', onData).off('close', onClose);
        resolve({ us: Number(ended - began) / 1_000, answer });
      };
      const onClose = () => reject(new Error(`the connection was closed: ${answer}`));
      socket.on('data', onData).on('close', onClose);
      const began = process.hrtime.bigint();
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
