import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Json } from '../service/test-service.ts';

/** The webhooks of one endpoint, in the order in which they arrived. */
export interface Arrivals {
  readonly url: string;
  /** Set it before the first webhook arrives. */
  secret: string;
  readonly events: Json[];
}

export interface VerifyingReceiver {
  /** The endpoint with this path. */
  at(name: string): Arrivals;
  /** What was wrong with a request. */
  readonly problems: string[];
  close(): void;
}

/** An HTTP server that verifies the signature of every webhook and records it before it answers. */
export const startVerifyingReceiver = async (delayMs: () => number): Promise<VerifyingReceiver> => {
  const endpoints = new Map<string, Arrivals>();
  const problems: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
      const endpoint = endpoints.get(request.url ?? '');
      const headers = request.headers as Record<string, string>;
      const event: Json = new Webhook(endpoint?.secret ?? '').verify(`${Buffer.concat(chunks)}`, headers);
      if (event.id !== headers['webhook-id']) problems.push(`${headers['webhook-id']} has ${event.id}`);
      endpoint?.events.push(event);
    } catch (error) {
      // A request that the sender did not complete is not a webhook.
      if (request.complete) problems.push(`${error}`);
      response.destroy();
      return;
    }
    await pause(delayMs());
    response.end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    at: (name) => {
      const path = `/${name}`;
      const known = endpoints.get(path) ?? { url: `http://127.0.0.1:${port}${path}`, secret: '', events: [] };
      endpoints.set(path, known);
      return known;
    },
    problems,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
