import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards requests with the API key added. The conformance suite cannot send one. All other headers, Host and Origin among
 *  them, arrive unchanged. */
export const startAuthorizingProxy = async (target: string, key: string) => {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const options = { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } };
    const forwarded = request(options, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, stop: () => server.close() };
};
