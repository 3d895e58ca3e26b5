import type { IncomingMessage, ServerResponse } from 'node:http';
import { unavailable } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { errorResponse } from '../pipeline/exchange.ts';
import type { Metrics } from '../pipeline/metrics.ts';
import { hasBody } from '../pipeline/request-input.ts';
import { isExcess } from './connection.ts';
import { EventLoopLag, type TrackedSocket } from './event-loop-lag.ts';

interface Queue {
  readonly isFull: boolean;
}

export interface SheddingOptions {
  /** The queues of reading requests and of all others. */
  readonly queues: Readonly<Record<'read' | 'write', Queue>>;
  readonly metrics: Pick<Metrics, 'shed'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Rejects a request with 503 if the service is overloaded; returns whether it did. */
export type Shed = (request: IncomingMessage, response: ServerResponse, requestId: string) => boolean;

/** Monitoring must work during an overload, and these are cheap. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics']);
const isAlwaysAnswered = ({ url = '' }: IncomingMessage): boolean => ALWAYS_ANSWERED.has(url);

const LOG_EVERY_MS = 10_000;

const OVERLOADED = unavailable('The service is overloaded. Retry in 1 second.');

/** Rejects requests during an overload, before their bodies are read and their keys are checked, so that a rejection is
 *  cheap. */
export const createShedding = ({ queues, metrics, log }: SheddingOptions): Shed => {
  const lag = new EventLoopLag();
  let loggedAt = Number.NEGATIVE_INFINITY;

  const fullQueue = (request: IncomingMessage): string | undefined => {
    const isLate = lag.isLate(request.socket as TrackedSocket);
    if (isExcess(request)) return 'connections';
    if (isLate) return 'loop';
    const { method } = request;
    const queue = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
    return queues[queue].isFull ? queue : undefined;
  };

  return (request, response, requestId) => {
    const queue = fullQueue(request);
    if (queue === undefined) return false;
    // Later requests on an excess connection would be rejected as well.
    if (queue === 'connections') response.setHeader('Connection', 'close');
    if (isAlwaysAnswered(request)) return false;
    metrics.shed(queue);
    if (performance.now() - loggedAt > LOG_EVERY_MS) {
      loggedAt = performance.now();
      log.warn('load shedding active', { queue });
    }
    rejectOverloaded(request, response, requestId);
    return true;
  };
};

/** Discarding a body up to this size costs less than a new connection. */
const WORTH_READING = 65_536;

const isWorthKeeping = (request: IncomingMessage) =>
  !hasBody(request) ||
  (request.headers.expect === undefined && Number(request.headers['content-length']) <= WORTH_READING);

const rejectOverloaded = (request: IncomingMessage, response: ServerResponse, requestId: string): void => {
  const { status, body, headers } = errorResponse(OVERLOADED, requestId);
  response.writeHead(status, {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...(!isWorthKeeping(request) && { Connection: 'close' }),
  });
  response.end(body);
};
