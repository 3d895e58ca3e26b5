import type { LookupAddress } from 'node:dns';
import type { Agent as HttpAgent, RequestOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent } from '../../lib/node-http.ts';

export interface ConnectionLimits {
  /** Connections of one pool at the same time. Default: 64. */
  readonly maxPerPool?: number;
  /** Idle connections of all pools. Default: 256. */
  readonly maxIdle?: number;
  /** The time after which an idle connection is closed. Default: 10 seconds. */
  readonly idleMs?: number;
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

/** Agents that keep connections to receivers alive, in pools. `inUse` counts the requests that have not ended. */
export const createConnections = (
  { maxPerPool = 64, maxIdle = 256, idleMs = 10_000 }: ConnectionLimits,
  inUse: () => number,
) => {
  let open = 0;
  const limited = <T extends HttpAgent>(agent: T): T => {
    const connect = agent.createConnection.bind(agent);
    const keepAlive = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
    return Object.assign(agent, {
      getName: poolOf,
      createConnection: (...args: Parameters<typeof connect>) => {
        const socket = connect(...args);
        open++;
        socket?.once('close', () => open--);
        return socket;
      },
      keepSocketAlive: (socket: Duplex) => open - inUse() <= maxIdle && keepAlive(socket),
    });
  };
  const options = { keepAlive: true, maxSockets: maxPerPool, maxFreeSockets: maxPerPool, timeout: idleMs };
  const [http, https] = [limited(new Agent(options)), limited(new HttpsAgent(options))];
  return {
    http,
    https,
    /** The connections that can be reused, now or later. */
    open: () => open,
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
};
