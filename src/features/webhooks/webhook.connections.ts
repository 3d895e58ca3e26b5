import type { LookupAddress } from 'node:dns';
import type { AgentOptions, Agent as HttpAgent, RequestOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent } from '../../lib/node-http.ts';

export interface ConnectionOptions {
  /** Connections of one pool at the same time. */
  readonly maxPerPool: number;
  /** Idle connections of all pools. */
  readonly maxIdle: number;
  readonly idleMs: number;
  /** Certificate authorities in PEM format. Default: those of Node. */
  readonly ca: string | undefined;
}

/** The options of a request that connects only to the given addresses. */
export const pinnedTo = (addresses: readonly LookupAddress[], pool: string) => ({
  pool,
  lookup: ((_host, _options, found) => found(null, [...addresses])) satisfies LookupFunction,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: 1_000,
});

/** Requests share a connection only if they name the same pool. */
const poolOf = (options?: RequestOptions): string => (options as { pool?: string } | undefined)?.pool ?? '';

/** Keep-alive connections to receivers, in pools. */
export class WebhookConnections {
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;
  readonly #newHttp = new Agent();
  readonly #newHttps: HttpsAgent;
  #open = 0;

  /** `inUse` counts the requests that have not ended. */
  constructor({ maxPerPool, maxIdle, idleMs, ca }: ConnectionOptions, inUse: () => number) {
    const options: AgentOptions = {
      keepAlive: true,
      maxSockets: maxPerPool,
      maxFreeSockets: maxPerPool,
      timeout: idleMs,
    };
    const limited = <T extends HttpAgent>(agent: T): T => {
      const connect = agent.createConnection.bind(agent);
      const keepAlive = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
      return Object.assign(agent, {
        getName: poolOf,
        createConnection: (...args: Parameters<typeof connect>) => {
          const socket = connect(...args);
          this.#open++;
          socket?.once('close', () => this.#open--);
          return socket;
        },
        keepSocketAlive: (socket: Duplex) => this.#open - inUse() <= maxIdle && keepAlive(socket),
      });
    };
    const tls = { ca, rejectUnauthorized: true };
    this.#http = limited(new Agent(options));
    this.#https = limited(new HttpsAgent({ ...options, ...tls }));
    this.#newHttps = new HttpsAgent(tls);
  }

  /** An agent that reuses connections, or one that opens a connection for each request. */
  agent(isTls: boolean, isNew: boolean): HttpAgent {
    if (isNew) return isTls ? this.#newHttps : this.#newHttp;
    return isTls ? this.#https : this.#http;
  }

  /** The connections that can be reused, now or later. */
  get open(): number {
    return this.#open;
  }

  close(): void {
    for (const agent of [this.#http, this.#https, this.#newHttp, this.#newHttps]) agent.destroy();
  }
}
