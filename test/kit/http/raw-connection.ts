import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { KEY, type Reply } from '../service/test-service.ts';

/** A connection for arbitrary bytes, which an HTTP client would not send. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #closed: Promise<void>;
  #received = Buffer.alloc(0);
  #wake = () => {};
  isClosed = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    // A server that closes a connection may reset it; bytes that arrived before can still be read.
    socket.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        this.#wake();
        resolve();
      });
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  write(bytes: string | Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  /** The number of buffered bytes that the other side has not read. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  /** The next response, or undefined if the connection closes before it is complete. */
  async nextResponse({ toHead = false } = {}): Promise<Reply | undefined> {
    for (;;) {
      const parsed = parse(this.#received, toHead);
      if (parsed) {
        this.#received = this.#received.subarray(parsed.length);
        return parsed.reply;
      }
      if (this.isClosed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Received bytes that are not part of a returned response. */
  get unparsed(): string {
    return this.#received.toString('latin1');
  }

  /** Stops reading: the server's bytes stay in the buffers of the connection. */
  pause(): void {
    this.#socket.pause();
  }

  /** Resolves when the server has closed the connection. */
  closed(): Promise<void> {
    return this.#closed;
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

const parse = (bytes: Buffer, toHead: boolean): { reply: Reply; length: number } | undefined => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(line)?.[1]);
  const headers = new Headers(
    lines.map((each) => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1).trim()]),
  );
  const hasBody = !toHead && status >= 200;
  const length = end + 4 + (hasBody ? Number(headers.get('content-length') ?? 0) : 0);
  if (bytes.length < length) return undefined;
  const text = bytes.toString('utf8', end + 4, length);
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { reply: { status, headers, text, body: isJson ? JSON.parse(text) : undefined }, length };
};

/** The bytes of a request with the test's key; `null` removes a header. */
export const requestBytes = (
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string | null>; body?: string | Uint8Array } = {},
): Buffer => {
  const payload = Buffer.from(body as Uint8Array);
  const all: Record<string, string | null> = {
    host: 'roster.test',
    authorization: `Bearer ${KEY}`,
    ...(payload.length > 0 && {
      'content-type': 'application/json',
      'content-length': `${payload.length}`,
    }),
    ...headers,
  };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    payload,
  ]);
};

/** Sends bytes on a new connection and returns the first response. */
export const sendBytes = async (url: string, ...parts: (string | Uint8Array)[]): Promise<Reply> => {
  const connection = await RawConnection.open(url);
  try {
    for (const part of parts) connection.write(part);
    const reply = await connection.nextResponse();
    if (!reply) throw new Error(`the connection was closed without a response after ${connection.unparsed}`);
    return reply;
  } finally {
    connection.destroy();
  }
};
