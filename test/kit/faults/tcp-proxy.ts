import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between the service and its database server. It can stall all connections, stall only the current ones, or
 *  close them. */
export const startProxy = async (target: string) => {
  let { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    if (isStalled) for (const socket of pair) socket.pause();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const each = (act: (socket: Socket) => void) => {
    for (const pair of pairs) pair.forEach(act);
  };
  return {
    url: url.href,
    /** Stalls all connections, including new ones, until `resume`. */
    stall: () => {
      isStalled = true;
      each((socket) => socket.pause());
    },
    resume: () => {
      isStalled = false;
      each((socket) => socket.resume());
    },
    /** Stalls the current connections. New ones work. */
    stallCurrent: () => each((socket) => socket.pause()),
    disconnect: () => each((socket) => socket.destroy()),
    /** New connections go to another server. The current ones stay. */
    moveTo: (other: string) => {
      ({ hostname, port } = new URL(other));
    },
    close: () => {
      each((socket) => socket.destroy());
      server.close();
    },
  };
};
