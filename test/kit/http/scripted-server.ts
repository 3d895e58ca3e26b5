import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the server does with one request: send a response, close the connection, or never respond. */
export type ScriptedResponse =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'close'
  | 'hang';

/** An HTTP server that responds to its requests in turn as the script says, and the last entry to all others. */
export const startScriptedServer = async (test: TestContext, ...script: readonly ScriptedResponse[]) => {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    const reply = script[Math.min(requests.length, script.length) - 1] ?? 'close';
    if (reply === 'hang') return;
    if (reply === 'close') return request.socket.destroy();
    const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
    response.writeHead(reply.status, reply.headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};
