import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';

export interface ReceivedWebhook {
  readonly path: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The number of the connection, from 1. */
  readonly connection: number;
  /** The address of the receiver that was connected to. */
  readonly localAddress: string | undefined;
  /** The server name of the TLS handshake; false if it had none. */
  readonly serverName: string | false | null | undefined;
}

/** What a receiver does on the socket after a request arrived. */
export type Behavior = (socket: Socket, request: ReceivedWebhook) => void;

const head = (status: number, headers: Record<string, string | number> = {}) =>
  `HTTP/1.1 ${status} Text\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** A well-formed response. */
export const answer =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = 'ok'): Behavior =>
  (socket) => {
    const content = Buffer.from(body);
    socket.write(
      Buffer.concat([Buffer.from(head(status, { ...headers, 'Content-Length': content.length })), content]),
    );
  };

/** Sends the bytes as they are, and then leaves the connection open or closes it. */
export const raw =
  (text: string, { close = false } = {}): Behavior =>
  (socket) => {
    if (close) socket.end(text);
    else socket.write(text);
  };

export const hang: Behavior = () => {};
export const reset: Behavior = (socket) => {
  socket.resetAndDestroy();
};

const repeat = (socket: Socket, everyMs: number, step: () => void) => {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : step()), everyMs);
  socket.once('close', () => clearInterval(timer));
};

/** Sends the response byte by byte, without end. */
export const trickle =
  (text: string): Behavior =>
  (socket) => {
    let at = 0;
    repeat(socket, 10, () => socket.write(text[at++] ?? 'x'));
  };

/** Sends the text and then content for as long as the sender reads it. */
export const endless =
  (text: string, content: Buffer): Behavior =>
  (socket) => {
    socket.write(text);
    const more = () => {
      while (!socket.destroyed && socket.write(content));
    };
    socket.on('drain', more);
    more();
  };

export interface Receiver {
  readonly port: number;
  readonly requests: ReceivedWebhook[];
  /** How many connections were accepted. */
  connections(): number;
  /** The bytes that were sent to all senders. */
  bytesSent(): number;
  /** Waits until all connections are closed. */
  closed(): Promise<void>;
  behave(behavior: Behavior): void;
  /** Sends the text on every new connection, before a request. */
  greet(text: string): void;
}

interface ReceiverOptions {
  readonly host?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A receiver of webhooks that behaves on its sockets as a test chooses. */
export const startReceiver = async (
  test: TestContext,
  behavior: Behavior,
  { host = '127.0.0.1', tls }: ReceiverOptions = {},
): Promise<Receiver> => {
  const requests: ReceivedWebhook[] = [];
  const sockets = new Set<Socket>();
  let [current, connections, bytes, greeting] = [behavior, 0, 0, ''];
  const accept = (socket: Socket) => {
    const connection = ++connections;
    if (greeting) socket.write(greeting);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      bytes += socket.bytesWritten;
    });
    let buffered = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk]);
      const end = buffered.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [first = '', ...lines] = buffered.subarray(0, end).toString().split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 2),
        ]),
      );
      const whole = end + 4 + Number(headers['content-length']);
      if (buffered.length < whole) return;
      const body = buffered.subarray(end + 4, whole).toString();
      buffered = buffered.subarray(whole);
      const { localAddress } = socket;
      const serverName = (socket as TLSSocket).servername;
      const path = first.split(' ')[1] ?? '';
      const request = { path, headers, body, connection, localAddress, serverName };
      requests.push(request);
      current(socket, request);
    });
  };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.on('tlsClientError', () => {});
  server.listen(0, host);
  await once(server, 'listening');
  test.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    bytesSent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, bytes),
    closed: async () => {
      const closing = [...sockets].map((socket) => new Promise((done) => socket.on('close', done)));
      await Promise.all(closing);
    },
    behave: (next) => {
      current = next;
    },
    greet: (text) => {
      greeting = text;
    },
  };
};
