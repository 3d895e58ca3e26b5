import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const CHECK_EVERY_MS = 100;

/** A TCP load balancer that sends new connections in turn to the backends whose /readyz answers 200. It never retries, so that
 *  a connection that an instance refuses reaches the client as an error. */
export const startLoadBalancer = async () => {
  const backends = new Map<string, { isReady: boolean; connections: number }>();
  const sockets = new Set<Socket>();
  let turn = 0;
  const choose = (): URL | undefined => {
    const ready = [...backends].filter(([, { isReady }]) => isReady);
    const [url, state] = ready[turn++ % ready.length] ?? [];
    if (url === undefined || !state) return undefined;
    state.connections++;
    return new URL(url);
  };
  const server = createServer((client) => {
    const target = choose();
    if (!target) return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay().pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const check = async () => {
    for (const [url, state] of backends) {
      const response = await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).catch(
        () => undefined,
      );
      await response?.text().catch(() => {});
      state.isReady = response?.status === 200;
    }
  };
  const timer = setInterval(check, CHECK_EVERY_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url: string) => {
      backends.set(url, { isReady: false, connections: 0 });
      await check();
    },
    remove: (url: string) => backends.delete(url),
    isReady: (url: string) => backends.get(url)?.isReady === true,
    /** The number of connections that a backend has received. */
    connectionsOf: (url: string) => backends.get(url)?.connections ?? 0,
    close: () => {
      clearInterval(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
